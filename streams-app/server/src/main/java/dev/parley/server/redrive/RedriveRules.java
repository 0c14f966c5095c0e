package dev.parley.server.redrive;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.server.redrive.RedriveIndex.Entry;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.topology.topics.DeadLetterHeaders;
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

    /** A decision. */
    public sealed interface Decision {}

    /**
     * The message may enter.
     *
     * @param source input position of the failed record
     * @param to the partition that it came from
     * @param attempt number of this attempt
     */
    public record Enter(InputPosition source, InputPartition to, int attempt) implements Decision {}

    /** Nothing is to be sent. */
    public record Done(RedriveResult result) implements Decision {}

    /**
     * Decides about one dead letter.
     *
     * @param index all earlier redrives
     * @param operation name of the operation; a message that failed again within it does not enter again
     */
    public Decision decide(RedriveItem item, RedriveIndex index, String operation) {
        DeadLetterRecord letter = item.letter();
        Optional<InputPosition> source = letter.source();
        Optional<InputPartition> to = DeadLetterHeaders.inputPartition(letter.headers(), inputs);
        if (source.isEmpty() || to.isEmpty()) {
            return refused(letter, 0, "The headers of the dead letter do not name an input position of Parley.");
        }
        int attempt = index.attemptsOf(source.get()) + 1;
        Optional<Entry> earlier = index.of(source.get());
        if (earlier.isPresent()) {
            return new Done(entered(letter, earlier.get(), operation));
        }
        if (index.thatSent(source.get())
                .filter(entry -> entry.operation().equals(operation))
                .isPresent()) {
            return refused(
                    letter,
                    attempt - 1,
                    "The message failed again after this redrive sent it. Correct it, then redrive it separately.");
        }
        if (attempt > maxAttempts) {
            return refused(
                    letter,
                    attempt - 1,
                    "The message has reached the pipeline " + (attempt - 1)
                            + " times, the maximum (redrive.attempts.max). Correct its sender.");
        }
        if (item.edit().value().isPresent()) {
            return new Enter(source.get(), to.get(), attempt);
        }
        if (item.redacted()) {
            return refused(letter, attempt - 1, "The message was redacted. Redrive it with an edited value.");
        }
        if (letter.isOmitted()) {
            return refused(
                    letter,
                    attempt - 1,
                    "The dead letter has no value, because its record was too large. The header"
                            + " __streams.errors.message has a command that fetches the record from its input topic."
                            + " Raise limits.message.bytes, or redrive it with an edited value.");
        }
        return new Enter(source.get(), to.get(), attempt);
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

    private static Decision refused(DeadLetterRecord letter, int attempts, String detail) {
        return new Done(RedriveResult.refused(letter.id(), attempts, detail));
    }
}
