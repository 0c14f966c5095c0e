package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import dev.parley.checkpoint.CheckpointReader.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** HistoryReader of definitions, walk after walk. */
final class HistoryReader {

    private HistoryReader() {}

    /**
     * A history.
     *
     * @param changes the checkpoints whose patches changed the definition, the latest first
     * @param pruned the pruned checkpoint at which it ended
     */
    record History(List<Checkpoint> changes, Optional<Checkpoint> pruned) {}

    static History of(CheckpointReader reader, CheckpointKey from, String name, int limit) {
        List<Checkpoint> changes = new ArrayList<>();
        CheckpointKey at = from;
        while (true) {
            Walk walk = reader.walk(at, name, limit - changes.size(), changes::add);
            if (walk.next().isEmpty() || changes.size() >= limit) {
                return new History(changes, walk.pruned());
            }
            at = at.sibling(walk.next().get());
        }
    }
}
