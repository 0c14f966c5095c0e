package dev.parley.server.api.view;

import dev.parley.json.model.Stale;
import java.util.Map;
import java.util.SortedMap;

/** Reports the lag of standbys in an answer. */
final class Staleness {

    /** Header with the total lag of the standbys, in changes. */
    static final String HEADER = "Parley-Staleness";

    private Staleness() {}

    /** Adds the lags of standbys to a result; returns it unchanged if there are none. */
    static Object in(Object result, SortedMap<Integer, Long> lags) {
        return lags.isEmpty()
                ? result
                : new Stale(
                        result,
                        new Stale.Staleness(
                                records(lags),
                                lags.entrySet().stream()
                                        .map(lag -> new Stale.Partition(lag.getKey(), lag.getValue()))
                                        .toList()));
    }

    /** The header; none if there are no lags. */
    static Map<String, String> header(SortedMap<Integer, Long> lags) {
        return lags.isEmpty() ? Map.of() : Map.of(HEADER, Long.toString(records(lags)));
    }

    private static long records(SortedMap<Integer, Long> lags) {
        return lags.values().stream().mapToLong(Long::longValue).sum();
    }
}
