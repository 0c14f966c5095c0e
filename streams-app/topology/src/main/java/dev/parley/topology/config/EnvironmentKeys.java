package dev.parley.topology.config;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/** Finds environment variables that look like configuration keys and are not, so that a typing error is not ignored. */
final class EnvironmentKeys {
    private static final String KAFKA = ParleyConfig.VARIABLE_PREFIX + "KAFKA_";
    private static final String REGISTRY = ParleyConfig.VARIABLE_PREFIX + "SCHEMA_REGISTRY_";

    /** Variables of the launcher, the logs, the commands and docker-compose.yml. */
    private static final Set<String> OTHERS = Set.of(
            "PARLEY_CONFIG",
            "PARLEY_HOME",
            "PARLEY_IMAGE",
            "PARLEY_LOG",
            "PARLEY_LOG_FORMAT",
            "PARLEY_LOG_KAFKA",
            "PARLEY_LOG_OTHERS",
            "PARLEY_OPTS",
            "PARLEY_PORT",
            "PARLEY_PREFIX",
            "PARLEY_TOKEN",
            "PARLEY_URL");

    /** Kubernetes sets these in every pod for a service whose name starts with "parley". */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("PARLEY_(?:.*_)?(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT_\\d+_(?:TCP|UDP|SCTP)(?:_.*)?)");

    private static final String URL_OF_KUBERNETES = "tcp://";

    private EnvironmentKeys() {}

    /**
     * Checks the names of the variables.
     *
     * @throws ConfigException if one starts with PARLEY_ and is unknown; the message suggests a known one
     */
    static void check(Map<String, String> environment, Collection<String> keys) {
        Set<String> known = new TreeSet<>(OTHERS);
        keys.forEach(key -> known.add(ParleyConfig.variable(key)));
        new TreeMap<>(environment).forEach((variable, value) -> {
            boolean concernsParley = variable.startsWith(ParleyConfig.VARIABLE_PREFIX)
                    && !variable.startsWith(KAFKA)
                    && !variable.startsWith(REGISTRY);
            if (concernsParley && !known.contains(variable) && !isOfKubernetes(variable, value)) {
                throw new ConfigException("Unknown environment variable " + variable
                        + NearestNames.didYouMean(
                                variable,
                                known,
                                "; variables that start with PARLEY_ must name a configuration key;"
                                        + " docs/configuration.md lists them"));
            }
        });
    }

    private static boolean isOfKubernetes(String variable, String value) {
        return OF_KUBERNETES.matcher(variable).matches()
                || variable.endsWith("_PORT") && value.startsWith(URL_OF_KUBERNETES);
    }
}
