package dev.parley.cli;

import dev.parley.avro.Redaction;
import dev.parley.query.Outcome;
import dev.parley.query.Redactor;
import dev.parley.topology.Outages;
import dev.parley.topology.Topic;
import dev.parley.topology.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;

/** Writes redactions to their topic, keyed by chain, where the task that has the chain reads them. */
final class KafkaRedactor implements Redactor, AutoCloseable {
    private final Topic<String, Redaction> topic;
    private final CarefulProducer producer;
    private final Duration patience;
    private final boolean keyed;

    /**
     * @param topic where the pipeline takes them from
     * @param clients what every Kafka client starts from
     * @param keyed whether the input is keyed by conversation: without a repartition, the task of a chain is that of
     *     its input partition
     * @param patience how long one call may take, about
     */
    KafkaRedactor(Topic<String, Redaction> topic, Map<String, Object> clients, boolean keyed, Duration patience) {
        this.topic = topic;
        this.producer = new CarefulProducer(clients, TopicSetup.REDACTION_BYTES, patience);
        this.patience = patience;
        this.keyed = keyed;
    }

    @Override
    public Outcome redact(Redaction wish) {
        byte[] value;
        try {
            value = topic.write(wish);
        } catch (SerializationException e) {
            if (!Outages.isOutage(e)) {
                throw e;
            }
            return new Outcome.Unavailable(
                    "The Schema Registry does not answer, so nothing was sent: " + e.getMessage());
        }
        byte[] key = wish.getChain().getBytes(StandardCharsets.UTF_8);
        Integer partition = keyed ? wish.getSource().getPartition() : null;
        return producer.send(new ProducerRecord<>(topic.name(), partition, key, value), patience);
    }

    @Override
    public void close() {
        producer.close();
    }
}
