package dev.parley.topology.pipeline;

import dev.parley.avro.Source;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Creates the output records of a verdict as CloudEvents 1.0 in Kafka's binary mode. Copies the trace context.
 *
 * @param <V> value of the output records
 */
final class CloudEventProcessor<V> extends ContextualProcessor<String, RecordedVerdict, String, V> {
    private static final byte[] VERSION = utf8("1.0");
    private static final byte[] CONTENT_TYPE = utf8("application/vnd.confluent.avro");

    private final byte[] source;
    private final byte[] type;
    private final Function<RecordedVerdict, List<V>> values;
    private final BiFunction<RecordedVerdict, V, String> keyOf;

    /** Record time of the last event, and its text: many records have the same time. */
    private long lastTime = Long.MIN_VALUE;

    private byte[] lastTimeText;

    /**
     * Creates a processor.
     *
     * @param kind kind of the events, for example "audit", in ce_source and ce_type
     * @param values values of the output records of a verdict
     * @param keyOf key and ce_subject of an output record
     */
    CloudEventProcessor(
            String kind, Function<RecordedVerdict, List<V>> values, BiFunction<RecordedVerdict, V, String> keyOf) {
        this.source = utf8("/parley/" + kind);
        this.type = utf8("dev.parley." + kind + ".v1");
        this.keyOf = keyOf;
        this.values = values;
    }

    @Override
    public void process(Record<String, RecordedVerdict> record) {
        Source input = record.value().judged().inbound().getSource();
        byte[] id = utf8(input.getTopic() + "-" + input.getPartition() + "-" + input.getOffset());
        byte[] time = time(record.timestamp());
        for (V value : values.apply(record.value())) {
            String key = keyOf.apply(record.value(), value);
            Headers headers = new RecordHeaders();
            headers.add("ce_specversion", VERSION);
            headers.add("ce_id", id);
            headers.add("ce_source", source);
            headers.add("ce_type", type);
            headers.add("ce_time", time);
            headers.add("ce_subject", utf8(key));
            headers.add("content-type", CONTENT_TYPE);
            copy("traceparent", record.headers(), headers);
            copy("tracestate", record.headers(), headers);
            context().forward(new Record<>(key, value, record.timestamp(), headers));
        }
    }

    private byte[] time(long timestamp) {
        if (lastTimeText == null || timestamp != lastTime) {
            lastTimeText = utf8(Instant.ofEpochMilli(timestamp).toString());
            lastTime = timestamp;
        }
        return lastTimeText;
    }

    private static void copy(String name, Headers from, Headers to) {
        Header header = from.lastHeader(name);
        if (header != null) {
            to.add(header);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
