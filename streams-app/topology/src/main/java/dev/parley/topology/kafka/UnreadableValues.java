package dev.parley.topology.kafka;

import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports values of topics and changelogs that cannot be read because another client wrote them, and counts those of
 * this process. Thread-safe.
 */
public final class UnreadableValues {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableValues.class);
    private static final AtomicLong TOTAL = new AtomicLong();

    private UnreadableValues() {}

    /** The number of values that were reported since the start of the process. */
    public static long total() {
        return TOTAL.get();
    }

    /**
     * Counts a value, and logs an ERROR with its position and its key, escaped and cut off.
     *
     * @param key key of its record; may be null
     * @param reason why it cannot be read
     * @param consequence what this means for others
     */
    public static void report(String topic, int partition, long offset, byte[] key, String reason, String consequence) {
        TOTAL.incrementAndGet();
        LOG.atError()
                .addKeyValue("topic", topic)
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .log(
                        "The value of {}-{}@{} with the key {} cannot be read or processed ({}); {}",
                        topic,
                        partition,
                        offset,
                        key == null
                                ? "null"
                                : ControlCharacters.escape(Excerpt.of(new String(key, StandardCharsets.UTF_8))),
                        reason,
                        consequence);
    }
}
