package dev.parley.topology.analytics;

import dev.parley.avro.TrackedItems;
import dev.parley.codec.TrustedRecords;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RecordEncoder;
import java.io.IOException;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serde of the open items in their store: plain Avro without a registry, because they never leave the store. When the
 * schema changes, the store gets another name.
 */
final class TrackedItemsSerde {
    static {
        // Before the reader is created, which loads the record.
        TrustedRecords.trust();
    }

    static final Serde<TrackedItems> ITEMS =
            Serdes.serdeFrom((topic, items) -> write(items), (topic, bytes) -> read(bytes));

    private static final Logger LOG = LoggerFactory.getLogger(TrackedItemsSerde.class);
    private static final int INITIAL_BYTES = 256;
    private static final RecordEncoder ENCODER = RecordEncoder.of(TrackedItems.class);

    /** Thread-safe: it keeps its resolved schema per thread. */
    private static final SpecificDatumReader<TrackedItems> READER = new SpecificDatumReader<>(TrackedItems.class);

    private TrackedItemsSerde() {}

    private static byte[] write(TrackedItems items) {
        if (items == null) {
            return null;
        }
        ByteOutput out = new ByteOutput(INITIAL_BYTES);
        ENCODER.encode(items, out);
        return out.toBytes();
    }

    /** Reads items; null, with one ERROR line, if the bytes are something else. */
    private static TrackedItems read(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        try {
            return READER.read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "A stored value is not a TrackedItems record: {}; it is ignored. Another client wrote to the"
                            + " changelog",
                    e.getMessage());
            return null;
        }
    }
}
