package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.util.ArrayList;
import java.util.List;
import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;

/**
 * The state of one conversation after each of its messages, in the order of its audit chain. Only what was accepted
 * moves it: a rejected message, one that was merely flagged, and a duplicate do not, as they do not move the dialogue.
 * Keeps the state and nothing of the messages. For one thread.
 */
public final class Fold {
    /** What an entry takes besides its texts, about. */
    private static final int ENTRY_BYTES = 200;

    /** What the codes end with that mark a message as one that was accepted before. */
    private static final String DUPLICATE = "_DUPLICATE";

    private final StateReducer stateReducer;
    private final PersistentMap.Builder<String, StateEntry> entries =
            ExtensionsKt.<String, StateEntry>persistentHashMapOf().builder();
    private long bytes;

    /**
     * The fold of an empty conversation.
     *
     * @param model the fold of its protocol
     */
    public Fold(StateModel.Folded model) {
        this.stateReducer = model.changes().get();
    }

    /** Whether a message can move a state: it was accepted, is no duplicate, and its content is still there. */
    public static boolean counts(AuditRecord record) {
        return record.getVerdict() == Verdict.ACCEPTED
                && record.getMessage() != null
                && record.getWarnings().stream().noneMatch(warning -> warning.endsWith(DUPLICATE));
    }

    /** Takes the next record; answers what it changed, in its order. */
    public List<Change> accept(AuditRecord record) {
        if (!counts(record)) {
            return List.of();
        }
        List<Change> made = new ArrayList<>();
        for (Change change : stateReducer.of(record)) {
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

    /** Memory that the state takes, about. */
    public long bytes() {
        return bytes + stateReducer.bytes();
    }

    private static long weight(StateEntry entry) {
        String sender = entry.origin().sender();
        return ENTRY_BYTES + entry.name().length() + entry.value().length() + (sender == null ? 0 : sender.length());
    }

    /** The state now, by the names of its entries, in no order; later messages do not change it. */
    public PersistentMap<String, StateEntry> entries() {
        return entries.build();
    }
}
