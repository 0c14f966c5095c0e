package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;

/**
 * A checkpoint in the tree of its context.
 *
 * @param checkpoint the stored record; must not be changed
 * @param head whether it has no children
 */
public record CheckpointNode(Checkpoint checkpoint, boolean head) {}
