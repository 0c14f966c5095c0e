package dev.parley.server;

import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.OidcSettings;
import dev.parley.server.auth.OidcTokens;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.SessionSettings;
import dev.parley.server.auth.TokenFile;
import dev.parley.server.auth.TokenVerifier;
import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.cluster.PeerKeys;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.http.HttpSecurity;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.AdminFutures;
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

/** Builds the security of the HTTP API from the configuration, and rejects one that exposes it by mistake. */
public final class HttpSecurityFactory {
    private static final int MAX_CALLERS = 10_000;

    private HttpSecurityFactory() {}

    /**
     * Builds TLS, authentication, limits and peer keys.
     *
     * @param warn receives warnings about settings that are allowed but unsafe
     * @throws ConfigException when the configuration is invalid; the message says what to change
     */
    public static HttpSecurity of(ParleyConfig config, Consumer<String> warn) {
        Optional<SSLContext> tls = tls(config);
        Optional<Authenticator> authentication = authentication(config);
        String host = config.getString(HttpKeys.HOST);
        boolean loopback = isLoopback(host);
        boolean none = config.getBoolean(HttpKeys.AUTH_NONE);
        if (none && authentication.isPresent()) {
            throw new ConfigException(
                    HttpKeys.AUTH_NONE + "=true contradicts the configured tokens; remove one of the two settings");
        }
        if (!loopback && authentication.isEmpty() && !none) {
            throw new ConfigException(HttpKeys.HOST + "=" + host
                    + " exposes the API without authentication. Set " + HttpKeys.TOKENS_FILE + " (see parley token), "
                    + HttpKeys.OIDC_ISSUER + " or " + HttpKeys.AUTH_NONE + "=true.");
        }
        if (!loopback && none) {
            warn.accept("Anyone who can reach " + host + " can read the API: " + HttpKeys.AUTH_NONE
                    + "=true requires no token.");
        }
        if (!loopback && authentication.isPresent() && tls.isEmpty()) {
            warn.accept("Tokens for the HTTP API at " + host + " are sent without TLS. Set " + HttpKeys.TLS_KEYSTORE
                    + ", or put a TLS proxy on this machine.");
        }
        RateLimiter rate = new RateLimiter(
                config.getInt(HttpKeys.RATE), config.getInt(HttpKeys.BURST), MAX_CALLERS, System::nanoTime);
        HttpSecurity.Limits limits = new HttpSecurity.Limits(
                config.getInt(HttpKeys.HEADER_BYTES),
                config.getInt(HttpKeys.BODY_BYTES),
                config.getInt(HttpKeys.RESPONSE_BYTES),
                config.getInt(HttpKeys.REQUESTS),
                config.getInt(HttpKeys.CALLER_REQUESTS),
                config.getInt(HttpKeys.WAITING),
                new HttpSecurity.Connections(
                        config.getInt(HttpKeys.CONNECTIONS),
                        config.getInt(HttpKeys.ADDRESS_CONNECTIONS),
                        config.getInt(HttpKeys.HEADER_MS),
                        config.getInt(HttpKeys.BODY_MS),
                        config.getInt(HttpKeys.RESPONSE_MS),
                        config.getInt(HttpKeys.IDLE_MS),
                        config.getInt(HttpKeys.BYTES_PER_SECOND)));
        String prefix = config.getString(HttpKeys.PATH_PREFIX);
        return new HttpSecurity(tls, authentication, rate, limits, peers(config), prefix, hosts(config));
    }

    private static HostNames hosts(ParleyConfig config) {
        List<String> names = new ArrayList<>(config.getList(HttpKeys.HOST_NAMES));
        names.add(config.getString(HttpKeys.HOST));
        Optional.ofNullable(config.getString(ClusterKeys.ADVERTISED))
                .ifPresent(address -> names.add(address.substring(0, address.lastIndexOf(':'))));
        return HostNames.of(names);
    }

    private static Optional<PeerKeys> peers(ParleyConfig config) {
        Password secret = config.getPassword(ClusterKeys.SECRET);
        Password previous = config.getPassword(ClusterKeys.PREVIOUS_SECRET);
        if (secret == null) {
            if (previous != null) {
                throw new ConfigException(ClusterKeys.PREVIOUS_SECRET + " needs " + ClusterKeys.SECRET + " too");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(PeerKeys.of(secret, Optional.ofNullable(previous)));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(ClusterKeys.SECRET
                    + (previous == null ? " " : " or " + ClusterKeys.PREVIOUS_SECRET + " ")
                    + e.getMessage());
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new ConfigException(HttpKeys.HOST, host, "Unknown host");
        }
    }

    /** Reads keystores with Kafka's code, so that they support the same formats as its clients. */
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
            throw new ConfigException("Cannot set up TLS for the HTTP API with " + where + " ("
                    + HttpKeys.TLS_KEYSTORE_TYPE + "=" + config.getString(HttpKeys.TLS_KEYSTORE_TYPE) + "): "
                    + AdminFutures.root(e) + "; check location, type and passwords");
        }
    }

    private static Optional<Authenticator> authentication(ParleyConfig config) {
        List<TokenVerifier> kinds = new ArrayList<>();
        String file = config.getString(HttpKeys.TOKENS_FILE);
        if (file != null) {
            kinds.add(TokenFile.open(Path.of(file), Clock.systemUTC()));
        }
        Optional<OidcSettings> oidc = oidc(config);
        oidc.map(OidcTokens::new).ifPresent(kinds::add);
        SessionSettings sessions = new SessionSettings(
                Duration.ofMillis(config.getLong(HttpKeys.SESSION_IDLE_MS)),
                Duration.ofMillis(config.getLong(HttpKeys.SESSION_LIFETIME_MS)),
                client(config, oidc),
                Clock.systemUTC());
        return kinds.isEmpty() ? Optional.empty() : Optional.of(new Authenticator(kinds, sessions));
    }

    private static Optional<SessionSettings.Client> client(ParleyConfig config, Optional<OidcSettings> oidc) {
        String id = config.getString(HttpKeys.OIDC_CLIENT_ID);
        if (id == null) {
            return Optional.empty();
        }
        OidcSettings settings = oidc.orElseThrow(
                () -> new ConfigException(HttpKeys.OIDC_CLIENT_ID + " needs " + HttpKeys.OIDC_ISSUER + " too"));
        requireProtected(HttpKeys.OIDC_ISSUER, settings.issuer());
        return Optional.of(new SessionSettings.Client(settings, id, config.getString(HttpKeys.OIDC_CLIENT_SCOPE)));
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
                    + HttpKeys.OIDC_KEYS + " must be set together; one of them is missing");
        }
        Map<Role, Set<String>> roles = new EnumMap<>(Role.class);
        Role.GIVEN.forEach(
                role -> roles.put(role, Set.copyOf(config.getList(HttpKeys.OIDC_ROLE_PREFIX + role.text()))));
        return Optional.of(new OidcSettings(
                issuer,
                Set.copyOf(audience),
                requireProtected(HttpKeys.OIDC_KEYS, keys),
                Set.copyOf(config.getList(HttpKeys.OIDC_ALGORITHMS)),
                config.getString(HttpKeys.OIDC_NAME_CLAIM),
                config.getString(HttpKeys.OIDC_ROLES_CLAIM),
                roles,
                Optional.ofNullable(config.getString(HttpKeys.OIDC_NAMESPACES_CLAIM)),
                Duration.ofMillis(config.getLong(HttpKeys.OIDC_SKEW_MS))));
    }

    /** Requires a protected connection, because an attacker who can change responses in transit can forge tokens. */
    private static URI requireProtected(String key, String url) {
        try {
            URI uri = new URI(url);
            boolean loopback = "http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress();
            if (loopback || ("https".equals(uri.getScheme()) && uri.getHost() != null)) {
                return uri;
            }
        } catch (URISyntaxException | UnknownHostException e) {
            throw new ConfigException(key, url, "Value must be a URL: " + e.getMessage());
        }
        throw new ConfigException(key, url, "Value must be an https URL, or http on a loopback address");
    }
}
