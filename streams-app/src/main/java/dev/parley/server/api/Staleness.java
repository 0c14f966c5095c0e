package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;

/** Reports the lag of standbys in an answer. */
final class Staleness {

    /** Header with the total lag of the standbys, in changes. */
    static final String HEADER = "Parley-Staleness";

    private Staleness() {}

    /** Puts the lags of standbys into a body; nothing if there are none. */
    static void put(ObjectNode body, SortedMap<Integer, Long> lags) {
        if (!lags.isEmpty()) {
            ObjectNode staleness = body.putObject("staleness").put("records", records(lags));
            ArrayNode each = staleness.putArray("partitions");
            lags.forEach((partition, lag) ->
                    each.addObject().put("partition", partition).put("records", lag));
        }
    }

    /** The header; none if there are no lags. */
    static Map<String, String> header(SortedMap<Integer, Long> lags) {
        return lags.isEmpty() ? Map.of() : Map.of(HEADER, Long.toString(records(lags)));
    }

    private static long records(SortedMap<Integer, Long> lags) {
        return lags.values().stream().mapToLong(Long::longValue).sum();
    }
}
