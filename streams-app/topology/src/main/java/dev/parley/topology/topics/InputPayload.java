package dev.parley.topology.topics;

import dev.parley.codec.Limits;
import dev.parley.decode.CloudEvent;
import dev.parley.encoding.Sha256;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The payload of an input record, whose hash its audit record has (docs/audit.md, Records). */
public final class InputPayload {
    private InputPayload() {}

    /** Returns the bytes that the pipeline judges: the data of a CloudEvent, or the value; none for a null value. */
    public static byte[] of(ConsumerRecord<byte[], byte[]> record, Limits limits) {
        CloudEvent event = CloudEvent.of(record.value(), KafkaHeaders.view(record.headers()), limits);
        return event == null || event.error() != null ? value(record) : event.value();
    }

    /**
     * Whether an audit record with this payload hash may be of an input record. The hash of the value itself is
     * accepted too, because the limits of an event may have changed since.
     */
    public static boolean matches(byte[] payloadHash, ConsumerRecord<byte[], byte[]> record, Limits limits) {
        return Arrays.equals(payloadHash, Sha256.of(value(record)))
                || Arrays.equals(payloadHash, Sha256.of(of(record, limits)));
    }

    private static byte[] value(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? new byte[0] : record.value();
    }
}
