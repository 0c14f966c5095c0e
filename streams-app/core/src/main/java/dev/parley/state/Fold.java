package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import java.util.ArrayList;
import java.util.List;
import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;

/**
 * Computes the state of one conversation after each of its messages, in the order of its audit chain. Only accepted
 * messages change it; rejected and flagged messages and duplicates do not, as in the dialogue. Stores the state, but no
 * messages. Not thread-safe.
 */
public final class Fold {
    /** Approximate bytes of an entry in addition to its strings. */
    private static final int ENTRY_BYTES = 200;

    /** Suffix of the codes that mark a message as a duplicate. */
    private static final String DUPLICATE = "_DUPLICATE";

    private final StateReducer reducer;
    private final PersistentMap.Builder<String, StateEntry> entries =
            ExtensionsKt.<String, StateEntry>persistentHashMapOf().builder();
    private long bytes;

    /**
     * Creates the fold of an empty conversation.
     *
     * @param model state model of its protocol
     */
    public Fold(StateModel.Folded model) {
        this.reducer = model.changes().get();
    }

    /** Whether a message can change a state: it was accepted, is not a duplicate, and still has its content. */
    public static boolean counts(AuditRecord record) {
        return Symbols.VERDICT.of(record.getVerdict()) == Verdict.ACCEPTED
                && record.getMessage() != null
                && record.getWarnings().stream().noneMatch(warning -> warning.endsWith(DUPLICATE));
    }

    /** Adds the next record. Returns its changes in order. */
    public List<Change> accept(AuditRecord record) {
        if (!counts(record)) {
            return List.of();
        }
        List<Change> made = new ArrayList<>();
        for (Change change : reducer.of(record)) {
            StateEntry before;
            if (change.value().isPresent()) {
                StateEntry entry =
                        new StateEntry(change.entry(), change.value().get(), ChangeOrigin.Message.of(record));
                before = entries.put(change.entry(), entry);
                bytes += weight(entry);
                made.add(change);
            } else {
                before = entries.remove(change.entry());
                if (before != null) {
                    made.add(change);
                }
            }
            if (before != null) {
                bytes -= weight(before);
            }
        }
        return made;
    }

    /** Approximate memory of the state. */
    public long bytes() {
        return bytes + reducer.bytes();
    }

    private static long weight(StateEntry entry) {
        String sender = entry.by().sender();
        return ENTRY_BYTES + entry.entry().length() + entry.value().length() + (sender == null ? 0 : sender.length());
    }

    /** Returns the current entries by name, in no order. Later messages do not change the result. */
    public PersistentMap<String, StateEntry> entries() {
        return entries.build();
    }
}
