package dev.parley.stage;

import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.dialogue.ContextView;
import java.util.function.Predicate;

/** The checkpoints of one context, as dialogue rules see them. */
public record KnownCheckpoints(CheckpointReader checkpoints, String namespace, String context) implements ContextView {

    @Override
    public boolean knows(String checkpoint) {
        return checkpoints.exists(new CheckpointKey(namespace, context, checkpoint));
    }

    @Override
    public Predicate<String> names(String checkpoint) {
        return checkpoints.names(new CheckpointKey(namespace, context, checkpoint));
    }
}
