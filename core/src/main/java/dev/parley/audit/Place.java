package dev.parley.audit;

/**
 * Where a record was read.
 *
 * @param in a partition of a topic, or a file
 * @param mark what stands between that and the number
 * @param at offset, or number of the entry
 */
public record Place(String in, char mark, long at) {
    /** Nowhere in particular. */
    public static final Place NONE = new Place("", ' ', -1);

    /** An offset of a partition. */
    public static Place of(String topicPartition, long offset) {
        return new Place(topicPartition, '@', offset);
    }

    /** An entry of a file, from 1. */
    public static Place inFile(String file, long entry) {
        return new Place(file, ':', entry);
    }

    @Override
    public String toString() {
        return at < 0 ? in : in + mark + at;
    }
}
