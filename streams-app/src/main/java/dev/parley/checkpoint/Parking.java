package dev.parley.checkpoint;

import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where patches wait for their base. A slot is the base's key and the position in the order of arrival; the index has each slot twice, by
 * base ({@code wait|slot} to the patch's hash) and by time ({@code due|time|slot} to the slot), so that no patch is read before its turn.
 */
final class Parking {
    /** What became of a patch that was to be parked. */
    enum Answer {
        PARKED,
        ALREADY,
        FULL
    }

    private static final String WAIT = "wait|";
    private static final String DUE = "due|";
    private static final long UNKNOWN = -1;

    private final SortedStore<String> index;
    private final SortedStore<ParkedPatch> lot;
    private final int limit;
    private final long millis;

    /** When the patch that waits longest was parked; Long.MAX_VALUE when none waits. Spares the store while nothing is parked. */
    private long earliest = UNKNOWN;

    Parking(SortedStore<String> index, SortedStore<ParkedPatch> lot, int limit, long millis) {
        this.index = index;
        this.lot = lot;
        this.limit = limit;
        this.millis = millis;
    }

    Answer park(CheckpointKey base, ByteBuffer hash, long now, Supplier<Inbound> inbound) {
        String hex = hex(hash);
        Waiting waiting = new Waiting(hex);
        index.scan(WAIT + base + "|", waiting::visit);
        if (waiting.found) {
            return Answer.ALREADY;
        }
        if (waiting.count >= limit) {
            return Answer.FULL;
        }
        long parkedAt = Math.max(0, now);
        ParkedPatch patch = new ParkedPatch(
                base.namespace(),
                base.context(),
                base.id(),
                hash.duplicate(),
                parkedAt,
                waiting.last + 1,
                inbound.get());
        String slot = slot(base, patch.getArrival());
        long first = earliest();
        index.put(WAIT + slot, hex);
        index.put(due(parkedAt, slot), slot);
        lot.put(slot, patch);
        earliest = Math.min(first, parkedAt);
        return Answer.PARKED;
    }

    /** Takes out what waits for this base, in the order of arrival. */
    List<ParkedPatch> release(CheckpointKey base) {
        if (earliest() == Long.MAX_VALUE) {
            return List.of();
        }
        List<String> slots = new ArrayList<>();
        index.scan(WAIT + base + "|", (key, hash) -> slots.add(key.substring(WAIT.length())));
        return takeOut(slots);
    }

    /** Takes out what has waited as long as it may, the longest first. */
    List<ParkedPatch> timeOut(long now) {
        if (!isDue(earliest(), now)) {
            return List.of();
        }
        List<String> slots = new ArrayList<>();
        index.scan(DUE, (key, slot) -> isDue(time(key), now) && slots.add(slot));
        return takeOut(slots);
    }

    void clear() {
        earliest = UNKNOWN;
    }

    private boolean isDue(long parkedAt, long now) {
        return now - parkedAt >= millis;
    }

    private List<ParkedPatch> takeOut(List<String> slots) {
        List<ParkedPatch> patches = new ArrayList<>(slots.size());
        for (String slot : slots) {
            ParkedPatch patch = lot.get(slot)
                    .orElseThrow(
                            () -> new IllegalStateException("the parking lot lacks " + slot + ", its index has it"));
            patches.add(patch);
            lot.delete(slot);
            index.delete(WAIT + slot);
            index.delete(due(patch.getParkedAt(), slot));
        }
        if (!slots.isEmpty()) {
            earliest = UNKNOWN;
        }
        return patches;
    }

    private long earliest() {
        if (earliest == UNKNOWN) {
            earliest = Long.MAX_VALUE;
            index.scan(DUE, (key, slot) -> {
                earliest = time(key);
                return false;
            });
        }
        return earliest;
    }

    private static String slot(CheckpointKey base, long arrival) {
        return base + "|" + padded(arrival);
    }

    private static String due(long parkedAt, String slot) {
        return DUE + padded(parkedAt) + "|" + slot;
    }

    private static long time(String due) {
        return Long.parseLong(due, DUE.length(), due.indexOf('|', DUE.length()), 10);
    }

    /** The number with so many zeros before it that texts sort as numbers do. */
    static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(19 - digits.length()) + digits;
    }

    private static String hex(ByteBuffer hash) {
        byte[] bytes = new byte[hash.remaining()];
        hash.duplicate().get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** What a look at those who wait for a base tells. */
    private static final class Waiting {
        private final String hash;
        private boolean found;
        private int count;
        private long last = -1;

        Waiting(String hash) {
            this.hash = hash;
        }

        boolean visit(String key, String other) {
            found = other.equals(hash);
            count++;
            last = Long.parseLong(key, key.lastIndexOf('|') + 1, key.length(), 10);
            return !found;
        }
    }
}
