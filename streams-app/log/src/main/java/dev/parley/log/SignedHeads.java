package dev.parley.log;

import dev.parley.avro.AuditHead;
import dev.parley.log.tlog.TreeHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the newest head of each log among published notes. Only notes count that a key of the deployment
 * signed; without a key, all notes of the deployment. Not thread-safe.
 */
public final class SignedHeads {
    private final LogNotes notes;
    private final LogNoteReader reader;
    private final SortedMap<Integer, TreeHead> heads = new TreeMap<>();
    private final Map<Integer, Long> complete = new HashMap<>();

    /** Creates a set without heads. */
    public SignedHeads(LogNotes notes) {
        this.notes = notes;
        this.reader = notes.reader();
    }

    /**
     * Adds a note, in any order.
     *
     * @param completeTo time in milliseconds since the epoch up to which the log is complete if the note is its newest
     *     head; 0 if unknown
     * @return whether it is a statement of the partitions that counts; its heads do, too
     */
    public boolean add(AuditHead note, long completeTo) {
        if (!mayCount(note)) {
            return false;
        }
        LogNoteReader.Note read = reader.read(note, RecordLocation.NONE, new ArrayList<>(1));
        if (read instanceof LogNoteReader.LogHead head
                && add(head.partition(), LogNotes.timed(note.getOrigin(), head.size(), head.root(), head.time()))) {
            complete.merge(head.partition(), completeTo, Math::max);
        }
        if (read instanceof LogNoteReader.Statement statement) {
            statement.content().heads().forEach((partition, head) -> {
                add(partition, head);
                complete.merge(partition, LogNotes.timeOf(head), Math::max);
            });
            return true;
        }
        return false;
    }

    /** Whether a note is of the deployment, and says more than the notes before it. Spares the signatures of others. */
    private boolean mayCount(AuditHead note) {
        int partition = note.getPartition();
        return partition < 0
                ? note.getOrigin().equals(notes.origin())
                : partition < TrustedLogs.MAX_PARTITIONS
                        && isNewer(partition, note.getSize(), note.getTime().toEpochMilli())
                        && note.getOrigin().equals(LogNotes.originOf(notes.origin(), partition));
    }

    /** Whether a log has no head yet of at least this size, and of this time if it has this size. */
    private boolean isNewer(int partition, long size, long time) {
        TreeHead known = heads.get(partition);
        return known == null || size > known.size() || size == known.size() && time > LogNotes.timeOf(known);
    }

    private boolean add(int partition, TreeHead head) {
        if (partition >= TrustedLogs.MAX_PARTITIONS || !isNewer(partition, head.size(), LogNotes.timeOf(head))) {
            return false;
        }
        heads.put(partition, head);
        return true;
    }

    /** The heads so far, by partition, each with the time up to which its log is complete; 0 if that is unknown. */
    public SortedMap<Integer, TreeHead> heads() {
        SortedMap<Integer, TreeHead> all = new TreeMap<>();
        heads.forEach((partition, head) -> {
            long time = complete.getOrDefault(partition, 0L);
            all.put(partition, LogNotes.timed(head.origin(), head.size(), head.root(), time));
        });
        return Collections.unmodifiableSortedMap(all);
    }
}
