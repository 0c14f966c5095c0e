package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The redrives of a deployment, in memory: which failed records have entered again, and as which input. About 200 bytes
 * for each redrive. Not thread-safe.
 */
public final class RedriveIndex {
    private final Map<InputPosition, Entry> bySource = new HashMap<>();
    private final Map<InputPosition, Entry> bySent = new HashMap<>();

    /**
     * One redrive.
     *
     * @param source input position of the failed record
     * @param sent input position of the message that was sent; null if the record of the redrive is unreadable
     * @param attempt number of the attempt
     * @param offset offset of the record of the redrive in its topic
     * @param operation name of the operation
     */
    public record Entry(InputPosition source, InputPosition sent, int attempt, long offset, String operation) {}

    /** Adds a redrive. The first of a failed record stays. */
    public void add(Entry entry) {
        if (bySource.putIfAbsent(entry.source(), entry) == null && entry.sent() != null) {
            bySent.put(entry.sent(), entry);
        }
    }

    /** The redrive of the failed record at an input position. */
    public Optional<Entry> of(InputPosition source) {
        return Optional.ofNullable(bySource.get(source));
    }

    /** The redrive that sent the message at an input position. */
    public Optional<Entry> thatSent(InputPosition input) {
        return Optional.ofNullable(bySent.get(input));
    }

    /** Number of times that the record at an input position, with its earlier forms, has reached the pipeline. */
    public int attemptsOf(InputPosition input) {
        return thatSent(input).map(Entry::attempt).orElse(1);
    }
}
