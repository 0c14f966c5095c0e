package dev.parley.topology.topics;

import dev.parley.audit.InputPosition;
import dev.parley.codec.Decimal;
import java.util.Optional;

/**
 * Key of a record in the redrive topic that closes or reopens a dead letter, written {@code
 * closed/number/topic-partition@offset}. Each change of a dead letter has its own number, so a repeated old record
 * changes nothing.
 *
 * @param number number of the change, from 1; odd numbers close, even ones reopen
 * @param source input position of the failed record
 */
public record ClosureKey(int number, InputPosition source) {
    /** Maximum number of changes of one dead letter; even, so that it stays open. */
    public static final int MAX_CHANGES = 50;

    private static final String PREFIX = "closed/";

    /** Parses the form that {@link #toString} writes; empty if the text has another form. */
    public static Optional<ClosureKey> parse(String text) {
        int slash = text.indexOf('/', PREFIX.length());
        if (!text.startsWith(PREFIX) || slash < 0) {
            return Optional.empty();
        }
        long number = Decimal.parse(text, PREFIX.length(), slash, MAX_CHANGES);
        return number < 1
                ? Optional.empty()
                : InputPosition.parse(text.substring(slash + 1))
                        .map(source -> new ClosureKey((int) number, source))
                        .filter(key -> key.toString().equals(text));
    }

    /** Whether it closes the dead letter. */
    public boolean closes() {
        return number % 2 == 1;
    }

    @Override
    public String toString() {
        return PREFIX + number + '/' + source;
    }
}
