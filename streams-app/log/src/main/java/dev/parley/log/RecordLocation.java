package dev.parley.log;

/**
 * Location at which an audit record was read.
 *
 * @param in a topic-partition or a file
 * @param mark separator between that and the number
 * @param at offset, or number of the entry
 */
public record RecordLocation(String in, char mark, long at) {
    public static final RecordLocation NONE = new RecordLocation("", ' ', -1);

    public static RecordLocation of(String topicPartition, long offset) {
        return new RecordLocation(topicPartition, '@', offset);
    }

    /** An entry of a file, counted from 1. */
    public static RecordLocation inFile(String file, long entry) {
        return new RecordLocation(file, ':', entry);
    }

    @Override
    public String toString() {
        return at < 0 ? in : in + mark + at;
    }
}
