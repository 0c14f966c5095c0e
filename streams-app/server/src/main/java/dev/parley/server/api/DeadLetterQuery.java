package dev.parley.server.api;

import dev.parley.avro.Protocol;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.http.ProblemException;
import dev.parley.state.TimeText;
import dev.parley.topology.views.read.Views.DeadLetterFilter;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads filters of dead letters: the same for their list, their counts, and redrives. */
public final class DeadLetterQuery {

    /** Names of the filters. */
    public static final List<String> NAMES =
            List.of("stage", "code", "namespace", "protocol", "conversation", "sender", "from", "to", "state");

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
                texts.apply("code").map(text -> Parameters.code(text, rule -> invalid.apply("code", rule))),
                texts.apply("namespace"),
                symbol("protocol", List.of(Protocol.values())),
                texts.apply("conversation"),
                texts.apply("sender"),
                time("from"),
                time("to"),
                symbol("state", List.of(State.values())).map(state -> state == State.RETURNED));
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
