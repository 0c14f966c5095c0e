package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.server.http.ProblemException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Returns dead letters to their input topics, each at most once. Thread-safe. Every method throws a {@link
 * ProblemException} while brokers or registry are unavailable. That of {@link #redrive} says whether messages may have
 * entered.
 */
public interface Redriver extends AutoCloseable {

    /** Maximum dead letters of one call. */
    int MAX_LETTERS = 500;

    /** Maximum bytes of the dead letters of one call, with keys and headers, unless the first alone has more. */
    long MAX_BYTES = 8L << 20;

    /**
     * The caller of a redrive, and the reason.
     *
     * @param by name of the caller
     * @param operation name of the operation: what one call of it sent is {@code ENTERED} for another
     */
    record Order(String by, String reason, String operation) {}

    /**
     * Dead letters that were read.
     *
     * @param count number of the given positions, from the first on, that were read; fewer than given if the letters
     *     would exceed {@link #MAX_BYTES}
     * @param letters those that exist, by position
     */
    record Read(int count, Map<InputPosition, DeadLetterRecord> letters) {}

    /**
     * A dead letter and what became of it.
     *
     * @param redrives the redrives of its message: that of the dead letter, if it was redriven, then earlier ones,
     *     latest first
     * @param closures when it was closed and reopened, in order
     * @param closed whether it is closed now
     */
    record Shown(DeadLetterRecord letter, List<Redrive> redrives, List<Redrive> closures, boolean closed) {}

    /**
     * Finds dead letters without keeping their values.
     *
     * @param visible whether the caller may see a dead letter
     * @return those that exist and are visible, by position; none for a topic that does not hold dead letters
     */
    Map<InputPosition, RedriveOrder.Candidate> find(
            Collection<InputPosition> deadLetters, Predicate<DeadLetterRecord> visible);

    /** Reads dead letters with their values, in this order. */
    Read read(List<InputPosition> deadLetters);

    /** Reads one dead letter and its redrives; empty if it does not exist. */
    Optional<Shown> show(InputPosition deadLetter);

    /** Reads a record of the input, if its topic still has it. */
    Optional<ConsumerRecord<byte[], byte[]>> input(InputPosition position);

    /** Maximum input positions of one call of {@link #redrives}. */
    int MAX_INPUTS = 50;

    /**
     * Reads the redrives of records of the input: those whose failed record is at one of these positions, and those
     * that sent the record at one of them.
     *
     * @param inputs at most {@link #MAX_INPUTS}
     */
    List<Redrive> redrives(Collection<InputPosition> inputs);

    /** Returns what {@link #redrive} would decide now. Sends nothing. */
    List<RedriveResult> check(List<RedriveItem> items, String operation);

    /**
     * Sends the messages of dead letters, in this order, with the record of each redrive in the same transaction. If it
     * fails, repeating it with the same or another order sends what did not enter, and nothing twice.
     */
    List<RedriveResult> redrive(List<RedriveItem> items, Order order);

    /** Closes or reopens dead letters, in one transaction. It may be repeated. */
    List<RedriveResult> change(Collection<RedriveOrder.Candidate> letters, boolean close, Order order);

    /** Closes its clients. */
    @Override
    default void close() {}
}
