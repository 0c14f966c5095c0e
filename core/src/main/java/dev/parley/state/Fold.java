package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import java.util.ArrayList;
import java.util.List;
import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;

/**
 * The state of one conversation after each of its messages, in the order of its audit chain. Only what was accepted moves it: a rejected message, one that
 * was merely flagged, and a duplicate do not, as they do not move the dialogue. Keeps the state and nothing of the messages. For one thread.
 */
public final class Fold {
    /** What an entry takes besides its texts, about. */
    private static final int ENTRY_BYTES = 200;

    private final Changes changes;
    private final PersistentMap.Builder<String, StateEntry> entries =
            ExtensionsKt.<String, StateEntry>persistentHashMapOf().builder();
    private long bytes;

    /**
     * The fold of an empty conversation.
     *
     * @param protocol SLIP, SUBIT or LAMBDA
     */
    public Fold(Protocol protocol) {
        this.changes = switch (protocol) {
            case SLIP -> new SlipChanges();
            case SUBIT -> new SubitChanges();
            case LAMBDA -> new LambdaChanges();
            case CSP, UNKNOWN -> throw new IllegalArgumentException("there is no fold of " + protocol);
        };
    }

    /** Whether a message can move a state: it was accepted, is no duplicate, and its content is still there. */
    public static boolean counts(AuditRecord record) {
        return record.getVerdict() == Verdict.ACCEPTED
                && record.getMessage() != null
                && !record.getWarnings().contains(Code.SLIP_DUPLICATE.name())
                && !record.getWarnings().contains(Code.CSP_DUPLICATE.name());
    }

    /** Takes the next record; answers what it changed, in its order. */
    public List<Change> accept(AuditRecord record) {
        if (!counts(record)) {
            return List.of();
        }
        List<Change> made = new ArrayList<>();
        for (Change change : changes.of(record)) {
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
        return bytes + changes.bytes();
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
