package dev.parley.log;

import dev.parley.codec.Decimal;
import dev.parley.log.tlog.VerifierKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The logs of deployments and their keys, by the origins of their heads: {@code <deployment>/<partition>}. */
public final class TrustedLogs implements Function<String, List<VerifierKey>> {
    /** Maximum number of logs of a deployment, so that its key cannot make a witness store any number of heads. */
    static final int MAX_PARTITIONS = 10_000;

    private final Map<String, List<VerifierKey>> keys = new LinkedHashMap<>();

    /**
     * Creates the logs.
     *
     * @param keys keys, each with the name of its deployment
     */
    public TrustedLogs(List<VerifierKey> keys) {
        keys.forEach(key ->
                this.keys.computeIfAbsent(key.name(), name -> new ArrayList<>()).add(key));
    }

    /** The keys that sign the heads of an origin; empty if it is not one of the logs. */
    @Override
    public List<VerifierKey> apply(String origin) {
        long partition = Decimal.parse(origin.substring(origin.lastIndexOf('/') + 1), MAX_PARTITIONS - 1);
        String deployment = LogNotes.deploymentOf(origin);
        // A number has one form, or one partition would have several logs.
        return partition != Decimal.NONE
                        && LogNotes.originOf(deployment, (int) partition).equals(origin)
                ? keys.getOrDefault(deployment, List.of())
                : List.of();
    }
}
