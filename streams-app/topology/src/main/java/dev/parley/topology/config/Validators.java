package dev.parley.topology.config;

import dev.parley.codec.json.MaskRules;
import dev.parley.protocol.TopicNames;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;

/** Validators of values whose errors would otherwise show only when the brokers or the registry refuse them. */
public final class Validators {
    /** The longest internal topic adds less than 100 characters, and Kafka allows 249. */
    private static final int MAX_APPLICATION_ID = 150;

    private static final int MAX_PORT = 65_535;
    private static final Set<String> SCHEMES = Set.of("http", "https", "mock");

    private Validators() {}

    /** A prefix of topic names. */
    public static ConfigDef.Validator topicPrefix() {
        return text(
                "letters, digits, '_' and '.', starting with a letter or digit and ending with one '.', at most "
                        + TopicNames.MAX_PREFIX,
                TopicNames::isPrefix);
    }

    /** A prefix of the names of internal topics, or null for the default. */
    public static ConfigDef.Validator applicationId() {
        return text(
                "a non-empty string of letters, digits, '.', '_' and '-', at most " + MAX_APPLICATION_ID,
                id -> id.length() <= MAX_APPLICATION_ID && TopicNames.isLegal(id));
    }

    /** Segments of a path, each after a slash; or none. */
    public static ConfigDef.Validator pathPrefix() {
        return text(
                "empty, or path segments of letters, digits, '-' and '_', each after a '/', such as /parley",
                path -> path.matches("(/[A-Za-z0-9_-]+)*"));
    }

    /** Rules of {@link MaskRules}. The error does not repeat the value. */
    public static ConfigDef.Validator maskRules() {
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    try {
                        MaskRules.parse((String) value);
                    } catch (IllegalArgumentException e) {
                        throw new ConfigException(name + ": " + e.getMessage());
                    }
                },
                () -> "default, key:NAME, path:$.NAME, pattern:REGEX and keep:$.NAME, separated by spaces");
    }

    /** A non-empty list of host:port without duplicates. */
    public static ConfigDef.Validator hostsAndPorts() {
        return of("a list of host:port that is not empty and has no duplicates", value -> {
            List<?> addresses = (List<?>) value;
            return !addresses.isEmpty()
                    && new HashSet<>(addresses).size() == addresses.size()
                    && addresses.stream().allMatch(address -> isHostAndPort(String.valueOf(address)));
        });
    }

    /** A number, or -1 for the brokers' or Parley's own choice. */
    static ConfigDef.Validator minusOneOrAtLeast(long minimum) {
        return of("-1 or at least " + minimum, value -> {
            long number = ((Number) value).longValue();
            return number == -1 || number >= minimum;
        });
    }

    /** One or more URLs with http or https, separated by commas. */
    public static ConfigDef.Validator httpUrls() {
        return text(
                "one or more non-empty http or https URLs, separated by commas",
                urls -> Arrays.stream(urls.split(",", -1)).allMatch(url -> isUri(url.strip(), Validators::isRegistry)));
    }

    /** An http or https URL without credentials, query and fragment; or null. The error does not repeat the value. */
    public static ConfigDef.Validator optionalHttpBase() {
        String allowed = "an http or https URL without credentials, query and fragment";
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    if (value != null && !isUri((String) value, Validators::isHttpBase)) {
                        throw new ConfigException(name + " must be " + allowed);
                    }
                },
                () -> allowed);
    }

    /** host:port, or null for the default. */
    public static ConfigDef.Validator optionalHostAndPort() {
        return text("host:port", Validators::isHostAndPort);
    }

    private static ConfigDef.Validator text(String allowed, Predicate<String> valid) {
        return of(allowed, value -> valid.test((String) value));
    }

    private static ConfigDef.Validator of(String allowed, Predicate<Object> valid) {
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    if (value != null && !valid.test(value)) {
                        throw new ConfigException(name, value, "Value must be " + allowed);
                    }
                },
                () -> allowed);
    }

    private static boolean isHostAndPort(String address) {
        String host = Utils.getHost(address);
        Integer port = Utils.getPort(address);
        return host != null && !host.isEmpty() && port != null && port >= 0 && port <= MAX_PORT;
    }

    /** Whether a text is an http or https URL without credentials, query and fragment. */
    public static boolean isHttpBase(String url) {
        return isUri(url, Validators::isHttpBase);
    }

    private static boolean isHttpBase(URI uri) {
        return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                && uri.getHost() != null
                && uri.getRawUserInfo() == null
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
    }

    private static boolean isRegistry(URI uri) {
        return uri.getScheme() != null && SCHEMES.contains(uri.getScheme()) && uri.getRawAuthority() != null;
    }

    private static boolean isUri(String text, Predicate<URI> valid) {
        try {
            return valid.test(new URI(text));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
