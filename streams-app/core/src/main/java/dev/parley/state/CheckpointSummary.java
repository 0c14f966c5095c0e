package dev.parley.state;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.avro.Checkpoint;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A checkpoint without its operations, snapshot, and setters, which may be large.
 *
 * @param parent ID of the parent; null for the root
 * @param patch ID of the patch that made it; null for the root
 * @param sender sender of the patch; null for the root
 * @param depth number of patches between the root and it
 * @param ordinal its position in the order of application
 * @param operationCount number of its operations; 0 if pruned
 * @param time time of the patch; null for the root
 * @param prunedAt record time at which its content was pruned; null while its state can be rebuilt
 * @param hash its hash in hexadecimal digits; null if there is none
 * @param head whether it has no children
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
public record CheckpointSummary(
        String id,
        @Nullable String parent,
        @Nullable String patch,
        @Nullable String sender,
        long depth,
        long ordinal,
        int operationCount,
        @Nullable Instant time,
        @Nullable Instant prunedAt,
        @Nullable String hash,
        boolean head)
        implements StatePoint {

    public static CheckpointSummary of(CheckpointNode node) {
        Checkpoint checkpoint = node.checkpoint();
        return new CheckpointSummary(
                checkpoint.getId(),
                checkpoint.getParent(),
                checkpoint.getPatch(),
                checkpoint.getSender(),
                checkpoint.getDepth(),
                checkpoint.getOrdinal(),
                checkpoint.getOperations().size(),
                checkpoint.getSource() == null ? null : checkpoint.getSource().getTimestamp(),
                checkpoint.getPrunedAt(),
                hex(checkpoint.getHash()),
                node.head());
    }

    /**
     * Returns the checkpoint as it is later.
     *
     * @param pruned record time at which its content was pruned; null if it was not
     * @param isHead whether it has no children
     */
    public CheckpointSummary with(Instant pruned, boolean isHead) {
        int operations = pruned == null ? operationCount : 0;
        return new CheckpointSummary(id, parent, patch, sender, depth, ordinal, operations, time, pruned, hash, isHead);
    }

    /** Returns the hexadecimal digits of a hash; null for no bytes. */
    public static String hex(ByteBuffer hash) {
        return hash.hasRemaining() ? HexFormat.of().formatHex(ByteBuffers.of(hash)) : null;
    }
}
