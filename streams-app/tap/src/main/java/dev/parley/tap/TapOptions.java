package dev.parley.tap;

import dev.parley.oidc.JwtRules;
import dev.parley.oidc.JwtVerifier;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** Options of a command line, each with its value: {@code --name value} or {@code --name=value}. */
final class TapOptions {
    private static final Set<String> RECEIVER = Set.of(
            "bootstrap-servers",
            "topic",
            "command-config",
            "url",
            "token-file",
            "namespace",
            "client",
            "server",
            "on-outage",
            "buffer",
            "flush",
            "state",
            "mask",
            "mask-key-file",
            "spool",
            "spool-size");
    /** Further options of the reverse proxy. */
    static final Set<String> HTTP = Set.of(
            "listen",
            "to",
            "tls-certificate",
            "tls-key",
            "tls-client-ca",
            "ca",
            "oidc-issuer",
            "oidc-audience",
            "oidc-jwks-url");

    private static final Set<String> FILES =
            Set.of("token-file", "command-config", "state", "spool", "mask", "mask-key-file");
    private static final int MAX_MEGABYTES = 1_024;
    private static final int MAX_SPOOL_MEGABYTES = 1 << 20;
    private static final int MAX_SECONDS = 3_600;
    private static final int MAX_NAME_BYTES = 4_096;
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final Map<String, String> values = new LinkedHashMap<>();
    private final int end;

    /**
     * Reads the options from an index up to the first argument that is none, or after {@code --}.
     *
     * @param more names of options beyond those of all taps
     */
    TapOptions(List<String> arguments, int from, Set<String> more) throws UsageException {
        int i = from;
        while (i < arguments.size()
                && arguments.get(i).startsWith("--")
                && arguments.get(i).length() > 2) {
            String argument = arguments.get(i++).substring(2);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (!RECEIVER.contains(name) && !more.contains(name)) {
                throw new UsageException("unknown option --" + name);
            }
            if (equals < 0 && i == arguments.size()) {
                throw new UsageException("--" + name + " must have a value");
            }
            String value = equals < 0 ? arguments.get(i++) : argument.substring(equals + 1);
            if (value.isEmpty() || values.put(name, value) != null) {
                throw new UsageException("--" + name + " must be given once, with a value");
            }
        }
        this.end = i < arguments.size() && arguments.get(i).equals("--") ? i + 1 : i;
    }

    /** Index of the first argument after the options. */
    int end() {
        return end;
    }

    /** The value of an option; null without it. */
    String get(String name) {
        return values.get(name);
    }

    String required(String name, String form) throws UsageException {
        String value = get(name);
        if (value == null) {
            throw new UsageException("--" + name + " " + form + " is missing");
        }
        return value;
    }

    /** The options before {@link #end} as arguments, with absolute files: a client starts the tap anywhere. */
    List<String> absolute() {
        List<String> arguments = new ArrayList<>();
        values.forEach((name, value) -> {
            arguments.add("--" + name);
            boolean isFile = FILES.contains(name) && !value.equals(Masking.DEFAULT);
            arguments.add(isFile ? Path.of(value).toAbsolutePath().toString() : value);
        });
        return arguments;
    }

    /** Checks the options about callers, and fetches the keys of their issuer. */
    Callers callers() throws UsageException, InterruptedException {
        String issuer = get("oidc-issuer");
        String audience = get("oidc-audience");
        String url = get("oidc-jwks-url");
        if (issuer == null && audience == null && url == null) {
            return new Callers(null);
        }
        if (issuer == null || audience == null || url == null) {
            throw new UsageException("--oidc-issuer, --oidc-audience and --oidc-jwks-url must be given together");
        }
        try {
            URI keys = http("oidc-jwks-url", url);
            // An attacker who can change the keys in transit can forge tokens.
            if ("https".equals(keys.getScheme())
                    || InetAddress.getByName(keys.getHost()).isLoopbackAddress()) {
                JwtRules rules = new JwtRules(
                        issuer, Set.copyOf(List.of(audience.split(","))), Set.copyOf(JwtRules.ALGORITHMS), "sub", SKEW);
                return new Callers(new JwtVerifier(rules, IssuerKeys.fetch(keys.toURL(), IssuerKeys.PAUSE)));
            }
        } catch (UnknownHostException | MalformedURLException e) {
            // The error below says what is allowed.
        }
        throw new UsageException("--oidc-jwks-url must be https, or http on a loopback address, but was " + url);
    }

    /** Checks the options of the receiver, and returns what opens it. */
    Receiver.Opener receiver() throws UsageException {
        String brokers = get("bootstrap-servers");
        String url = get("url");
        if ((brokers == null) == (url == null)) {
            throw new UsageException("the receiver must be --bootstrap-servers HOST:PORT or --url URL of Parley");
        }
        for (String name : brokers == null ? List.of("topic", "command-config") : List.of("token-file")) {
            if (get(name) != null) {
                throw new UsageException(
                        "--" + name + " requires --" + (brokers == null ? "bootstrap-servers" : "url"));
            }
        }
        if (brokers != null) {
            String topic = values.getOrDefault("topic", "parley.wire");
            Properties settings = settings();
            return () -> new KafkaReceiver(brokers, topic, settings);
        }
        URL wire = wire(http("url", url));
        Path token = get("token-file") == null ? null : Path.of(get("token-file"));
        if (token != null && !Files.isReadable(token)) {
            throw new UsageException("--token-file " + token + " is not a readable file");
        }
        return () -> new HttpReceiver(wire, token);
    }

    private Properties settings() throws UsageException {
        Properties settings = new Properties();
        String file = get("command-config");
        if (file != null) {
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                settings.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new UsageException("--command-config " + file + " cannot be read: " + Console.reason(e));
            }
        }
        String compression = settings.getProperty("compression.type", "none");
        if (!Set.of("none", "gzip").contains(compression)) {
            throw new UsageException("compression.type in " + file + " must be none or gzip, but was " + compression);
        }
        return settings;
    }

    private static URL wire(URI url) throws UsageException {
        String text = url.toString();
        try {
            return new URL((text.endsWith("/") ? text.substring(0, text.length() - 1) : text) + "/v1/wire");
        } catch (MalformedURLException e) {
            throw new UsageException("--url must be an address such as http://127.0.0.1:7080, but was " + text);
        }
    }

    /** An address of HTTP without user, query and fragment. */
    static URI http(String option, String text) throws UsageException {
        try {
            URI url = new URI(text);
            boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (isHttp
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // The error below says what is allowed.
        }
        throw new UsageException("--" + option
                + " must be http://HOST[:PORT][/PATH] or https://..., without user, query and fragment, but was "
                + text);
    }

    /** The headers of all records. */
    Map<String, String> headers() throws UsageException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("parley-protocol", "mcp");
        if (name("namespace") != null) {
            headers.put("parley-namespace", name("namespace"));
        }
        return headers;
    }

    /** Names of the two sides, as {@code parley-sender}; none without the option. */
    Map<Direction, String> senders() throws UsageException {
        Map<Direction, String> senders = new LinkedHashMap<>();
        if (name("client") != null) {
            senders.put(Direction.CLIENT_TO_SERVER, name("client"));
        }
        if (name("server") != null) {
            senders.put(Direction.SERVER_TO_CLIENT, name("server"));
        }
        return senders;
    }

    /** Whether a text may be the name of a side. */
    static boolean isName(String text) {
        return !text.isEmpty()
                && Captured.utf8(text).length <= MAX_NAME_BYTES
                && text.chars().noneMatch(Character::isISOControl);
    }

    private String name(String option) throws UsageException {
        String value = get(option);
        if (value != null && !isName(value)) {
            throw new UsageException(
                    "--" + option + " must have at most " + MAX_NAME_BYTES + " bytes, without control characters");
        }
        return value;
    }

    /** Whether traffic waits while the receiver is away. */
    boolean blocks() throws UsageException {
        String value = values.getOrDefault("on-outage", "pass");
        if (!Set.of("pass", "block").contains(value)) {
            throw new UsageException("--on-outage must be pass or block, but was " + value);
        }
        return value.equals("block");
    }

    /** Maximum memory of the records, in bytes. */
    long bufferBytes() throws UsageException {
        return (long) number("buffer", 8, 4, MAX_MEGABYTES) << 20;
    }

    /** Maximum wait for the receiver at the end. */
    Duration flush() throws UsageException {
        return Duration.ofSeconds(number("flush", 5, 0, MAX_SECONDS));
    }

    /** Directory of records that are not delivered yet; null without one. */
    Path spool() throws UsageException {
        if (get("spool") == null && get("spool-size") != null) {
            throw new UsageException("--spool-size requires --spool");
        }
        return get("spool") == null ? null : Path.of(get("spool"));
    }

    /** Maximum bytes of the spool. */
    long spoolBytes() throws UsageException {
        return (long) number("spool-size", 256, 16, MAX_SPOOL_MEGABYTES) << 20;
    }

    private int number(String option, int otherwise, int min, int max) throws UsageException {
        String value = get(option);
        try {
            int number = value == null ? otherwise : Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The error below says what is allowed.
        }
        throw new UsageException(
                "--" + option + " must be an integer from " + min + " to " + max + ", but was " + value);
    }

    /** Directory of the files of sessions. */
    Path state() {
        String state = get("state");
        if (state != null) {
            return Path.of(state);
        }
        String base = System.getenv("XDG_STATE_HOME");
        return base != null && base.startsWith("/")
                ? Path.of(base, "parley-tap")
                : Path.of(System.getProperty("user.home"), ".local", "state", "parley-tap");
    }
}
