package dev.parley.json.model.state;

import dev.parley.json.Nullable;
import dev.parley.json.Paged;
import java.util.List;

/**
 * A page of the checkpoints of a context.
 *
 * @param heads IDs of the branch heads
 */
public record CheckpointTree(
        String namespace,
        String protocol,
        String conversation,
        List<Checkpoint> items,
        List<String> heads,
        @Nullable String next)
        implements Paged<Checkpoint> {}
