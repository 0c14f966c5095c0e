package dev.parley.chaos;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;

/**
 * Compares the states of all contexts from two sources: the bytes of the accepted patches, line by line, and the
 * checkpoints that Parley wrote. Independent of how Parley decodes, applies or stores.
 */
final class ExpectedStates {
    private static final PersistentMap<String, String> EMPTY = ExtensionsKt.persistentHashMapOf();

    private final Map<String, PersistentMap<String, String>> expected = new HashMap<>();
    private final Map<String, Written> written = new HashMap<>();
    private final Map<String, PersistentMap<String, String>> rebuilt = new HashMap<>();
    /** In the order in which they were written: a parent before its children. */
    private final Map<String, Checkpoint> unread = new LinkedHashMap<>();

    private final List<String> wrong = new ArrayList<>();

    /**
     * Adds an accepted patch; those of a context in the order of its chain.
     *
     * @param context namespace|context
     */
    void patch(String context, String wire) {
        String target = null;
        PersistentMap.Builder<String, String> state = EMPTY.builder();
        for (String line : wire.split("\n", -1)) {
            if (line.startsWith("BASE ")) {
                state = expected(context, line.substring("BASE ".length())).builder();
            } else if (line.startsWith("+ DEF ")) {
                define(state, line, " = ");
            } else if (line.startsWith("~ DEF ")) {
                define(state, line, " := ");
            } else if (line.startsWith("- DEF ")) {
                state.remove(line.substring("- DEF ".length()));
            } else if (line.startsWith("APPLY -> ")) {
                target = line.substring("APPLY -> ".length());
            }
        }
        String id = context + "|" + target;
        if (expected.put(id, state.build()) != null) {
            wrong.add("two patches were accepted that make " + id);
        }
    }

    private static void define(Map<String, String> state, String line, String sign) {
        int at = line.indexOf(sign);
        state.put(line.substring("+ DEF ".length(), at), line.substring(at + sign.length()));
    }

    private PersistentMap<String, String> expected(String context, String id) {
        if (id.equals("C0")) {
            return EMPTY;
        }
        PersistentMap<String, String> state = expected.get(context + "|" + id);
        if (state == null) {
            wrong.add("a patch was accepted on " + context + "|" + id + ", which does not exist");
            return EMPTY;
        }
        return state;
    }

    /** Whether the base of a patch exists. */
    boolean isMade(String context, String wire) {
        String base = wire.lines()
                .filter(line -> line.startsWith("BASE "))
                .map(line -> line.substring("BASE ".length()))
                .findFirst()
                .orElse("");
        return base.equals("C0") || expected.containsKey(context + "|" + base);
    }

    /** Adds a checkpoint of the topic. It may be written again only to add a missing snapshot. */
    void checkpoint(Checkpoint checkpoint) {
        String id = checkpoint.getNamespace() + "|" + checkpoint.getContext() + "|" + checkpoint.getId();
        Written now = new Written(checkpoint.getHash(), checkpoint.getSnapshot() != null);
        Written before = written.put(id, now);
        if (before != null
                && (before.snapshot() || !now.snapshot() || !before.hash().equals(now.hash()))) {
            wrong.add("checkpoint " + id + " was written twice");
        }
        unread.put(id, checkpoint);
    }

    /** Kept of a checkpoint; the hash covers its parent's hash and its operations. */
    private record Written(ByteBuffer hash, boolean snapshot) {}

    /**
     * The violations since the last call, one sentence each. Call this when both sides have been read to the same
     * point.
     */
    List<String> objections() {
        unread.forEach(this::compare);
        unread.clear();
        if (rebuilt.size() != expected.size()) {
            expected.keySet().stream()
                    .filter(id -> !rebuilt.containsKey(id))
                    .limit(10)
                    .forEach(id -> wrong.add("checkpoint " + id + " was not written"));
        }
        List<String> objections = List.copyOf(wrong);
        wrong.clear();
        return objections;
    }

    /** Number of compared states. */
    int compared() {
        return rebuilt.size();
    }

    private void compare(String id, Checkpoint checkpoint) {
        if (checkpoint.getParent() == null) {
            return;
        }
        String parent = id.substring(0, id.lastIndexOf('|') + 1) + checkpoint.getParent();
        PersistentMap<String, String> before = rebuilt.get(parent);
        if (before == null && !checkpoint.getParent().equals("C0")) {
            wrong.add("checkpoint " + parent + " was not written before " + id + ", which is made from it");
        }
        PersistentMap<String, String> state = apply(checkpoint.getOperations(), before == null ? EMPTY : before);
        PersistentMap<String, String> wanted = expected.get(id);
        if (!state.equals(wanted)) {
            wrong.add("checkpoint " + id + " is " + state + " and should be " + wanted);
        }
        // An equal state is kept once.
        rebuilt.put(id, state.equals(wanted) ? wanted : state);
        if (checkpoint.getSnapshot() != null && !checkpoint.getSnapshot().equals(wanted)) {
            wrong.add("the snapshot of checkpoint " + id + " is not its state");
        }
    }

    private static PersistentMap<String, String> apply(
            List<CspOperation> operations, PersistentMap<String, String> before) {
        PersistentMap.Builder<String, String> after = before.builder();
        for (CspOperation operation : operations) {
            if (operation.getOperator() == CspOperator.REMOVE) {
                after.remove(operation.getName());
            } else {
                after.put(operation.getName(), operation.getValue());
            }
        }
        return after.build();
    }
}
