package dev.parley.server.witness;

import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.Validators;
import dev.parley.topology.pipeline.LogHeadSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * The witnesses of a deployment.
 *
 * @param witnesses at most 32
 * @param quorum number of witnesses that must have cosigned a head before it is served; 0 to serve each head at once
 * @param origin identity of the deployment
 */
record WitnessSettings(List<Endpoint> witnesses, int quorum, String origin) {
    private static final int MAX_WITNESSES = 32;
    private static final String FORM = "Each witness must be its verifier key, a space, and its http or https URL"
            + " without query, such as 'witness.example/w1+a1b2c3d4+BASE64 https://witness.example'.";

    /**
     * One witness.
     *
     * @param url submission and monitoring prefix, without a slash at the end
     */
    record Endpoint(VerifierKey key, String url) {
        String name() {
            return key.name();
        }
    }

    /**
     * Reads the settings.
     *
     * @throws ConfigException if a value is not allowed
     */
    static WitnessSettings of(ParleyConfig config) {
        List<String> values = config.getList(WitnessFeature.WITNESSES);
        if (values.size() > MAX_WITNESSES) {
            throw new ConfigException(
                    WitnessFeature.WITNESSES, values.size(), "There must be at most " + MAX_WITNESSES + ".");
        }
        List<Endpoint> witnesses = new ArrayList<>();
        for (String value : values) {
            witnesses.add(endpoint(value, "witness " + (witnesses.size() + 1) + ": "));
        }
        WitnessSettings settings = new WitnessSettings(
                List.copyOf(witnesses), config.getInt(WitnessFeature.QUORUM), LogHeadSettings.originOf(config));
        try {
            settings.policy();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    WitnessFeature.WITNESSES + " and " + WitnessFeature.QUORUM + ": " + e.getMessage());
        }
        return settings;
    }

    /** Reads one value, which no message contains: a URL may have a password. */
    private static Endpoint endpoint(String value, String which) {
        int space = value.indexOf(' ');
        String key = space < 0 ? value : value.substring(0, space);
        Optional<String> url =
                Optional.of(value.substring(key.length()).strip()).filter(Validators::isHttpBase);
        if (url.isEmpty()) {
            throw new ConfigException(WitnessFeature.WITNESSES + ": " + which + FORM);
        }
        try {
            String prefix = url.get();
            return new Endpoint(
                    VerifierKey.parse(key), prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix);
        } catch (TlogFormatException e) {
            throw new ConfigException(WitnessFeature.WITNESSES + ": " + which + e.getMessage() + ". " + FORM);
        }
    }

    /** The policy for a stored head: at least one cosignature, if there are witnesses. */
    WitnessPolicy policy() {
        int required = witnesses.isEmpty() ? quorum : Math.max(1, quorum);
        return new WitnessPolicy(witnesses.stream().map(Endpoint::key).toList(), required);
    }
}
