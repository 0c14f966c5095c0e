package dev.parley.query;

import dev.parley.avro.Protocol;
import dev.parley.codec.Decimal;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The query parameters of one request, checked: an unknown one, one that stands twice, or a value that is not allowed is a problem. */
final class Parameters {

    static final int DEFAULT_LIMIT = 100;
    static final int MAX_LIMIT = 1000;

    private final Context request;

    private Parameters(Context request) {
        this.request = request;
    }

    static Parameters of(Context request, String... allowed) {
        Set<String> names = new TreeSet<>(Arrays.asList(allowed));
        if (Demands.taken(request)) {
            names.addAll(List.of(Demands.AT_LEAST, Demands.STALE));
        }
        for (Map.Entry<String, List<String>> entry : request.queryParamMap().entrySet()) {
            if (!names.contains(entry.getKey())) {
                throw invalid(
                        entry.getKey(),
                        "is unknown here; allowed "
                                + (names.isEmpty() ? "is none" : "are " + String.join(", ", names)));
            }
            if (entry.getValue().size() > 1 && !entry.getKey().equals(Demands.AT_LEAST)) {
                throw invalid(entry.getKey(), "stands more than once");
            }
        }
        return new Parameters(request);
    }

    /** The value; an empty one is as absent. */
    Optional<String> text(String name) {
        return Optional.ofNullable(request.queryParam(name)).filter(value -> !value.isEmpty());
    }

    String required(String name, String meaning) {
        return text(name).orElseThrow(() -> invalid(name, "is missing: " + meaning));
    }

    int limit() {
        return text("limit")
                .map(text -> (int) number("limit", text, 1, MAX_LIMIT))
                .orElse(DEFAULT_LIMIT);
    }

    /** How many items a page of this request has, whatever else it may say. */
    static int limitOf(Context request) {
        return new Parameters(request).limit();
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
        return text("cursor");
    }

    Optional<Long> from() {
        return text("from").map(text -> number("from", text, 0, Long.MAX_VALUE));
    }

    Optional<Protocol> protocol() {
        return text("protocol").map(text -> oneOf("protocol", text, List.of(Protocol.values())));
    }

    /** The symbol of that name, in any case. */
    static <E extends Enum<E>> E oneOf(String name, String text, List<E> allowed) {
        return allowed.stream()
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> invalid(
                        name, "is none of " + allowed.stream().map(Enum::name).collect(Collectors.joining(", "))));
    }

    /** An instant in ISO 8601 with an offset or Z, or milliseconds since the epoch. */
    static Instant instant(String name, String text) {
        boolean digits = !text.isEmpty() && text.length() <= 18;
        for (int i = text.startsWith("-") && text.length() > 1 ? 1 : 0; i < text.length() && digits; i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        try {
            // A plus sign that was not percent-encoded arrives as a blank.
            return digits
                    ? Instant.ofEpochMilli(Long.parseLong(text))
                    : OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
        } catch (DateTimeException e) {
            throw invalid(
                    name,
                    "is neither a time like 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00 nor milliseconds since"
                            + " the epoch");
        }
    }

    static Problem invalid(String name, String what) {
        return Problem.of(Problem.Code.INVALID_PARAMETER, "Parameter " + name + " " + what + ".");
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
