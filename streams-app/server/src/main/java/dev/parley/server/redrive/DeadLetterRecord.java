package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.InnerMessage;
import dev.parley.codec.Code;
import dev.parley.server.auth.Caller;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import dev.parley.topology.views.DeadLetterSummaries;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A committed record of a dead-letter topic.
 *
 * @param id its topic, partition and offset
 * @param timestamp milliseconds since 1970
 * @param key key of the input record; may be null
 * @param value value of the input record; null if the record had none, or if the dead letter omits it
 * @param headers headers of the input record, and {@link DeadLetterHeaders}
 */
public record DeadLetterRecord(InputPosition id, long timestamp, byte[] key, byte[] value, Headers headers) {

    /** Reads a record of a dead-letter topic. */
    static DeadLetterRecord of(ConsumerRecord<byte[], byte[]> record) {
        return new DeadLetterRecord(
                new InputPosition(record.topic(), record.partition(), record.offset()),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
    }

    /** What its headers say, and its first bytes. */
    DeadLetterSummary summary() {
        return DeadLetterSummaries.of(id.topic(), id.partition(), id.offset(), timestamp, headers, value);
    }

    /** Whether a caller may see it. */
    boolean isVisibleTo(Caller caller) {
        return !caller.isBound() || DeadLetterSummaries.isWithin(caller.scope(), summary());
    }

    /** The input position of the failed record, which identifies it; empty if the headers name none. */
    public Optional<InputPosition> source() {
        return DeadLetterHeaders.inputPosition(headers);
    }

    /** Headers of the failed record, in order. */
    public Headers inputHeaders() {
        return DeadLetterHeaders.strip(headers);
    }

    /** Complete messages inside the value, in the order of their bytes. */
    public List<InnerMessage> inner() {
        return value == null ? List.of() : DeadLetterHeaders.inner(headers, value.length);
    }

    /** Whether this is the code of its failure. */
    boolean hasCode(Code code) {
        return code.name().equals(KafkaHeaders.text(headers, DeadLetterHeaders.CODE));
    }

    /** Bytes of key, value and headers. */
    public long bytes() {
        long bytes = sizeOf(key) + sizeOf(value);
        for (Header header : headers) {
            bytes += header.key().length() + sizeOf(header.value());
        }
        return bytes;
    }

    private static long sizeOf(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** Whether the dead letter omits the value of a record that was too large. */
    public boolean isOmitted() {
        return DeadLetterHeaders.isOmitted(headers);
    }
}
