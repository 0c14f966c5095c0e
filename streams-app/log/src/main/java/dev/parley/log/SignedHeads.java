package dev.parley.log;

import dev.parley.avro.AuditHead;
import dev.parley.log.tlog.TreeHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the newest head of each log with records among published notes. Only notes count that a key of the deployment
 * signed; without a key, all notes of the deployment. Not thread-safe.
 */
public final class SignedHeads {
    private final LogNotes notes;
    private final LogNoteReader reader;
    private final SortedMap<Integer, TreeHead> heads = new TreeMap<>();

    /** Creates a set without heads. */
    public SignedHeads(LogNotes notes) {
        this.notes = notes;
        this.reader = notes.reader();
    }

    /**
     * Adds a note, in any order.
     *
     * @return whether it is a statement of the partitions that counts; its heads do, too
     */
    public boolean add(AuditHead note) {
        if (!mayCount(note)) {
            return false;
        }
        LogNoteReader.Note read = reader.read(note, RecordLocation.NONE, new ArrayList<>(1));
        if (read instanceof LogNoteReader.LogHead head && head.proven()) {
            add(head.partition(), new TreeHead(note.getOrigin(), head.size(), head.root()));
        }
        if (read instanceof LogNoteReader.Statement statement && statement.proven()) {
            statement.content().heads().forEach(this::add);
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
                        && note.getSize() > size(partition)
                        && note.getOrigin().equals(LogNotes.originOf(notes.origin(), partition));
    }

    private long size(int partition) {
        return heads.containsKey(partition) ? heads.get(partition).size() : 0;
    }

    private void add(int partition, TreeHead head) {
        if (head.size() > size(partition) && partition < TrustedLogs.MAX_PARTITIONS) {
            heads.put(partition, head);
        }
    }

    /** The heads so far, by partition. */
    public SortedMap<Integer, TreeHead> heads() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(heads));
    }
}
