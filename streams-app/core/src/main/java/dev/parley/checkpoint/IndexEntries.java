package dev.parley.checkpoint;

import dev.parley.avro.ParkedPatch;

/**
 * Checks the entries of the index and of the parking lot. Without a code, a restored store has whatever another client
 * wrote to its changelog.
 */
public final class IndexEntries {
    private IndexEntries() {}

    /** Returns whether the index can have an entry. Entries of keys that are not parsed may have any value. */
    public static boolean isValid(String key, String value) {
        int kind = key.indexOf('|') + 1;
        int last = key.lastIndexOf('|');
        try {
            switch (key.substring(0, kind)) {
                case ParkingLot.TASK, ParkingLot.CONTEXT, ParkingLot.BASE -> ParkingLot.Tally.parse(value);
                case ParkingLot.HASH -> {
                    CheckpointKey.parse(key.substring(kind, last));
                    number(value);
                }
                case ReleasedPatchQueue.FREE -> {
                    number(key.substring(kind, last));
                    number(key.substring(last + 1));
                    CheckpointKey.parse(value);
                }
                case CheckpointPruner.OLD -> {
                    int time = key.indexOf('|', key.indexOf('|', kind) + 1) + 1;
                    number(key.substring(time, key.indexOf('|', time)));
                }
                case Checkpoints.LAST -> {
                    int bar = value.indexOf('|');
                    number(value.substring(0, bar));
                    Long.parseLong(value, bar + 1, value.indexOf('|', bar + 1), 10);
                }
                case "" -> number(value);
                default -> {}
            }
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** Returns whether the parking lot can have a patch in a slot. */
    public static boolean isParked(String slot, ParkedPatch patch) {
        return slot.equals(ParkingLot.slot(ParkingLot.base(patch), patch.getArrival()));
    }

    /** Parses a number from 0 up; throws a NumberFormatException otherwise. */
    static long number(String text) {
        long number = Long.parseLong(text);
        if (number < 0) {
            throw new NumberFormatException(text);
        }
        return number;
    }
}
