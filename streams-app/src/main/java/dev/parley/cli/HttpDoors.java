package dev.parley.cli;

import dev.parley.access.Authentication;
import dev.parley.access.Credentials;
import dev.parley.access.InvalidTokens;
import dev.parley.access.OidcSettings;
import dev.parley.access.OidcTokens;
import dev.parley.access.RateLimit;
import dev.parley.access.Role;
import dev.parley.access.TokenFile;
import dev.parley.config.HttpKeys;
import dev.parley.config.InstanceKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.query.Doors;
import dev.parley.query.PeerKeys;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** Makes of the configuration who gets in to the HTTP API, and refuses what would let in everybody by mistake. */
final class HttpDoors {
    private static final int REMEMBERED_CALLERS = 10_000;

    private HttpDoors() {}

    /**
     * The doors of this configuration.
     *
     * @param warn is told what is allowed but unwise
     * @throws ConfigException when they cannot be made, in a sentence that says what to change
     */
    static Doors of(ParleyConfig config, Consumer<String> warn) {
        Optional<SSLContext> tls = tls(config);
        Optional<Authentication> authentication = authentication(config);
        String host = config.getString(ParleyConfig.HTTP_HOST);
        boolean loopback = isLoopback(host);
        boolean none = config.getBoolean(HttpKeys.AUTH_NONE);
        if (none && authentication.isPresent()) {
            throw new ConfigException(
                    HttpKeys.AUTH_NONE + "=true contradicts the tokens that are configured; remove one of them");
        }
        if (!loopback && authentication.isEmpty() && !none) {
            throw new ConfigException(ParleyConfig.HTTP_HOST + "=" + host
                    + " lets others than this machine reach the HTTP API, which would ask nobody who they are. Either"
                    + " configure tokens ("
                    + HttpKeys.TOKENS_FILE + ", made by parley token, or " + HttpKeys.OIDC_ISSUER + "), or say with "
                    + HttpKeys.AUTH_NONE + "=true that everybody may read");
        }
        if (!loopback && none) {
            warn.accept("whoever reaches " + host + " may read what the HTTP API shows: " + HttpKeys.AUTH_NONE
                    + "=true, and no token is asked for");
        }
        if (!loopback && authentication.isPresent() && tls.isEmpty()) {
            warn.accept("tokens for the HTTP API at " + host
                    + " may travel without TLS, for everybody on the way to read; configure " + HttpKeys.TLS_KEYSTORE
                    + ", or let a proxy on this machine speak TLS");
        }
        RateLimit rate = new RateLimit(
                config.getInt(HttpKeys.RATE), config.getInt(HttpKeys.BURST), REMEMBERED_CALLERS, System::nanoTime);
        Doors.Limits limits = new Doors.Limits(
                config.getInt(HttpKeys.HEADER_BYTES),
                config.getInt(HttpKeys.BODY_BYTES),
                config.getInt(HttpKeys.REQUESTS),
                config.getInt(HttpKeys.CONNECTIONS),
                config.getInt(HttpKeys.RESPONSE_BYTES),
                new Doors.Shares(
                        config.getInt(HttpKeys.ADDRESS_CONNECTIONS),
                        config.getInt(HttpKeys.CALLER_REQUESTS),
                        config.getInt(HttpKeys.WAITING)),
                new Doors.Deadlines(
                        config.getInt(HttpKeys.HEADER_MS),
                        config.getInt(HttpKeys.BODY_MS),
                        config.getInt(HttpKeys.RESPONSE_MS),
                        config.getInt(HttpKeys.IDLE_MS),
                        config.getInt(HttpKeys.BYTES_PER_SECOND)));
        return new Doors(tls, authentication, rate, limits, peers(config));
    }

    private static Optional<PeerKeys> peers(ParleyConfig config) {
        Password secret = config.getPassword(InstanceKeys.SECRET);
        Password previous = config.getPassword(InstanceKeys.PREVIOUS_SECRET);
        if (secret == null) {
            if (previous != null) {
                throw new ConfigException(InstanceKeys.PREVIOUS_SECRET + " needs " + InstanceKeys.SECRET + " too");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(PeerKeys.of(secret, Optional.ofNullable(previous)));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(InstanceKeys.SECRET
                    + (previous == null ? " " : " or " + InstanceKeys.PREVIOUS_SECRET + " ")
                    + e.getMessage());
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new ConfigException(ParleyConfig.HTTP_HOST, host, "This machine has no such address");
        }
    }

    /** Kafka's own reader of keystores: what works for its brokers and clients works here. */
    private static Optional<SSLContext> tls(ParleyConfig config) {
        boolean file = config.getString(HttpKeys.TLS_KEYSTORE) != null;
        boolean inline = config.getPassword(HttpKeys.TLS_KEY) != null || config.getPassword(HttpKeys.TLS_CHAIN) != null;
        if (!file && !inline) {
            return Optional.empty();
        }
        Map<String, Object> settings = new HashMap<>();
        config.values().forEach((key, value) -> {
            if (key.startsWith(HttpKeys.TLS_PREFIX) && value != null) {
                settings.put("ssl." + key.substring(HttpKeys.TLS_PREFIX.length()), value);
            }
        });
        String where = file ? HttpKeys.TLS_KEYSTORE + "=" + config.getString(HttpKeys.TLS_KEYSTORE) : HttpKeys.TLS_KEY;
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(new ConfigDef().withClientSslSupport().parse(settings));
            if (factory.keystore() == null) {
                throw new ConfigException(where + " has no certificate and key");
            }
            return Optional.of(factory.sslContext());
        } catch (KafkaException e) {
            throw new ConfigException("The HTTP API cannot speak TLS with " + where + " ("
                    + HttpKeys.TLS_KEYSTORE_TYPE + "=" + config.getString(HttpKeys.TLS_KEYSTORE_TYPE) + "): "
                    + sentence(e) + "; check location, type and passwords");
        }
    }

    private static Optional<Authentication> authentication(ParleyConfig config) {
        List<Credentials> kinds = new ArrayList<>();
        String file = config.getString(HttpKeys.TOKENS_FILE);
        if (file != null) {
            try {
                kinds.add(TokenFile.open(Path.of(file), Clock.systemUTC()));
            } catch (InvalidTokens e) {
                throw new ConfigException(HttpKeys.TOKENS_FILE + ": " + e.getMessage());
            }
        }
        oidc(config).map(OidcTokens::new).ifPresent(kinds::add);
        return kinds.isEmpty() ? Optional.empty() : Optional.of(new Authentication(kinds));
    }

    private static Optional<OidcSettings> oidc(ParleyConfig config) {
        String issuer = config.getString(HttpKeys.OIDC_ISSUER);
        String keys = config.getString(HttpKeys.OIDC_KEYS);
        List<String> audience = config.getList(HttpKeys.OIDC_AUDIENCE);
        if (issuer == null && keys == null && audience.isEmpty()) {
            return Optional.empty();
        }
        if (issuer == null || keys == null || audience.isEmpty()) {
            throw new ConfigException(HttpKeys.OIDC_ISSUER + ", " + HttpKeys.OIDC_AUDIENCE + " and "
                    + HttpKeys.OIDC_KEYS + " belong together; one of them is missing");
        }
        Map<Role, Set<String>> roles = new EnumMap<>(Role.class);
        Role.GIVEN.forEach(
                role -> roles.put(role, Set.copyOf(config.getList(HttpKeys.OIDC_ROLE_PREFIX + role.text()))));
        return Optional.of(new OidcSettings(
                issuer,
                Set.copyOf(audience),
                keys(keys),
                Set.copyOf(config.getList(HttpKeys.OIDC_ALGORITHMS)),
                config.getString(HttpKeys.OIDC_NAME_CLAIM),
                config.getString(HttpKeys.OIDC_ROLES_CLAIM),
                roles,
                Duration.ofMillis(config.getLong(HttpKeys.OIDC_SKEW_MS))));
    }

    /** Who can change the keys on their way can make tokens. */
    private static URI keys(String url) {
        try {
            URI uri = new URI(url);
            boolean loopback = "http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress();
            if (loopback || ("https".equals(uri.getScheme()) && uri.getHost() != null)) {
                return uri;
            }
        } catch (URISyntaxException | UnknownHostException e) {
            throw new ConfigException(HttpKeys.OIDC_KEYS, url, "Not an address: " + e.getMessage());
        }
        throw new ConfigException(HttpKeys.OIDC_KEYS, url, "Must be an https URL, or http on a loopback address");
    }

    private static String sentence(Throwable exception) {
        StringBuilder all = new StringBuilder();
        String last = null;
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && (last == null || !last.contains(message))) {
                all.append(all.length() == 0 ? "" : ": ").append(message);
                last = message;
            }
        }
        return all.toString();
    }
}
