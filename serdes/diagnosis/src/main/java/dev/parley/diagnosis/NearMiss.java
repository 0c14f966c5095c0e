package dev.parley.diagnosis;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * One near miss: a row in the table of its protocol.
 *
 * @param <T> what the row reads: a text that is not a message
 * @param example a text in this form
 * @param error returns the decode error with cause and repair; null if the text is not in this form
 */
record NearMiss<T>(String example, Function<T, Malformed<?>> error) {

    /**
     * A row whose cause and repair are the same for all texts.
     *
     * @param place returns the index of the wrong byte; -1 if the text is not in this form
     */
    static <T> NearMiss<T> of(String example, Code code, String detail, ToIntFunction<T> place) {
        return new NearMiss<>(example, text -> {
            int at = place.applyAsInt(text);
            return at < 0 ? null : new Malformed<>(code, at, detail);
        });
    }

    /** The error of the first row that has the form of a text; null if there is none. */
    static <T> Malformed<?> first(List<NearMiss<T>> rows, T text) {
        Malformed<?> found = null;
        for (int i = 0; i < rows.size() && found == null; i++) {
            found = rows.get(i).error().apply(text);
        }
        return found;
    }

    /** The examples of the rows of a table, and others. */
    static List<String> examples(List<? extends NearMiss<?>> rows, String... others) {
        return Stream.concat(rows.stream().map(NearMiss::example), Stream.of(others))
                .toList();
    }
}
