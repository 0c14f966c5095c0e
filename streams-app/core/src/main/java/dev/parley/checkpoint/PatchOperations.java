package dev.parley.checkpoint;

import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.dialogue.StateBytes;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import kotlinx.collections.immutable.PersistentMap;

/** Effects of patch operations on states, and their weights. */
final class PatchOperations {
    /** Weight of a patch in addition to names and values, which bounds a run of empty patches. */
    static final int PATCH_WEIGHT = 32;

    /** Bytes of an operation in a hash without name and value: the operator and two lengths. */
    private static final int OPERATION_BYTES = 1 + 2 * Integer.BYTES;

    private PatchOperations() {}

    /** An operation that does not match a state. */
    record Mismatch(Code code, String detail) {}

    /** Returns the first operation, in wire order, that does not match the state; null if all match. */
    static Mismatch mismatch(List<CspOperation> operations, Map<String, Definition> state) {
        for (CspOperation operation : operations) {
            boolean defined = state.containsKey(operation.getName());
            if (defined == (operation.getOperator() == CspOperator.ADD)) {
                String name = "'" + Excerpt.of(operation.getName()) + "'";
                return switch (operation.getOperator()) {
                    case ADD -> new Mismatch(Code.CSP_ADD_EXISTS, name + " is added, but the base defines it");
                    case CHANGE ->
                        new Mismatch(Code.CSP_CHANGE_MISSING, name + " is changed, but the base does not define it");
                    case REMOVE ->
                        new Mismatch(Code.CSP_REMOVE_MISSING, name + " is removed, but the base does not define it");
                    case UNKNOWN -> throw new IllegalArgumentException("an operation must have an operator");
                };
            }
        }
        return null;
    }

    /** Returns the state after matching operations by the checkpoint of an ordinal. */
    static PersistentMap<String, Definition> apply(
            List<CspOperation> operations, PersistentMap<String, Definition> state, long ordinal) {
        PersistentMap.Builder<String, Definition> after = state.builder();
        for (CspOperation operation : operations) {
            if (operation.getOperator() == CspOperator.REMOVE) {
                after.remove(operation.getName());
            } else {
                after.put(operation.getName(), new Definition(operation.getValue(), ordinal));
            }
        }
        return after.build();
    }

    /** Whether matching operations replace the whole state: they remove all of its definitions, and add others. */
    static boolean isFullRewrite(List<CspOperation> operations, Map<String, Definition> state) {
        int removed = 0;
        int added = 0;
        for (CspOperation operation : operations) {
            switch (operation.getOperator()) {
                case ADD -> added++;
                case REMOVE -> removed++;
                default -> {}
            }
        }
        return added > 0 && removed > 0 && removed == state.size();
    }

    /** Bytes by which matching operations enlarge the state. */
    static long growth(List<CspOperation> operations, Map<String, Definition> state) {
        long growth = 0;
        for (CspOperation operation : operations) {
            String name = operation.getName();
            growth += switch (operation.getOperator()) {
                case ADD -> StateBytes.of(name) + StateBytes.of(operation.getValue());
                case CHANGE ->
                    StateBytes.of(operation.getValue())
                            - StateBytes.of(state.get(name).value());
                case REMOVE ->
                    -StateBytes.of(name) - StateBytes.of(state.get(name).value());
                case UNKNOWN -> 0;
            };
        }
        return growth;
    }

    /** Weight of a patch in a run of deltas. */
    static long weight(List<CspOperation> operations) {
        long weight = PATCH_WEIGHT;
        for (CspOperation operation : operations) {
            weight += StateBytes.of(operation.getName());
            weight += StateBytes.of(operation.getValue());
        }
        return weight;
    }

    /**
     * Computes the chain hash of a checkpoint as its schema describes. The root has no parent, an empty patch ID, and
     * no operations.
     */
    static ByteBuffer hash(ByteBuffer parent, String id, String patch, List<CspOperation> operations) {
        long bytes = parent.remaining() + textBytes(id) + textBytes(patch) + Integer.BYTES;
        bytes += weight(operations) + (long) OPERATION_BYTES * operations.size();
        ByteBuffer hashed = ByteBuffer.allocate(Math.toIntExact(bytes));
        hashed.put(parent.duplicate());
        put(hashed, id);
        put(hashed, patch);
        hashed.putInt(operations.size());
        for (CspOperation operation : operations) {
            hashed.put(
                    switch (operation.getOperator()) {
                        case ADD -> (byte) '+';
                        case CHANGE -> (byte) '~';
                        case REMOVE -> (byte) '-';
                        case UNKNOWN -> (byte) '?';
                    });
            put(hashed, operation.getName());
            put(hashed, operation.getValue());
        }
        MessageDigest digest = Sha256.digest();
        digest.update(hashed.flip());
        return ByteBuffer.wrap(digest.digest());
    }

    /** Bytes that {@link #put} writes. */
    private static long textBytes(String text) {
        return text == null ? 0 : Integer.BYTES + StateBytes.of(text);
    }

    /** Writes a string in UTF-8 after its length; nothing for null. */
    private static void put(ByteBuffer to, String text) {
        if (text != null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            to.putInt(bytes.length).put(bytes);
        }
    }
}
