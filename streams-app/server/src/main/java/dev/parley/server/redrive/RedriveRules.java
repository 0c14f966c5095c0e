package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.server.redrive.RedriveIndex.Entry;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.topology.topics.ClosureKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a dead letter may enter its input topic again. Only the index decides: headers of the message are
 * chosen by its author. Immutable.
 */
public final class RedriveRules {

    private final List<String> inputs;
    private final int maxAttempts;

    /**
     * @param inputs topics to which dead letters may be returned
     * @param maxAttempts maximum number of times that a message may reach the pipeline, the first included
     */
    public RedriveRules(Collection<String> inputs, int maxAttempts) {
        this.inputs = List.copyOf(inputs);
        this.maxAttempts = maxAttempts;
    }

    /**
     * Decides about one dead letter. Its message may enter if the outcome is {@link Outcome#WOULD_ENTER}, which only a
     * dead letter with an input position has; otherwise nothing is to be sent.
     *
     * @param index all earlier redrives
     * @param operation name of the operation; a message that failed again within it does not enter again
     */
    public RedriveResult decide(RedriveItem item, RedriveIndex index, String operation) {
        DeadLetterRecord letter = item.letter();
        Optional<InputPosition> source = letter.source().filter(position -> inputs.contains(position.topic()));
        if (source.isEmpty()) {
            return unknownSource(letter.id());
        }
        int attempts = index.attemptsOf(source.get());
        Optional<Entry> earlier = index.of(source.get());
        if (earlier.isPresent() && earlier.get().sent() != null) {
            return entered(letter, earlier.get(), operation);
        }
        boolean failedAgain = index.thatSent(source.get())
                .filter(entry -> entry.operation().equals(operation))
                .isPresent();
        String refusal = earlier.map(RedriveRules::unreadable)
                .orElseGet(() -> index.isClosed(source.get())
                        ? "The dead letter is closed. Reopen it first."
                        : refusal(item, attempts, failedAgain));
        return refusal == null
                ? new RedriveResult(letter.id(), Outcome.WOULD_ENTER, null, attempts + 1, null)
                : RedriveResult.refused(letter.id(), attempts, refusal);
    }

    private static RedriveResult unknownSource(InputPosition deadLetter) {
        return RedriveResult.refused(
                deadLetter, 0, "The headers of the dead letter do not name an input position of Parley.");
    }

    /**
     * Decides about closing or reopening a dead letter. It is to be recorded if the result has no detail.
     *
     * @param index all earlier redrives and changes
     */
    public RedriveResult decide(Candidate letter, RedriveIndex index, boolean close) {
        InputPosition source = letter.source();
        if (!inputs.contains(source.topic())) {
            return unknownSource(letter.deadLetter());
        }
        Optional<Entry> earlier = index.of(source).filter(entry -> entry.sent() != null);
        if (earlier.isPresent()) {
            return new RedriveResult(
                    letter.deadLetter(),
                    Outcome.ALREADY_ENTERED,
                    earlier.get().sent(),
                    earlier.get().attempt(),
                    "An earlier redrive sent the message; nothing was changed.");
        }
        boolean changes = index.isClosed(source) != close;
        if (changes && index.nextChange(source, close).number() > ClosureKey.MAX_CHANGES) {
            return RedriveResult.refused(
                    letter.deadLetter(), 0, "The dead letter was changed " + ClosureKey.MAX_CHANGES + " times.");
        }
        return new RedriveResult(
                letter.deadLetter(),
                close ? Outcome.CLOSED : Outcome.REOPENED,
                null,
                0,
                changes ? null : "Nothing was changed: it is " + (close ? "closed" : "open") + " already.");
    }

    private static String unreadable(Entry earlier) {
        return "The record of an earlier redrive, at offset " + earlier.offset()
                + " of the redrive topic, is unreadable or another client wrote it. If its conversation lacks the"
                + " message, send it again as a new one.";
    }

    /** Why the message of a dead letter without an earlier redrive may not enter; null if it may. */
    private String refusal(RedriveItem item, int attempts, boolean failedAgain) {
        if (failedAgain) {
            return "The message failed again after this redrive sent it. Correct it, then redrive it separately.";
        }
        if (attempts >= maxAttempts) {
            return "The message has reached the pipeline " + attempts
                    + " times, the maximum (redrive.attempts.max). Correct its sender.";
        }
        if (item.edit().value().isPresent()) {
            return null;
        }
        if (item.redacted()) {
            return "The message was redacted. Redrive it with an edited value.";
        }
        return item.letter().isOmitted()
                ? "The dead letter has no value, because its record was too large. The header"
                        + " __streams.errors.message has a command that fetches the record from its input topic."
                        + " Raise limits.message.bytes, or redrive it with an edited value."
                : null;
    }

    private static RedriveResult entered(DeadLetterRecord letter, Entry earlier, String operation) {
        boolean now = earlier.operation().equals(operation);
        return new RedriveResult(
                letter.id(),
                now ? Outcome.ENTERED : Outcome.ALREADY_ENTERED,
                earlier.sent(),
                earlier.attempt(),
                now ? null : "An earlier redrive sent the message; nothing was sent.");
    }
}
