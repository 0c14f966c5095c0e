package dev.parley.state;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointNode;
import java.util.List;

/**
 * A checkpoint with its operations.
 *
 * @param checkpoint the checkpoint, whose keys are keys of this object
 * @param stateBytes bytes of names and values in its state
 * @param deltaBytes bytes of operations since the nearest snapshot
 * @param snapshot whether it stores the complete state
 */
public record CheckpointDetail(
        @JsonUnwrapped CheckpointSummary checkpoint,
        @Nullable String patchHash,
        long stateBytes,
        long deltaBytes,
        boolean snapshot,
        @Nullable Source source,
        List<CspOperation> operations) {

    static CheckpointDetail of(CheckpointNode node) {
        Checkpoint checkpoint = node.checkpoint();
        return new CheckpointDetail(
                CheckpointSummary.of(node),
                CheckpointSummary.hex(checkpoint.getPatchHash()),
                checkpoint.getStateBytes(),
                checkpoint.getDeltaBytes(),
                checkpoint.getSnapshot() != null,
                checkpoint.getSource(),
                checkpoint.getOperations());
    }
}
