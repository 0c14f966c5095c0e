package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Patches that new checkpoints release, in the order in which they must be judged: those of one base in the order of
 * arrival, each followed by the patches that wait for its own checkpoint. A patch leaves the parking lot on its turn,
 * so a cascade may stop after any patch. {@link #suspend} stores the bases with remaining patches, and {@link #resume}
 * continues with them, oldest cascade first. Not thread-safe.
 *
 * <p>Index keys: {@code free|cascade|position} lists the bases with remaining patches; {@code free-next} is the number
 * of the next cascade.
 *
 * <pre>{@code
 * PatchOutcome outcome = checkpoints.apply(message, now, inbound);      // and record it
 * if (outcome instanceof PatchOutcome.Applied applied) queue.add(applied.checkpoint());
 * for (var patch = queue.next(); patch.isPresent(); patch = queue.next()) {
 *     // decode patch.inbound, judge it, apply it and record its final verdict; if it is Applied: queue.add(...)
 * }
 * queue.suspend();                                                      // stores the rest, if any
 * }</pre>
 */
public final class ReleasedPatchQueue {
    static final String FREE = "free|";
    private static final String NEXT = "free-next";

    /** Positions start here, which leaves room before the first. */
    private static final long MIDDLE = 1_000_000_000_000_000L;

    private final SortedStore<String> index;
    private final ParkingLot lot;
    private final CheckpointReader reader;
    private final Deque<Base> bases = new ArrayDeque<>();

    /** The stored cascade that this one continues, and the position of its first base; null if this one is new. */
    private Stored continued;

    private Source cause;

    private record Base(CheckpointKey key, Source cause) {}

    private record Stored(String cascade, long position) {}

    /** Creates an empty queue over these checkpoints. */
    public ReleasedPatchQueue(Checkpoints checkpoints) {
        this.index = checkpoints.index();
        this.lot = checkpoints.parking();
        this.reader = checkpoints.reader();
    }

    /** Adds the patches that wait for this checkpoint. They must be judged before all that were released earlier. */
    public void add(Checkpoint checkpoint) {
        push(new CheckpointKey(checkpoint.getNamespace(), checkpoint.getContext(), checkpoint.getId()), checkpoint);
    }

    /** Removes the next patch to judge from the parking lot; empty if none remains. */
    public Optional<ParkedPatch> next() {
        while (!bases.isEmpty()) {
            Base base = bases.peek();
            Optional<ParkedPatch> patch = lot.poll(base.key());
            if (!lot.isAwaited(base.key())) {
                // Popped before the patch is judged, so that a chain of patches does not deepen the stack.
                bases.pop();
            }
            if (patch.isPresent()) {
                cause = base.cause();
                return patch;
            }
        }
        return Optional.empty();
    }

    /** The input record whose patch released the latest patch. */
    public Source cause() {
        return cause;
    }

    /**
     * Continues the oldest stored cascade with its next base. Call this when {@link #next} is empty.
     *
     * @return whether there was one
     */
    public boolean resume() {
        String[] found = new String[2];
        index.scan(FREE, (key, base) -> {
            found[0] = key;
            found[1] = base;
            return false;
        });
        if (found[0] == null) {
            return false;
        }
        int bar = found[0].lastIndexOf('|');
        continued =
                new Stored(found[0].substring(0, bar + 1), Long.parseLong(found[0], bar + 1, found[0].length(), 10));
        index.delete(found[0]);
        CheckpointKey base = CheckpointKey.parse(found[1]);
        try {
            reader.checkpoint(base).ifPresent(node -> push(base, node));
        } catch (UnreadableValueException e) {
            // Its patches stay parked, and expire.
        }
        return true;
    }

    /**
     * Stores the bases with remaining patches, and the counts of the parking lot.
     *
     * @return whether any patch remains
     */
    public boolean suspend() {
        boolean remains = !bases.isEmpty();
        if (remains) {
            String cascade = continued != null ? continued.cascade() : FREE + newNumber() + "|";
            long position = continued != null ? continued.position() - bases.size() + 1 : MIDDLE;
            for (Base base : bases) {
                index.put(cascade + ParkingLot.padded(position++), base.key().toString());
            }
            bases.clear();
        }
        lot.save();
        return remains;
    }

    private void push(CheckpointKey key, Checkpoint node) {
        if (lot.isAwaited(key)) {
            bases.push(new Base(key, node.getReleasedBy() != null ? node.getReleasedBy() : node.getSource()));
        }
    }

    private String newNumber() {
        long number;
        try {
            number = index.get(NEXT).map(Long::parseLong).orElse(0L);
        } catch (UnreadableValueException e) {
            number = afterStored();
        }
        index.put(NEXT, Long.toString(number + 1));
        return ParkingLot.padded(number);
    }

    /** The number after those of the stored cascades. */
    private long afterStored() {
        long[] next = new long[1];
        index.scan(FREE, (key, base) -> {
            next[0] = Long.parseLong(key, FREE.length(), key.indexOf('|', FREE.length()), 10) + 1;
            return true;
        });
        return next[0];
    }
}
