package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.ParkedPatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The patches that a new checkpoint sets free, in the order in which they are to be judged: those that wait for one checkpoint in the order
 * of their arrival, and what waits for a checkpoint that one of them makes before the next of them. For one thread.
 *
 * <pre>{@code
 * Outcome outcome = checkpoints.apply(message, now, inbound);      // and record it
 * if (outcome instanceof Outcome.Applied applied) cascade.made(applied.checkpoint());
 * for (var patch = cascade.next(); patch.isPresent(); patch = cascade.next()) {
 *     // decode patch.inbound, judge it, apply it and record its final verdict; if it is Applied: cascade.made(...)
 * }
 * }</pre>
 */
public final class Cascade {
    private final Checkpoints checkpoints;
    private final Deque<ParkedPatch> free = new ArrayDeque<>();

    /** A cascade over these checkpoints, empty. */
    public Cascade(Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
    }

    /** Takes what waits for this checkpoint out of the parking lot, to be judged before all that was set free earlier. */
    public void made(Checkpoint checkpoint) {
        List<ParkedPatch> waiting = checkpoints.release(
                new CheckpointKey(checkpoint.getNamespace(), checkpoint.getContext(), checkpoint.getId()));
        for (int i = waiting.size() - 1; i >= 0; i--) {
            free.push(waiting.get(i));
        }
    }

    /** The next patch to judge; empty when the cascade has come to its end. */
    public Optional<ParkedPatch> next() {
        return Optional.ofNullable(free.poll());
    }
}
