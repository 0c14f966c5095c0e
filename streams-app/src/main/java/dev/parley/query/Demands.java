package dev.parley.query;

import dev.parley.audit.InputPosition;
import dev.parley.topology.Topics;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How fresh a caller wants an answer.
 *
 * @param stale whether a copy that lags does where the owner cannot answer
 * @param atLeast the answer must show these records of the input
 */
record Demands(boolean stale, Set<InputPosition> atLeast) {

    static final String STALE = "stale";
    static final String AT_LEAST = "at-least";

    private static final int MOST_POSITIONS = 64;
    private static final String TAKEN = Demands.class.getName();
    private static final String TARGET = Demands.class.getName() + ".target";

    /** Copies the set, in its order. */
    Demands {
        atLeast = new LinkedHashSet<>(atLeast);
    }

    /** What the parameters of a request say. {@link Parameters} then allows them on it. */
    static Demands of(Context request) {
        request.attribute(TAKEN, true);
        List<String> stale = request.queryParams(STALE);
        if (stale.size() > 1 || stale.size() == 1 && !stale.get(0).equals("ok")) {
            throw Parameters.invalid(STALE, "is not ok");
        }
        List<String> texts = request.queryParams(AT_LEAST);
        if (texts.size() > MOST_POSITIONS) {
            throw Parameters.invalid(AT_LEAST, "stands more than " + MOST_POSITIONS + " times");
        }
        Set<InputPosition> positions = new LinkedHashSet<>();
        for (String text : texts) {
            positions.add(InputPosition.parse(text)
                    .filter(position -> Topics.mayBeRead(position.topic()))
                    .orElseThrow(() -> Parameters.invalid(
                            AT_LEAST,
                            "is no place in an input topic: topic-partition@offset, like " + Topics.WIRE + "-0@42")));
        }
        return new Demands(!stale.isEmpty(), positions);
    }

    /** Whether the parameters of a request were taken here. */
    static boolean taken(Context request) {
        return Boolean.TRUE.equals(request.attribute(TAKEN));
    }

    /** Makes another path the {@link #target} of a request: one where a peer is to be asked something else than the caller has. */
    static void aim(Context request, String target) {
        request.attribute(TARGET, target);
    }

    /** Path and query of a request without these parameters, as they came. */
    static String target(Context request) {
        String aimed = request.attribute(TARGET);
        if (aimed != null) {
            return aimed;
        }
        String query = request.req().getQueryString();
        List<String> kept = new ArrayList<>();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            String name = pair.substring(0, pair.indexOf('=') < 0 ? pair.length() : pair.indexOf('='));
            if (!name.isEmpty() && !name.equals(STALE) && !name.equals(AT_LEAST)) {
                kept.add(pair);
            }
        }
        String path = request.req().getRequestURI();
        return kept.isEmpty() ? path : path + '?' + String.join("&", kept);
    }
}
