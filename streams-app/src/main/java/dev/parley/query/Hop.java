package dev.parley.query;

import dev.parley.audit.InputPosition;
import dev.parley.query.Peers.Reply;
import io.javalin.http.Context;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How processes talk to each other: the headers of a question that one passes on, and those of the answer. Internal: their form may change with any version. */
final class Hop {

    /** The {@link PeerAssertion} of a request. */
    static final String PEER = "Parley-Peer";

    static final String PARTITIONS = "Parley-Peer-Partitions";
    static final String LAGS = "Parley-Peer-Lags";
    static final String SHOWN = "Parley-Peer-Shown";

    private Hop() {}

    /** Whether a peer asks; {@link PeerHandler} has authenticated it. */
    static boolean is(Context request) {
        return assertion(request).isPresent();
    }

    static Optional<PeerAssertion> assertion(Context request) {
        Object verified = request.attribute(PeerHandler.attribute());
        return PeerHandler.assertion(verified);
    }

    /** Partitions of which copies do. */
    static SortedSet<Integer> copies(Context request) {
        return numbers(assertion(request).map(PeerAssertion::standbys).orElse(null));
    }

    static Set<InputPosition> atLeast(Context request) {
        return positions(assertion(request).map(PeerAssertion::atLeast).orElse(null));
    }

    /** Says beside the answer what it is of. */
    static void tell(Context request, Reply reply) {
        tell(request, reply.shown());
        request.header(PARTITIONS, text(reply.partitions()))
                .header(
                        LAGS,
                        reply.lags().entrySet().stream()
                                .map(lag -> lag.getKey() + "=" + lag.getValue())
                                .collect(Collectors.joining(",")));
    }

    /** Says what is shown of what must be. */
    static void tell(Context request, Set<InputPosition> shown) {
        request.header(SHOWN, text(shown));
    }

    /**
     * An answer as it came.
     *
     * @param header one header of it
     */
    static Reply reply(
            int status, Map<String, String> shownHeaders, byte[] body, Function<String, Optional<String>> header) {
        SortedMap<Integer, Long> lags = new TreeMap<>();
        split(header.apply(LAGS).orElse(null)).forEach(lag -> {
            int equals = lag.indexOf('=');
            lags.put(Integer.valueOf(lag.substring(0, equals)), Long.valueOf(lag.substring(equals + 1)));
        });
        return new Reply(
                status,
                shownHeaders,
                body,
                numbers(header.apply(PARTITIONS).orElse(null)),
                lags,
                positions(header.apply(SHOWN).orElse(null)));
    }

    static String text(Set<?> things) {
        return things.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    private static SortedSet<Integer> numbers(String text) {
        try {
            return split(text).map(Integer::valueOf).collect(Collectors.toCollection(TreeSet::new));
        } catch (NumberFormatException e) {
            throw Problem.of(Problem.Code.INVALID_REQUEST, "The partitions of a peer's request must be numbers.");
        }
    }

    private static Set<InputPosition> positions(String text) {
        return split(text)
                .map(InputPosition::parse)
                .flatMap(Optional::stream)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<String> split(String text) {
        return text == null || text.isEmpty() ? Stream.empty() : Stream.of(text.split(","));
    }
}
