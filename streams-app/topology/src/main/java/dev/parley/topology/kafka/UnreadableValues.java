package dev.parley.topology.kafka;

import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.logging.LogThrottle;
import dev.parley.serde.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports values of topics, changelogs and stores that cannot be read, or must not be, because another client wrote
 * them, and counts those of this process. Thread-safe.
 */
public final class UnreadableValues {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableValues.class);
    private static final AtomicLong TOTAL = new AtomicLong();
    private static final LogThrottle LINES = new LogThrottle(System::nanoTime, 100);

    private static final byte[] REFUSED = "parley: refused value".getBytes(StandardCharsets.US_ASCII);

    private UnreadableValues() {}

    /** The number of values that were reported since the start of the process. */
    public static long total() {
        return TOTAL.get();
    }

    /**
     * Counts a value, and logs an ERROR with its position and its key, escaped and cut off; at most 100 in a minute.
     *
     * @param key key of its record; may be null
     * @param reason why it cannot be read
     * @param consequence what this means for others
     */
    public static void report(String topic, int partition, long offset, byte[] key, String reason, String consequence) {
        report(
                topic + "-" + partition + "@" + offset,
                key == null ? "null" : new String(key, StandardCharsets.UTF_8),
                reason,
                consequence);
    }

    /**
     * Counts a value of a store, and logs an ERROR; otherwise like the other method.
     *
     * @param store name of the store
     */
    public static void reportStored(String store, String key, String reason, String consequence) {
        report("store " + store, key, reason, consequence);
    }

    private static void report(String place, String key, String reason, String consequence) {
        TOTAL.incrementAndGet();
        LINES.log(suppressed -> LOG.atError()
                .addKeyValue("place", place)
                .log(
                        "The value in {} with the key {} is unreadable or not Parley's ({}); {}{}",
                        place,
                        ControlCharacters.escape(Excerpt.of(key)),
                        reason,
                        consequence,
                        suppressed == 0 ? "" : "; " + suppressed + " others were not logged"));
    }

    /** Returns the failure of a record that needs a value of a store. */
    public static UnreadableValueException inStore(String store, String key, UnreadableRecordException cause) {
        return new UnreadableValueException(
                "The value of store " + store + " with the key " + Excerpt.of(key) + " is unreadable: "
                        + cause.getMessage() + ". See \"Unreadable values\" in docs/operations.md",
                cause);
    }

    /** What a restored store has in place of a value that was refused: bytes that are no value of any store. */
    public static byte[] refused() {
        return REFUSED.clone();
    }

    /** Returns whether a value is in place of one that was refused. */
    public static boolean isRefused(byte[] value) {
        return Arrays.equals(REFUSED, value);
    }

    /** Returns a serde that reads a refused value as unreadable. */
    public static <T> Serde<T> checked(Serde<T> values) {
        Deserializer<T> deserializer = values.deserializer();
        return Serdes.serdeFrom(values.serializer(), (topic, bytes) -> {
            requireValid(bytes);
            return deserializer.deserialize(topic, bytes);
        });
    }

    /**
     * Returns normally if a stored value was not refused.
     *
     * @throws UnreadableRecordException if it was refused
     */
    static void requireValid(byte[] value) {
        if (isRefused(value)) {
            throw new UnreadableRecordException(
                    "its code (" + RecordMac.HEADER + ") was missing or invalid when it was restored");
        }
    }
}
