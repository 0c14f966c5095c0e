package dev.parley.checkpoint;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.ParkedPatch;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores patches until their base arrives. A slot is the key of the base and the position in the order of arrival; each
 * patch is stored under its slot.
 *
 * <p>Index keys: {@code due|time|slot} lists the slots by time; {@code hash|base|hash} finds a duplicate; {@code
 * parked|} counts the patches and bytes of the task, {@code parked-in|context} those of a context, and {@code
 * parked-for|base} the patches of a base with its first and next slot. The cost of each operation does not depend on
 * the number of parked patches.
 *
 * <p>Changed counts are buffered until {@link #save}, which the caller must call before its transaction ends. Not
 * thread-safe.
 */
final class ParkingLot {
    /** Result of parking a patch; the bounds carry their configuration keys. */
    enum Result {
        PARKED(null),
        ALREADY(null),
        FULL_BASE("csp.parking.max"),
        FULL_CONTEXT("csp.parking.context.max"),
        FULL_CONTEXT_BYTES("csp.parking.context.bytes"),
        FULL_TASK("csp.parking.task.max"),
        FULL_TASK_BYTES("csp.parking.task.bytes");

        private final String bound;

        Result(String bound) {
            this.bound = bound;
        }

        /** Configuration key of the exceeded bound; null if none is. */
        String bound() {
            return bound;
        }
    }

    private static final String DUE = "due|";
    static final String HASH = "hash|";
    static final String TASK = "parked|";
    static final String CONTEXT = "parked-in|";
    static final String BASE = "parked-for|";
    private static final long UNKNOWN = -1;

    private final SortedStore<String> index;
    private final SortedStore<ParkedPatch> lot;
    private final int baseLimit;
    private final ParkingLimits limits;
    private final long millis;

    /** Counts by index key that are not yet in the index. */
    private final Map<String, Tally> unsaved = new LinkedHashMap<>();

    /** Number of parked patches of the task. Avoids store reads while nothing is parked. */
    private long total = UNKNOWN;

    /** Lower bound of the earliest parking time. Avoids store reads while nothing is due. */
    private long earliest = UNKNOWN;

    ParkingLot(
            SortedStore<String> index, SortedStore<ParkedPatch> lot, int baseLimit, ParkingLimits limits, long millis) {
        this.index = index;
        this.lot = lot;
        this.baseLimit = baseLimit;
        this.limits = limits;
        this.millis = millis;
    }

    Result park(CheckpointKey base, ByteBuffer hash, long now, Supplier<Inbound> inbound) {
        String duplicate = HASH + base + "|" + hex(hash);
        total();
        if (index.get(duplicate).isPresent()) {
            return Result.ALREADY;
        }
        Tally ofBase = tally(BASE + base);
        Tally ofContext = tally(context(base));
        Tally ofTask = tally(TASK);
        if (ofBase.patches >= baseLimit) {
            return Result.FULL_BASE;
        }
        if (ofContext.patches >= limits.contextPatches()) {
            return Result.FULL_CONTEXT;
        }
        if (ofTask.patches >= limits.taskPatches()) {
            return Result.FULL_TASK;
        }
        Inbound record = inbound.get();
        long bytes = bytes(record);
        if (ofContext.bytes + bytes > limits.contextBytes()) {
            return Result.FULL_CONTEXT_BYTES;
        }
        if (ofTask.bytes + bytes > limits.taskBytes()) {
            return Result.FULL_TASK_BYTES;
        }
        long parkedAt = Math.max(0, now);
        ParkedPatch patch = new ParkedPatch(
                base.namespace(), base.context(), base.id(), hash.duplicate(), parkedAt, ofBase.next, record);
        String slot = slot(base, patch.getArrival());
        lot.put(slot, patch);
        index.put(duplicate, padded(patch.getArrival()));
        index.put(due(parkedAt, slot), slot);
        unsaved.put(BASE + base, new Tally(ofBase.patches + 1, ofBase.bytes + bytes, ofBase.first, ofBase.next + 1));
        unsaved.put(context(base), ofContext.plus(1, bytes));
        unsaved.put(TASK, ofTask.plus(1, bytes));
        earliest = total == 0 ? parkedAt : Math.min(earliest, parkedAt);
        total++;
        save();
        return Result.PARKED;
    }

    /** Whether no patch is parked for any base. */
    boolean isEmpty() {
        return total() == 0;
    }

    /** Whether a patch is parked for this base. */
    boolean isAwaited(CheckpointKey base) {
        return !isEmpty() && tally(BASE + base).patches > 0;
    }

    /** Removes and returns the first patch parked for this base. */
    Optional<ParkedPatch> poll(CheckpointKey base) {
        if (!isAwaited(base)) {
            return Optional.empty();
        }
        Optional<ParkedPatch> first = readable(slot(base, tally(BASE + base).first));
        if (first.isEmpty()) {
            List<ParkedPatch> later = new ArrayList<>(1);
            lot.scan(base + "|", (slot, patch) -> {
                later.add(patch);
                return false;
            });
            first = later.stream().findFirst();
        }
        if (first.isEmpty()) {
            forget(base);
        }
        return first.map(patch -> remove(base, patch));
    }

    /** Returns the patch in a slot; empty if it is missing or unreadable. */
    private Optional<ParkedPatch> readable(String slot) {
        try {
            return lot.get(slot);
        } catch (UnreadableValueException e) {
            return Optional.empty();
        }
    }

    /** Removes the patches of a base that the index counts, but none of which can be read. */
    private void forget(CheckpointKey base) {
        Tally lost = tally(BASE + base);
        uncount(base, lost.patches, lost.bytes);
        Map<String, String> arrivals = new LinkedHashMap<>();
        index.scan(HASH + base + "|", (key, arrival) -> {
            arrivals.put(key, arrival);
            return true;
        });
        arrivals.forEach((key, arrival) -> {
            index.delete(key);
            lot.delete(base + "|" + arrival);
        });
    }

    /** Returns the index entries of expired patches, longest first, for {@link #removeDue}. */
    List<String> due(long now, int limit) {
        if (isEmpty() || (earliest != UNKNOWN && !isDue(earliest, now))) {
            return List.of();
        }
        List<String> entries = new ArrayList<>();
        earliest = Long.MAX_VALUE;
        index.scanKeys(DUE, entry -> {
            long time = time(entry);
            earliest = Math.min(earliest, time);
            return entries.size() < limit && isDue(time, now) && entries.add(entry);
        });
        return entries;
    }

    /**
     * Removes an index entry with its patch, and returns the patch unless it is missing, unreadable or not that of the
     * entry.
     */
    Optional<ParkedPatch> removeDue(String entry) {
        String slot = slotOf(entry);
        index.delete(entry);
        Optional<ParkedPatch> patch = readable(slot);
        if (patch.isEmpty()) {
            discard(slot);
        }
        return patch.filter(parked -> entry.equals(due(parked.getParkedAt(), slot)))
                .map(parked -> remove(base(parked), parked));
    }

    /**
     * Removes a slot whose patch is missing or unreadable. Its bytes remain in the counts. A slot without a duplicate
     * entry is not counted: it was removed before, or another client wrote it.
     */
    private void discard(String slot) {
        int bar = Math.max(0, slot.lastIndexOf('|'));
        String duplicates = HASH + slot.substring(0, bar) + "|";
        List<String> keys = new ArrayList<>();
        index.scan(duplicates, (key, arrival) -> {
            // A slot of another client may name only a part of a base.
            if (slot.endsWith("|" + arrival) && key.lastIndexOf('|') == duplicates.length() - 1) {
                keys.add(key);
            }
            return true;
        });
        if (keys.isEmpty()) {
            lot.delete(slot);
        } else {
            remove(CheckpointKey.parse(slot.substring(0, bar)), Long.parseLong(slot.substring(bar + 1)), 0);
            keys.forEach(index::delete);
        }
    }

    /** Writes the buffered counts. */
    void save() {
        unsaved.forEach((key, tally) -> {
            if (tally.patches == 0) {
                index.delete(key);
            } else {
                index.put(key, tally.toString());
            }
        });
        unsaved.clear();
    }

    /** Bytes of a parked input record. */
    static long bytes(Inbound inbound) {
        long bytes = remaining(inbound.getKey()) + remaining(inbound.getValue());
        if (inbound.getHeaders() != null) {
            for (InboundHeader header : inbound.getHeaders()) {
                bytes += header.getKey().length() + remaining(header.getValue());
            }
        }
        return bytes;
    }

    private static long remaining(ByteBuffer bytes) {
        return bytes == null ? 0 : bytes.remaining();
    }

    private ParkedPatch remove(CheckpointKey base, ParkedPatch patch) {
        remove(base, patch.getArrival(), bytes(patch.getInbound()));
        index.delete(HASH + base + "|" + hex(patch.getPatchHash()));
        index.delete(due(patch.getParkedAt(), slot(base, patch.getArrival())));
        return patch;
    }

    private void remove(CheckpointKey base, long arrival, long bytes) {
        uncount(base, 1, bytes);
        Tally rest = tally(BASE + base);
        if (arrival == rest.first) {
            unsaved.put(BASE + base, new Tally(rest.patches, rest.bytes, rest.first + 1, rest.next));
        }
        lot.delete(slot(base, arrival));
    }

    private void uncount(CheckpointKey base, long patches, long bytes) {
        total = total() - patches;
        for (String key : List.of(BASE + base, context(base), TASK)) {
            unsaved.put(key, tally(key).plus(-patches, -bytes));
        }
    }

    private boolean isDue(long parkedAt, long now) {
        return now - parkedAt >= millis;
    }

    private long total() {
        if (total == UNKNOWN) {
            total = tally(TASK).patches;
        }
        return total;
    }

    private Tally tally(String key) {
        Tally changed = unsaved.get(key);
        if (changed != null) {
            return changed;
        }
        try {
            return index.get(key).map(Tally::parse).orElse(Tally.NONE);
        } catch (UnreadableValueException e) {
            Tally counted = recount(key);
            unsaved.put(key, counted);
            return counted;
        }
    }

    /** Counts the patches under an index key again, because its counts are unreadable: also those that are. */
    private Tally recount(String key) {
        boolean isOfBase = key.startsWith(BASE);
        String bases = key.substring(key.indexOf('|') + 1) + (isOfBase ? "|" : "");
        long[] bytes = new long[1];
        lot.scan(bases, (slot, patch) -> {
            // The ID of a base may contain bars.
            bytes[0] += !isOfBase || slot.lastIndexOf('|') + 1 == bases.length() ? bytes(patch.getInbound()) : 0;
            return true;
        });
        Tally[] counted = {new Tally(0, bytes[0], Long.MAX_VALUE, 0)};
        index.scan(HASH + bases, (hash, value) -> {
            if (!isOfBase || hash.lastIndexOf('|') + 1 == HASH.length() + bases.length()) {
                long arrival = Long.parseLong(value);
                Tally before = counted[0];
                counted[0] = new Tally(
                        before.patches + 1,
                        before.bytes,
                        Math.min(before.first, arrival),
                        Math.max(before.next, arrival + 1));
            }
            return true;
        });
        return counted[0].patches == 0 ? Tally.NONE : counted[0];
    }

    private static String context(CheckpointKey base) {
        return CONTEXT + CheckpointKey.prefix(base.namespace(), base.context());
    }

    static CheckpointKey base(ParkedPatch patch) {
        return new CheckpointKey(patch.getNamespace(), patch.getContext(), patch.getBase());
    }

    static String slot(CheckpointKey base, long arrival) {
        return base + "|" + padded(arrival);
    }

    private static String due(long parkedAt, String slot) {
        return DUE + padded(parkedAt) + "|" + slot;
    }

    private static String slotOf(String due) {
        return due.substring(due.indexOf('|', DUE.length()) + 1);
    }

    /** Returns the time of an index entry; 0 if the entry is not Parley's, so that it is removed. */
    private static long time(String due) {
        try {
            return Long.parseLong(due, DUE.length(), DUE.length() + padded(0).length(), 10);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return 0;
        }
    }

    /** Pads a number with zeros, so that strings sort like numbers. */
    static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, 19 - digits.length())) + digits;
    }

    private static String hex(ByteBuffer hash) {
        return HexFormat.of().formatHex(ByteBuffers.of(hash));
    }

    /**
     * Counts under one index key.
     *
     * @param patches number of parked patches
     * @param first for a base: no slot before this position is taken
     * @param next for a base: position of the next patch
     */
    record Tally(long patches, long bytes, long first, long next) {
        static final Tally NONE = new Tally(0, 0, 0, 0);

        static Tally parse(String text) {
            int second = text.indexOf(' ');
            int third = text.indexOf(' ', second + 1);
            int fourth = text.indexOf(' ', third + 1);
            return new Tally(
                    IndexEntries.number(text.substring(0, second)),
                    IndexEntries.number(text.substring(second + 1, third)),
                    IndexEntries.number(text.substring(third + 1, fourth)),
                    IndexEntries.number(text.substring(fourth + 1)));
        }

        Tally plus(long morePatches, long moreBytes) {
            return new Tally(patches + morePatches, bytes + moreBytes, first, next);
        }

        @Override
        public String toString() {
            return patches + " " + bytes + " " + first + " " + next;
        }
    }
}
