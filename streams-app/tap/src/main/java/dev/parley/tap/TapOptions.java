package dev.parley.tap;

import dev.parley.codec.ControlCharacters;
import dev.parley.oidc.JwtRules;
import dev.parley.oidc.JwtVerifier;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Options of a command line, each with its value: {@code --name value} or {@code --name=value}. */
final class TapOptions {
    private static final Pattern OPTION = Pattern.compile("--([a-z-]+) ([A-Za-z|:]+)");
    /** Forms of the values of all options. */
    private static final Map<String, String> FORMS = forms(Tap.USAGE);

    private static final Set<String> RECEIVER = forms(Tap.USAGE.substring(
                    Tap.USAGE.indexOf("Options of the receiver"), Tap.USAGE.indexOf("Options of http")))
            .keySet();
    /** Options of the reverse proxy, with those of all taps. */
    static final Set<String> HTTP = FORMS.keySet();

    /** Options that have no effect without another one, by its name. */
    private static final Map<String, List<String>> DEPENDENT = Map.of(
            "bootstrap-servers", List.of("topic", "command-config"),
            "url", List.of("token-file"),
            "mask", List.of("mask-key-file"),
            "spool", List.of("spool-size"),
            "tls-certificate", List.of("tls-key", "tls-client-ca"),
            "tls-key", List.of("tls-certificate"),
            "oidc-issuer", List.of("oidc-jwks-url"),
            "oidc-audience", List.of("oidc-issuer"),
            "oidc-jwks-url", List.of("oidc-audience"));

    private static final int MAX_MEGABYTES = 1_024;
    private static final int MAX_SPOOL_MEGABYTES = 1 << 20;
    private static final int MAX_SECONDS = 3_600;
    private static final int MAX_NAME_BYTES = 4_096;
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final Map<String, String> values = new LinkedHashMap<>();
    private final int end;

    private static Map<String, String> forms(String usage) {
        Map<String, String> options = new LinkedHashMap<>();
        OPTION.matcher(usage).results().forEach(option -> options.put(option.group(1), option.group(2)));
        return options;
    }

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

    /** The file or directory that an option names; null without it. */
    Path path(String name) {
        return get(name) == null ? null : Path.of(get(name));
    }

    String required(String name) throws UsageException {
        String value = get(name);
        if (value == null) {
            throw new UsageException("--" + name + " " + FORMS.get(name) + " is missing");
        }
        return value;
    }

    /** The options before {@link #end} as arguments, with absolute files: a client starts the tap anywhere. */
    List<String> absolute() {
        List<String> arguments = new ArrayList<>();
        values.forEach((name, value) -> {
            arguments.add("--" + name);
            boolean isFile = FORMS.get(name).matches(".*FILE|DIR") && !value.equals(Masking.DEFAULT);
            arguments.add(isFile ? Path.of(value).toAbsolutePath().toString() : value);
        });
        return arguments;
    }

    /** Checks the options about callers, and fetches the keys of their issuer. */
    Callers callers() throws UsageException, InterruptedException {
        if (get("oidc-issuer") == null) {
            return new Callers(null);
        }
        URI keys = http("oidc-jwks-url");
        try {
            // An attacker who can change the keys in transit can forge tokens.
            if ("https".equals(keys.getScheme())
                    || InetAddress.getByName(keys.getHost()).isLoopbackAddress()) {
                Set<String> audience = Set.copyOf(List.of(get("oidc-audience").split(",")));
                JwtRules rules =
                        new JwtRules(get("oidc-issuer"), audience, Set.copyOf(JwtRules.ALGORITHMS), "sub", SKEW);
                return new Callers(new JwtVerifier(rules, IssuerKeys.fetch(keys.toURL(), IssuerKeys.PAUSE)));
            }
        } catch (UnknownHostException | MalformedURLException e) {
            // The error below says what is allowed.
        }
        throw new UsageException("--oidc-jwks-url must be https, or http on a loopback address, but was " + keys);
    }

    /** Checks the options that all taps have, without reading files of rules. */
    TapOptions check() throws UsageException {
        for (String name : values.keySet()) {
            for (Map.Entry<String, List<String>> other : DEPENDENT.entrySet()) {
                if (other.getValue().contains(name) && get(other.getKey()) == null) {
                    throw new UsageException("--" + name + " requires --" + other.getKey());
                }
            }
        }
        receiver();
        headers();
        senders();
        blocks();
        bufferBytes();
        flush();
        spoolBytes();
        return this;
    }

    /** Checks the options of the receiver, and returns what opens it. */
    Receiver.Opener receiver() throws UsageException {
        String brokers = get("bootstrap-servers");
        if ((brokers == null) == (get("url") == null)) {
            throw new UsageException("the receiver must be --bootstrap-servers HOST:PORT or --url URL of Parley");
        }
        if (brokers != null) {
            String topic = values.getOrDefault("topic", "parley.wire");
            Properties settings = settings();
            return () -> new KafkaReceiver(brokers, topic, settings);
        }
        URI wire = URI.create(http("url").toString().replaceFirst("/$", "") + "/v1/wire");
        Path token = path("token-file");
        if (token != null && !Files.isReadable(token)) {
            throw new UsageException("--token-file " + token + " is not a readable file");
        }
        return () -> new HttpReceiver(wire.toURL(), token);
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

    /** An address of HTTP without user, query and fragment. */
    URI http(String option) throws UsageException {
        String text = required(option);
        try {
            URI url = new URI(text);
            if (text.matches("https?://[^/@?#]+(/[^?#]*)?") && url.getHost() != null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // The error below says what is allowed.
        }
        throw new UsageException("--" + option
                + " must be http://HOST[:PORT][/PATH] or https://..., without user, query and fragment, but was "
                + text);
    }

    /** A name for the receiver and the namespace in it. */
    String destination() {
        List<String> names = List.of("url", "bootstrap-servers", "topic", "namespace");
        String destination = names.stream().map(values::get).toList().toString();
        return UUID.nameUUIDFromBytes(Captured.utf8(destination)).toString();
    }

    /** The headers of all records. */
    Map<String, String> headers() throws UsageException {
        String namespace = name("namespace");
        return namespace == null
                ? Map.of("parley-protocol", "mcp")
                : Map.of("parley-protocol", "mcp", "parley-namespace", namespace);
    }

    /** Names of the two sides, as {@code parley-sender}; null without the option. */
    Map<Direction, String> senders() throws UsageException {
        Map<Direction, String> senders = new EnumMap<>(Direction.class);
        senders.put(Direction.CLIENT_TO_SERVER, name("client"));
        senders.put(Direction.SERVER_TO_CLIENT, name("server"));
        return senders;
    }

    /** Whether a text may be the name of a side. */
    static boolean isName(String text) {
        return !text.isEmpty() && Captured.utf8(text).length <= MAX_NAME_BYTES && !ControlCharacters.isIn(text);
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
        if (path("state") != null) {
            return path("state");
        }
        String base = System.getenv("XDG_STATE_HOME");
        return base != null && base.startsWith("/")
                ? Path.of(base, "parley-tap")
                : Path.of(System.getProperty("user.home"), ".local", "state", "parley-tap");
    }
}
