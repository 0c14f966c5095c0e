package dev.parley.cli.offline;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.Rule;
import dev.parley.cli.transcript.ExpectedVerdict;
import dev.parley.cli.transcript.ExpectedVerdict.Actual;
import dev.parley.cli.transcript.Transcript;
import dev.parley.stage.JudgedRecord;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Compares the verdicts on the lines of a transcript with the expected ones. Keeps the differences, and the patches
 * that are parked.
 */
final class TranscriptCheck {
    /** The verdict that {@code --fail-on rejected} requires of a line that expects nothing. */
    private static final ExpectedVerdict ACCEPTED = new ExpectedVerdict("ACCEPTED", null, null, null);

    private final boolean failOnRejected;
    private final Map<Long, ExpectedVerdict> open = new TreeMap<>();
    private final Map<Long, Actual> parked = new TreeMap<>();
    private final SortedMap<Long, Difference> differences = new TreeMap<>();
    private final BitSet checked = new BitSet();
    private long lines;

    /**
     * A line whose verdict is not the expected one.
     *
     * @param detail why the message was not accepted; null if it was
     * @param rule the rule that decided; null if none did
     */
    record Difference(
            long line,
            ExpectedVerdict expected,
            @JsonUnwrapped Actual actual,
            String detail,
            Rule rule) {

        @Override
        public String toString() {
            return line + ": expected " + expected + ", but was " + actual + (detail == null ? "" : ": " + detail);
        }
    }

    /** @param failOnRejected whether a line that expects nothing must be accepted */
    TranscriptCheck(boolean failOnRejected) {
        this.failOnRejected = failOnRejected;
    }

    /** Takes a line, before its verdicts. */
    void line(long number, Transcript.Line line) {
        lines++;
        line.expected()
                .or(() -> failOnRejected ? Optional.of(ACCEPTED) : Optional.empty())
                .ifPresent(expected -> {
                    checked.set(Math.toIntExact(number));
                    open.put(number, expected);
                });
    }

    /** Takes a verdict on a line. */
    void judged(JudgedRecord judged) {
        long number = judged.inbound().getSource().getOffset();
        ExpectedVerdict expected = open.get(number);
        if (expected == null) {
            return;
        }
        Actual actual = Actual.of(judged, Optional.ofNullable(parked.get(number)));
        if (judged.isParked()) {
            parked.put(number, actual);
            return;
        }
        open.remove(number);
        parked.remove(number);
        compare(
                number,
                expected,
                actual,
                judged.judgement().detail(),
                judged.judgement().rule());
    }

    /** The differences by line, after the last verdict: a patch that is still parked counts as PARKED. */
    SortedMap<Long, Difference> differences() {
        parked.forEach(
                (number, actual) -> compare(number, open.remove(number), actual, "its base never arrived", null));
        parked.clear();
        return differences;
    }

    long lines() {
        return lines;
    }

    /** Number of the lines that expect something. */
    long checked() {
        return checked.cardinality();
    }

    /** The lines that expect something, in order. */
    LongStream checkedLines() {
        return checked.stream().asLongStream();
    }

    private void compare(long number, ExpectedVerdict expected, Actual actual, String detail, Rule rule) {
        if (!expected.matches(actual)) {
            differences.put(number, new Difference(number, expected, actual, detail, rule));
        }
    }
}
