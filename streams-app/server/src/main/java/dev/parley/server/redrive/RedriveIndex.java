package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.topology.topics.ClosureKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The redrives of a deployment, in memory: which failed records have entered again, and as which input, and which were
 * closed. About 200 bytes for each redrive or change. Not thread-safe.
 */
public final class RedriveIndex {
    private final Map<InputPosition, Entry> bySource = new HashMap<>();
    private final Map<InputPosition, Entry> bySent = new HashMap<>();
    private final Map<InputPosition, SortedMap<Integer, Change>> closures = new HashMap<>();

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

    /**
     * A change that closed or reopened a dead letter.
     *
     * @param offset offset of its record in the redrive topic
     * @param readable whether an instance of the deployment wrote the record
     */
    public record Change(ClosureKey key, long offset, boolean readable) {
        private boolean closes() {
            return key.closes() && readable;
        }
    }

    /** Adds a change. Their order does not matter: compaction can move one behind later ones. */
    public void add(Change change) {
        closures.computeIfAbsent(change.key().source(), none -> new TreeMap<>())
                .put(change.key().number(), change);
    }

    /** The changes of the dead letter of a failed record, from the first on, without gaps. */
    public List<Change> changes(InputPosition source) {
        SortedMap<Integer, Change> all = closures.getOrDefault(source, Collections.emptySortedMap());
        List<Change> changes = new ArrayList<>();
        while (all.containsKey(changes.size() + 1)) {
            changes.add(all.get(changes.size() + 1));
        }
        return changes;
    }

    /** Whether the dead letter of a failed record is closed. */
    public boolean isClosed(InputPosition source) {
        List<Change> changes = changes(source);
        return !changes.isEmpty() && changes.get(changes.size() - 1).closes();
    }

    /**
     * The key of a change that closes an open dead letter, or reopens a closed one. It replaces an unreadable record.
     */
    public ClosureKey nextChange(InputPosition source, boolean closes) {
        int last = changes(source).size();
        ClosureKey same = new ClosureKey(last, source);
        return last > 0 && same.closes() == closes ? same : new ClosureKey(last + 1, source);
    }

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
