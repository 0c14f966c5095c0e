package dev.parley.server.api.view;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.codec.Decimal;
import dev.parley.codec.Excerpt;
import dev.parley.protocol.TopicNames;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.ReadConsistency;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.state.TimeText;
import dev.parley.topology.config.NearestNames;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.Cursor;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;

/** The validated query parameters of one request. Unknown, repeated and invalid ones are problems. */
public final class Parameters {

    static final int DEFAULT_LIMIT = 100;
    public static final int MAX_LIMIT = PeerRequest.MAX_LIMIT;

    /** Parameter of every list: maximum number of items. */
    public static final String LIMIT = "limit";
    /** Parameter of every list: where it continues. */
    public static final String CURSOR = "cursor";

    /** Parameter of every route that reads views: whether standbys may answer, see {@link ReadConsistency}. */
    public static final String STALE = "stale";

    /** Parameter of every route that reads views: input positions that must be visible. */
    public static final String AT_LEAST = "at-least";

    private static final int NEAREST_CODES = 3;
    /** No code is longer. */
    private static final int MAX_CODE = 64;

    private static final List<String> CODES = Arrays.stream(dev.parley.codec.Code.values())
            .map(dev.parley.codec.Code::name)
            .toList();

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = values;
    }

    public static Parameters of(Context request, String... allowed) {
        return of(values(request), new TreeSet<>(Arrays.asList(allowed)));
    }

    /** The parameters of a request for views, and those of {@link ReadConsistency}. */
    public static Parameters of(ViewRequest request, String... allowed) {
        Set<String> names = new TreeSet<>(Arrays.asList(allowed));
        names.addAll(List.of(AT_LEAST, STALE));
        return of(request.parameters(), names);
    }

    /** @param names the parameters that are allowed */
    public static Parameters of(Map<String, String> values, Set<String> names) {
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw ProblemException.of(
                        Code.INVALID_PARAMETER,
                        "Unknown query parameter '" + name + "'. This endpoint takes "
                                + (names.isEmpty() ? "none" : String.join(", ", new TreeSet<>(names))) + ".");
            }
        }
        return new Parameters(values);
    }

    /** The first value of each parameter; only {@value #AT_LEAST} may have more. */
    public static Map<String, String> values(Context request) {
        Map<String, String> values = new LinkedHashMap<>();
        request.queryParamMap().forEach((name, texts) -> {
            if (texts.size() > 1 && !name.equals(AT_LEAST)) {
                throw invalid(name, "may be given only once");
            }
            values.put(name, texts.get(0));
        });
        return values;
    }

    /** The requested page of a list. */
    record Page(Optional<Bytes> after, int limit) {}

    static Page page(Map<String, String> values) {
        Parameters parameters = new Parameters(values);
        return new Page(parameters.text(CURSOR).map(Cursor::key), parameters.limit());
    }

    static ReadConsistency consistency(Context request, TopicNames topics) {
        List<String> stale = request.queryParams(STALE);
        if (stale.size() > 1 || stale.size() == 1 && !stale.get(0).equals("ok")) {
            throw invalid(STALE, "must be \"ok\"");
        }
        List<String> texts = request.queryParams(AT_LEAST);
        if (texts.size() > PeerRequest.MAX_POSITIONS) {
            throw invalid(AT_LEAST, "may be given at most " + PeerRequest.MAX_POSITIONS + " times");
        }
        Set<InputPosition> positions = new LinkedHashSet<>();
        for (String text : texts) {
            positions.add(InputPosition.parse(text)
                    .filter(position ->
                            topics.isPossibleInput(position.topic()) && !Topics.isRepartition(position.topic()))
                    .orElseThrow(
                            () -> invalid(AT_LEAST, "must be an input position, such as " + topics.wire() + "-0@42")));
        }
        return new ReadConsistency(!stale.isEmpty(), positions);
    }

    /** The value; empty if it is missing or the empty string. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }

    /** The parameter {@code code}: a code of the rules; empty if it is missing. */
    public Optional<String> code() {
        return text("code").map(text -> code(text, rule -> invalid("code", rule)));
    }

    /**
     * Checks a code.
     *
     * @param invalid problem of an unknown one, with a requirement such as "must be a code"
     */
    public static String code(String text, Function<String, ProblemException> invalid) {
        if (CODES.contains(text)) {
            return text;
        }
        String name = Excerpt.cut(text, MAX_CODE);
        throw invalid.apply("must be a code, but was '" + Excerpt.of(name) + "'; the nearest are "
                + String.join(", ", NearestNames.of(name.toUpperCase(Locale.ROOT), CODES, NEAREST_CODES)));
    }

    public String required(String name, String meaning) {
        return text(name).orElseThrow(() -> invalid(name, "is required: " + meaning));
    }

    /** The maximum number of items; the default if it is missing. */
    public int limit() {
        return text(LIMIT).map(text -> (int) number(LIMIT, text, 1, MAX_LIMIT)).orElse(DEFAULT_LIMIT);
    }

    /** Whether a parameter is true; false if missing. */
    public boolean flag(String name) {
        return text(name)
                .map(text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw invalid(name, "must be true or false");
                })
                .orElse(false);
    }

    /** Where a list continues that has no store keys; empty for its start. */
    public Optional<String> cursor() {
        return text(CURSOR);
    }

    /** The parameter {@code from}, an integer >= 0. */
    public Optional<Long> from() {
        return text("from").map(text -> number("from", text, 0, Long.MAX_VALUE));
    }

    /** A time, in UTC. */
    public Optional<Instant> time(String name) {
        return text(name).map(text -> {
            try {
                return TimeText.parse(text, Clock.systemUTC());
            } catch (IllegalArgumentException e) {
                throw invalid(name, e.getMessage());
            }
        });
    }

    public Optional<Protocol> protocol() {
        return text("protocol").map(text -> oneOf("protocol", text, List.of(Protocol.values())));
    }

    /** The protocol in the path of a request. */
    public static Protocol protocol(ViewRequest request) {
        return oneOf("protocol", request.pathParam("protocol"), List.of(Protocol.values()));
    }

    /** The symbol with a name, ignoring case. */
    public static <E extends Enum<E>> E oneOf(String name, String text, List<E> allowed) {
        return allowed.stream()
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> invalid(
                        name,
                        "must be one of " + allowed.stream().map(Enum::name).collect(Collectors.joining(", "))));
    }

    /** @param requirement requirement on the value, such as "must be true or false" */
    public static ProblemException invalid(String name, String requirement) {
        return ProblemException.of(Code.INVALID_PARAMETER, "Parameter " + name + " " + requirement + ".");
    }

    /** Parses a decimal integer within bounds. */
    public static long number(String name, String text, long min, long max) {
        long number = Decimal.parse(text, max);
        if (number == Decimal.NONE || number < min) {
            String range = max == Long.MAX_VALUE ? ">= " + min : "from " + min + " to " + max;
            throw invalid(name, "must be an integer " + range + ", but was '" + text + "'");
        }
        return number;
    }
}
