package dev.parley.state;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointNode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * A checkpoint without its operations, snapshot, and setters, which may be large.
 *
 * @param parent ID of the parent; null for the root
 * @param patch ID of the patch that made it; null for the root
 * @param sender sender of the patch; null for the root
 * @param depth number of patches between the root and it
 * @param ordinal its position in the order of application
 * @param operationCount number of its operations; 0 if pruned
 * @param time time of the patch; empty for the root
 * @param prunedAt record time at which its content was pruned; empty while its state can be rebuilt
 * @param hash its hash, not to be changed; an empty buffer if there is none
 * @param head whether it has no children
 */
public record CheckpointSummary(
        String id,
        String parent,
        String patch,
        String sender,
        long depth,
        long ordinal,
        int operationCount,
        Optional<Instant> time,
        Optional<Instant> prunedAt,
        ByteBuffer hash,
        boolean head)
        implements QueryBudget.Item {

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
                Optional.ofNullable(checkpoint.getSource()).map(Source::getTimestamp),
                Optional.ofNullable(checkpoint.getPrunedAt()),
                checkpoint.getHash(),
                node.head());
    }
}
