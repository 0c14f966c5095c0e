package dev.parley.server.api.view;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Decimal;
import dev.parley.codec.Excerpt;
import dev.parley.protocol.TopicNames;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.ReadConsistency;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.state.TimeText;
import dev.parley.topology.config.NearestNames;
import dev.parley.topology.topics.Topics;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The validated parameters of one request. Unknown, repeated and invalid ones are problems.
 *
 * @param problem problem of an invalid one: its name, and a requirement such as "must be a time"
 */
public record Parameters(Map<String, String> values, BiFunction<String, String, ProblemException> problem) {

    private static final int DEFAULT_LIMIT = 100;

    /** Parameter of every list: maximum number of items. */
    public static final String LIMIT = "limit";
    /** Parameter of every list: where it continues. */
    public static final String CURSOR = "cursor";

    /** Parameter of every route that reads views: whether standbys may answer, see {@link ReadConsistency}. */
    public static final String STALE = "stale";

    /** Parameter of every route that reads views: input positions that must be visible. */
    public static final String AT_LEAST = "at-least";

    /** No code is longer. */
    private static final int MAX_CODE = 64;

    private static final List<String> CODES = Arrays.stream(dev.parley.codec.Code.values())
            .map(dev.parley.codec.Code::name)
            .toList();

    private static final List<Verdict> VERDICTS =
            List.of(Verdict.ACCEPTED, Verdict.REJECTED, Verdict.FLAGGED, Verdict.UNDECODABLE);

    public static Parameters of(ApiRequest request, String... allowed) {
        return of(values(request), List.of(allowed));
    }

    /** The parameters of a request for views, and those of {@link ReadConsistency}. */
    public static Parameters of(ViewRequest request, String... allowed) {
        return ofViews(request.parameters(), List.of(allowed));
    }

    /** The same of a list, which also has {@link #LIMIT} and {@link #CURSOR}. */
    public static Parameters ofList(ViewRequest request, String... allowed) {
        return ofViews(request.parameters(), listNames(allowed));
    }

    /** The names of the parameters of a list: these, {@link #LIMIT} and {@link #CURSOR}. */
    public static List<String> listNames(String... allowed) {
        return Stream.concat(Stream.of(LIMIT, CURSOR), Stream.of(allowed)).toList();
    }

    /** The same for given values. */
    public static Parameters ofViews(Map<String, String> values, Collection<String> allowed) {
        Set<String> names = new HashSet<>(allowed);
        names.addAll(List.of(AT_LEAST, STALE));
        return of(values, names);
    }

    private static Parameters of(Map<String, String> values, Collection<String> names) {
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw Code.INVALID_PARAMETER.problem(
                        "Unknown query parameter '" + Excerpt.of(name) + "'. This endpoint takes "
                                + (names.isEmpty() ? "none" : String.join(", ", new TreeSet<>(names))) + ".");
            }
        }
        return new Parameters(values, Parameters::invalid);
    }

    /** The first value of each parameter; only {@value #AT_LEAST} may have more. */
    public static Map<String, String> values(ApiRequest request) {
        Map<String, String> values = new LinkedHashMap<>();
        request.queryParams().forEach((name, texts) -> {
            if (texts.size() > 1 && !name.equals(AT_LEAST)) {
                throw invalid(name, "may be given only once");
            }
            values.put(name, texts.get(0));
        });
        return values;
    }

    static ReadConsistency consistency(ApiRequest request, TopicNames topics) {
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
        return text("code").map(text -> {
            if (CODES.contains(text)) {
                return text;
            }
            String name = Excerpt.cut(text, MAX_CODE);
            throw problem.apply(
                    "code",
                    "must be a code, but was '" + Excerpt.of(name) + "'; "
                            + NearestNames.suggestion(name, CODES)
                                    .map(near -> "the nearest is " + near)
                                    .orElse("parley explain lists the codes"));
        });
    }

    public String required(String name, String meaning) {
        return text(name).orElseThrow(() -> problem.apply(name, "is required: " + meaning));
    }

    /** The maximum number of items; the default if it is missing. */
    public int limit() {
        return text(LIMIT)
                .map(text -> (int) number(LIMIT, text, 1, PeerRequest.MAX_LIMIT))
                .orElse(DEFAULT_LIMIT);
    }

    /** Whether a parameter is true; false if missing. */
    public boolean flag(String name) {
        return text(name)
                .map(text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw problem.apply(name, "must be true or false");
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
        return text(name).map(text -> parsed(name, text, time -> TimeText.parse(time, Clock.systemUTC())));
    }

    /**
     * Parses the text of a parameter.
     *
     * @param parser throws an {@link IllegalArgumentException} with the requirement that a text does not meet
     */
    public <T> T parsed(String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw problem.apply(name, e.getMessage());
        }
    }

    public Optional<Protocol> protocol() {
        return symbol("protocol", List.of(Protocol.values()));
    }

    /** The protocol in the path of a request. */
    public static Protocol protocol(ViewRequest request) {
        return symbol(request.pathParam("protocol"), List.of(Protocol.values()), rule -> invalid("protocol", rule));
    }

    public Optional<Verdict> verdict() {
        return symbol("verdict", VERDICTS);
    }

    /** The symbol that a parameter names, ignoring case. */
    public <E extends Enum<E>> Optional<E> symbol(String name, List<E> allowed) {
        return text(name).map(text -> symbol(text, allowed, rule -> problem.apply(name, rule)));
    }

    private static <E extends Enum<E>> E symbol(
            String text, List<E> allowed, Function<String, ProblemException> problem) {
        return allowed.stream()
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> problem.apply(
                        "must be one of " + allowed.stream().map(Enum::name).collect(Collectors.joining(", "))));
    }

    /** @param requirement requirement on the value, such as "must be true or false" */
    public static ProblemException invalid(String name, String requirement) {
        return Code.INVALID_PARAMETER.problem("Parameter " + Excerpt.of(name) + " " + requirement + ".");
    }

    /** Parses a decimal integer within bounds. */
    public static long number(String name, String text, long min, long max) {
        long number = Decimal.parse(text, max);
        if (number == Decimal.NONE || number < min) {
            String range = max == Long.MAX_VALUE ? ">= " + min : "from " + min + " to " + max;
            throw invalid(name, "must be an integer " + range + ", but was '" + Excerpt.of(text) + "'");
        }
        return number;
    }
}
