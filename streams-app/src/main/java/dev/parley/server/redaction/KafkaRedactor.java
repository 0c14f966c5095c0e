package dev.parley.server.redaction;

import dev.parley.avro.Redaction;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;

/** Writes redaction requests to their topic, keyed by chain. */
public final class KafkaRedactor implements Redactor, AutoCloseable {
    private final Topic<String, Redaction> topic;
    private final SynchronousProducer producer;
    private final Duration timeout;
    private final boolean keyed;

    /**
     * A redactor.
     *
     * @param topic input topic of redactions
     * @param clients settings of all Kafka clients
     * @param keyed whether the input is keyed by conversation: without a repartition, the task of a chain is that of
     *     its input partition
     * @param timeout approximate maximum time of one call
     */
    public KafkaRedactor(Topic<String, Redaction> topic, Map<String, Object> clients, boolean keyed, Duration timeout) {
        this.topic = topic;
        this.producer = new SynchronousProducer(clients, TopicSetup.REDACTION_BYTES, timeout);
        this.timeout = timeout;
        this.keyed = keyed;
    }

    @Override
    public SendResult redact(Redaction request) {
        byte[] value;
        try {
            value = topic.write(request);
        } catch (SerializationException e) {
            if (!OutageClassifier.isOutage(e)) {
                throw e;
            }
            return new SendResult.Unavailable(
                    "The Schema Registry is unavailable, so nothing was sent: " + e.getMessage());
        }
        byte[] key = request.getChain().getBytes(StandardCharsets.UTF_8);
        Integer partition = keyed ? request.getSource().getPartition() : null;
        return producer.send(new ProducerRecord<>(topic.name(), partition, key, value), timeout);
    }

    @Override
    public void close() {
        producer.close();
    }
}
