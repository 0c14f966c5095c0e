package dev.parley.query.api;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.codec.Decimal;
import dev.parley.query.cluster.PeerRequest;
import dev.parley.query.cluster.ReadConsistency;
import dev.parley.query.cluster.Routing;
import dev.parley.query.http.ProblemException;
import dev.parley.query.read.Cursor;
import dev.parley.topology.setup.Topics;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;

/**
 * The query parameters of one request, checked: an unknown one, one that stands twice, or a value that is not allowed
 * is a problem.
 */
final class Parameters {

    static final int DEFAULT_LIMIT = 100;
    static final int MAX_LIMIT = PeerRequest.MAX_LIMIT;

    static final String LIMIT = "limit";
    static final String CURSOR = "cursor";

    /** Parameters of every request that {@link Routing} answers: {@link ReadConsistency}. */
    static final String STALE = "stale";

    static final String AT_LEAST = "at-least";

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = values;
    }

    static Parameters of(Context request, String... allowed) {
        return of(values(request), new TreeSet<>(Arrays.asList(allowed)));
    }

    static Parameters of(ViewRequest request, String... allowed) {
        Set<String> names = new TreeSet<>(Arrays.asList(allowed));
        names.addAll(List.of(AT_LEAST, STALE));
        return of(request.parameters(), names);
    }

    private static Parameters of(Map<String, String> values, Set<String> names) {
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw invalid(
                        name,
                        "is unknown here; allowed "
                                + (names.isEmpty() ? "is none" : "are " + String.join(", ", names)));
            }
        }
        return new Parameters(values);
    }

    /** The first value of each parameter; only {@value #AT_LEAST} may have more. */
    static Map<String, String> values(Context request) {
        Map<String, String> values = new LinkedHashMap<>();
        request.queryParamMap().forEach((name, texts) -> {
            if (texts.size() > 1 && !name.equals(AT_LEAST)) {
                throw invalid(name, "stands more than once");
            }
            values.put(name, texts.get(0));
        });
        return values;
    }

    /** The page of a list that a request asks for. */
    record Page(Optional<Bytes> after, int limit) {}

    static Page page(Map<String, String> values) {
        Parameters parameters = new Parameters(values);
        return new Page(parameters.text(CURSOR).map(Cursor::key), parameters.limit());
    }

    /** How fresh the answer to a request must be. */
    static ReadConsistency consistency(Context request) {
        List<String> stale = request.queryParams(STALE);
        if (stale.size() > 1 || stale.size() == 1 && !stale.get(0).equals("ok")) {
            throw invalid(STALE, "is not ok");
        }
        List<String> texts = request.queryParams(AT_LEAST);
        if (texts.size() > PeerRequest.MAX_POSITIONS) {
            throw invalid(AT_LEAST, "stands more than " + PeerRequest.MAX_POSITIONS + " times");
        }
        Set<InputPosition> positions = new LinkedHashSet<>();
        for (String text : texts) {
            positions.add(InputPosition.parse(text)
                    .filter(position -> Topics.isPossibleSource(position.topic()))
                    .orElseThrow(() -> invalid(
                            AT_LEAST,
                            "is no place in an input topic: topic-partition@offset, like " + Topics.WIRE + "-0@42")));
        }
        return new ReadConsistency(!stale.isEmpty(), positions);
    }

    /** The value; an empty one is as absent. */
    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }

    String required(String name, String meaning) {
        return text(name).orElseThrow(() -> invalid(name, "is missing: " + meaning));
    }

    int limit() {
        return text(LIMIT).map(text -> (int) number(LIMIT, text, 1, MAX_LIMIT)).orElse(DEFAULT_LIMIT);
    }

    /** Whether a parameter is true; absent is false. */
    boolean flag(String name) {
        return text(name)
                .map(text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw invalid(name, "must be true or false");
                })
                .orElse(false);
    }

    Optional<String> cursor() {
        return text(CURSOR);
    }

    Optional<Long> from() {
        return text("from").map(text -> number("from", text, 0, Long.MAX_VALUE));
    }

    Optional<Protocol> protocol() {
        return text("protocol").map(text -> oneOf("protocol", text, List.of(Protocol.values())));
    }

    /** The protocol that the path of a request names. */
    static Protocol protocol(ViewRequest request) {
        return oneOf("protocol", request.pathParam("protocol"), List.of(Protocol.values()));
    }

    /** The symbol of that name, in any case. */
    static <E extends Enum<E>> E oneOf(String name, String text, List<E> allowed) {
        return allowed.stream()
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> invalid(
                        name, "is none of " + allowed.stream().map(Enum::name).collect(Collectors.joining(", "))));
    }

    static ProblemException invalid(String name, String what) {
        return ProblemException.of(ProblemException.Code.INVALID_PARAMETER, "Parameter " + name + " " + what + ".");
    }

    /** A whole number in decimal digits within bounds. */
    static long number(String name, String text, long min, long max) {
        String allowed = "is no whole number from " + min + (max == Long.MAX_VALUE ? " up" : " to " + max);
        long number = Decimal.parse(text, max);
        if (number == Decimal.NONE || number < min) {
            throw invalid(name, allowed);
        }
        return number;
    }
}
