package dev.parley.checkpoint;

import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kotlinx.collections.immutable.PersistentMap;

/** What a patch's operations do to a state, and how much they weigh. */
final class PatchOperations {
    /** Weight of a patch beside its names and values, so that a run of patches is bounded even if they are empty. */
    static final int PATCH_WEIGHT = 32;

    private PatchOperations() {}

    /** An operation that does not fit a state. */
    record Misfit(Code code, String detail) {}

    /** The first name that stands twice; null when none does. */
    static String repeatedName(List<CspOperation> operations) {
        if (operations.size() < 2) {
            return null;
        }
        Set<String> names = new HashSet<>(operations.size() * 2);
        for (CspOperation operation : operations) {
            if (!names.add(operation.getName())) {
                return operation.getName();
            }
        }
        return null;
    }

    /** Why the operations do not fit the state: the first, in wire order, that does not; null when all do. */
    static Misfit misfit(List<CspOperation> operations, Map<String, Definition> state) {
        for (CspOperation operation : operations) {
            boolean defined = state.containsKey(operation.getName());
            if (defined == (operation.getOperator() == CspOperator.ADD)) {
                String name = "'" + Excerpt.of(operation.getName()) + "'";
                return switch (operation.getOperator()) {
                    case ADD -> new Misfit(Code.CSP_ADD_EXISTS, name + " is added, but the base defines it");
                    case CHANGE ->
                        new Misfit(Code.CSP_CHANGE_MISSING, name + " is changed, but the base does not define it");
                    case REMOVE ->
                        new Misfit(Code.CSP_REMOVE_MISSING, name + " is removed, but the base does not define it");
                    case UNKNOWN -> throw new IllegalArgumentException("an operation without an operator");
                };
            }
        }
        return null;
    }

    /** The state after operations that fit it, done by the checkpoint of that ordinal. */
    static PersistentMap<String, Definition> apply(
            List<CspOperation> operations, PersistentMap<String, Definition> state, long ordinal) {
        PersistentMap.Builder<String, Definition> after = state.builder();
        applyTo(after, operations, ordinal);
        return after.build();
    }

    /** Does operations that fit it to a state that nobody else has. */
    static void applyTo(Map<String, Definition> state, List<CspOperation> operations, long ordinal) {
        for (CspOperation operation : operations) {
            if (operation.getOperator() == CspOperator.REMOVE) {
                state.remove(operation.getName());
            } else {
                state.put(operation.getName(), new Definition(operation.getValue(), ordinal));
            }
        }
    }

    /**
     * Whether operations that fit the state replace it whole: all that it defines is removed, and something else is
     * added.
     */
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

    /** Bytes that operations that fit the state add to it. */
    static long growth(List<CspOperation> operations, Map<String, Definition> state) {
        long growth = 0;
        for (CspOperation operation : operations) {
            String name = operation.getName();
            growth += switch (operation.getOperator()) {
                case ADD -> utf8Length(name) + utf8Length(operation.getValue());
                case CHANGE ->
                    utf8Length(operation.getValue())
                            - utf8Length(state.get(name).value());
                case REMOVE -> -utf8Length(name) - utf8Length(state.get(name).value());
                case UNKNOWN -> 0;
            };
        }
        return growth;
    }

    /** What a patch with these operations adds to the run of deltas. */
    static long weight(List<CspOperation> operations) {
        long weight = PATCH_WEIGHT;
        for (CspOperation operation : operations) {
            weight += utf8Length(operation.getName());
            weight += operation.getValue() == null ? 0 : utf8Length(operation.getValue());
        }
        return weight;
    }

    /**
     * The chain hash of a checkpoint, as its record's documentation has it; the root has no parent, the empty patch id
     * and no operations.
     */
    static ByteBuffer hash(ByteBuffer parent, String id, String patch, List<CspOperation> operations) {
        long bytes = parent.remaining() + textBytes(id) + textBytes(patch) + Integer.BYTES;
        for (CspOperation operation : operations) {
            bytes += 1 + textBytes(operation.getName()) + textBytes(operation.getValue());
        }
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
        MessageDigest digest = sha256();
        digest.update(hashed.flip());
        return ByteBuffer.wrap(digest.digest());
    }

    /** What {@link #put} takes. */
    private static long textBytes(String text) {
        return text == null ? 0 : Integer.BYTES + utf8Length(text);
    }

    /** A text behind its length in UTF-8; nothing for null. */
    private static void put(ByteBuffer to, String text) {
        if (text != null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            to.putInt(bytes.length).put(bytes);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static long utf8Length(String text) {
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Half of a pair counts two of the pair's four bytes.
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return length;
    }
}
