package dev.parley.cli.transcript;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.ChainPartitioner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends transcript lines to the input topics, idempotently and acknowledged by all replicas. A record without a key
 * goes to the partition of its conversation, so that a conversation keeps its order.
 */
public final class TranscriptProducer implements AutoCloseable {
    private final Producer<byte[], byte[]> producer;
    private final TopicNames topics;
    private final MessageDecoder decoder;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    /**
     * A producer of a deployment. It sends lines without a topic to the input topic of any protocol, and lines with an
     * input topic of the default prefix to the topic of the same name with the prefix of the deployment.
     */
    public TranscriptProducer(ParleyConfig config) {
        topics = config.topics();
        decoder = ValueDiagnosis.decoder(
                DecodeOptions.LENIENT, Protocols.STANDARD.wire(), topics.byInputTopic(Protocols.STANDARD));
        int recordBytes = config.getInt(ParleyConfig.RECORD_BYTES);
        Map<String, Object> settings = StreamsSettings.producer(StreamsSettings.clientSettings(config));
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, recordBytes);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(32L << 20, 2L * recordBytes));
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Sends one line; waits only if the buffer is full.
     *
     * @throws KafkaException if this record or one before it was not accepted
     */
    public void send(Transcript.Line line) {
        send(line, position -> {});
    }

    /**
     * Sends one line, as {@link #send(Transcript.Line)} does.
     *
     * @param acknowledgment takes the input position of the record, on another thread
     */
    public void send(Transcript.Line line, Consumer<InputPosition> acknowledgment) {
        check();
        String topic = line.topic() != null ? topics.ofTranscript(line.topic()) : topics.wire();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic, line.key() == null ? partition(topic, line) : null, line.timestamp(), line.key(), line.wire());
        if (line.timestamp() != null && !line.headers().containsKey(RecordHeaders.TIME)) {
            // The broker sets the time of the record; this header keeps the claim.
            byte[] time = Instant.ofEpochMilli(line.timestamp()).toString().getBytes(StandardCharsets.UTF_8);
            record.headers().add(RecordHeaders.TIME, time);
        }
        line.headers().keySet().forEach(name -> record.headers().add(name, line.header(name)));
        producer.send(record, (metadata, exception) -> {
            if (exception == null) {
                acknowledged.incrementAndGet();
                acknowledgment.accept(new InputPosition(metadata.topic(), metadata.partition(), metadata.offset()));
            } else {
                failure.compareAndSet(null, exception);
            }
        });
    }

    /**
     * Waits until all records are acknowledged.
     *
     * @return number of acknowledged records since the start
     * @throws KafkaException if one was not accepted
     */
    public long flush() {
        producer.flush();
        check();
        return acknowledged.get();
    }

    @Override
    public void close() {
        producer.close();
    }

    private Integer partition(String topic, Transcript.Line line) {
        Source source = new Source(topic, 0, 0L, Instant.EPOCH, null);
        ConversationKey conversation = decoder.decode(new WireRecord(source, null, line.wire(), line.recordHeaders()))
                .map(RecordDecodeResult.Message::conversation, error -> ConversationKey.ofPartition(topic, 0));
        return ChainPartitioner.partition(
                conversation.toString(), producer.partitionsFor(topic).size());
    }

    private void check() {
        Exception failed = failure.get();
        if (failed != null) {
            throw failed instanceof KafkaException kafka ? kafka : new KafkaException(failed);
        }
    }
}
