package dev.parley.server.api;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.protocol.TopicNames;
import dev.parley.server.http.ProblemException;
import dev.parley.state.TimeText;
import dev.parley.topology.config.NearestNames;
import dev.parley.topology.views.read.Views.DeadLetterFilter;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads filters of dead letters: the same for their list, their counts, and redrives. */
public final class DeadLetterQuery {

    /** Names of the filters. */
    public static final List<String> NAMES =
            List.of("stage", "code", "namespace", "protocol", "conversation", "sender", "from", "to", "state");

    private static final int NEAREST = 3;
    /** No code is longer. */
    private static final int MAX_CODE = 64;

    private static final List<String> CODES =
            Arrays.stream(Code.values()).map(Code::name).toList();

    private enum State {
        OPEN,
        RETURNED
    }

    /** Creates the problem of an invalid filter: its name, and a requirement such as "must be a time". */
    private final BiFunction<String, String, ProblemException> invalid;

    private final Function<String, Optional<String>> texts;

    private DeadLetterQuery(
            Function<String, Optional<String>> texts, BiFunction<String, String, ProblemException> invalid) {
        this.texts = texts;
        this.invalid = invalid;
    }

    /**
     * Reads the filters.
     *
     * @param texts value of each filter by its name; empty for no filter
     * @param invalid problem of an invalid one: its name, and a requirement such as "must be a time"
     */
    public static DeadLetterFilter of(
            Function<String, Optional<String>> texts, BiFunction<String, String, ProblemException> invalid) {
        return new DeadLetterQuery(texts, invalid).filter();
    }

    private DeadLetterFilter filter() {
        return new DeadLetterFilter(
                symbol("stage", TopicNames.DEAD_LETTER_STAGES),
                texts.apply("code").map(this::code),
                texts.apply("namespace"),
                symbol("protocol", List.of(Protocol.values())),
                texts.apply("conversation"),
                texts.apply("sender"),
                time("from"),
                time("to"),
                symbol("state", List.of(State.values())).map(state -> state == State.RETURNED));
    }

    private String code(String text) {
        if (CODES.contains(text)) {
            return text;
        }
        String name = text.substring(0, Math.min(text.length(), MAX_CODE));
        throw invalid.apply(
                "code",
                "must be a code, but was '" + Excerpt.of(name) + "'; the nearest are "
                        + String.join(", ", NearestNames.of(name.toUpperCase(Locale.ROOT), CODES, NEAREST)));
    }

    private <E extends Enum<E>> Optional<E> symbol(String name, List<E> allowed) {
        return texts.apply(name)
                .map(text -> allowed.stream()
                        .filter(value -> value.name().equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> invalid.apply(
                                name,
                                "must be one of "
                                        + allowed.stream().map(Enum::name).collect(Collectors.joining(", ")))));
    }

    private Optional<Instant> time(String name) {
        return texts.apply(name).map(text -> {
            try {
                return TimeText.parse(text, Clock.systemUTC());
            } catch (IllegalArgumentException e) {
                throw invalid.apply(name, e.getMessage());
            }
        });
    }
}
