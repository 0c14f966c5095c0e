package dev.parley.topology.pipeline;

import dev.parley.avro.Source;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.topics.KafkaHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Creates the output records of a verdict as CloudEvents 1.0 in Kafka's binary mode. Copies a valid trace context.
 *
 * @param <V> value of the output records
 */
final class CloudEventProcessor<V> extends ContextualProcessor<String, JudgedRecord, String, V> {
    private static final Header VERSION = header("ce_specversion", "1.0");
    private static final Header CONTENT_TYPE = header("content-type", "application/vnd.confluent.avro");

    private final Header source;
    private final Header type;
    private final Function<JudgedRecord, List<V>> values;
    private final BiFunction<JudgedRecord, V, String> keyOf;

    /** Timestamp of the last event, and its header: many records have the same. */
    private long lastTimestamp;

    private Header lastTime;

    /**
     * Creates a processor.
     *
     * @param kind kind of the events, for example "audit", in ce_source and ce_type
     * @param values values of the output records of a verdict; empty for a verdict without any
     * @param keyOf key and ce_subject of an output record
     */
    CloudEventProcessor(
            String kind, Function<JudgedRecord, List<V>> values, BiFunction<JudgedRecord, V, String> keyOf) {
        this.source = header("ce_source", "/parley/" + kind);
        this.type = header("ce_type", "dev.parley." + kind + ".v1");
        this.keyOf = keyOf;
        this.values = values;
    }

    @Override
    public void init(ProcessorContext<String, V> context) {
        super.init(context);
        lastTimestamp = 0;
        lastTime = null;
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        List<V> outputs = values.apply(record.value());
        if (outputs.isEmpty()) {
            return;
        }
        Source input = record.value().inbound().getSource();
        String id = input.getTopic() + "-" + input.getPartition() + "-" + input.getOffset();
        Header time = time(record.timestamp());
        Headers trace = KafkaHeaders.traceContext(record.headers());
        // The last is the new one. The others are written again, each as an event of its own.
        int again = outputs.size() - 1;
        for (V value : outputs) {
            Header event = header("ce_id", again == 0 ? id : id + "/" + again);
            again--;
            String key = keyOf.apply(record.value(), value);
            Headers headers = new RecordHeaders(
                    new Header[] {VERSION, event, source, type, time, header("ce_subject", key), CONTENT_TYPE});
            trace.forEach(headers::add);
            context().forward(new Record<>(key, value, record.timestamp(), headers));
        }
    }

    private Header time(long timestamp) {
        if (lastTime == null || timestamp != lastTimestamp) {
            lastTime = header("ce_time", Instant.ofEpochMilli(timestamp).toString());
            lastTimestamp = timestamp;
        }
        return lastTime;
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
