package dev.parley.server.redaction;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redaction;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Writes requests for redactions and approvals to the topic from which the pipeline reads them, keyed by chain.
 * Thread-safe; connects with the first request.
 */
public final class Redactor implements AutoCloseable {

    private static final long BUFFER_BYTES = 32L << 20;

    private final Topic<String, Redaction> topic;
    private final Map<String, Object> clients;
    private final Duration timeout;
    private final boolean keyed;
    private Producer<byte[], byte[]> producer;

    /**
     * A redactor.
     *
     * @param topic input topic of redactions
     * @param clients settings of all Kafka clients
     * @param keyed whether the input is keyed by conversation: without a repartition, the task of a chain is that of
     *     its input partition
     * @param timeout approximate maximum time of one call
     */
    public Redactor(Topic<String, Redaction> topic, Map<String, Object> clients, boolean keyed, Duration timeout) {
        this.topic = topic;
        this.clients = Map.copyOf(clients);
        this.timeout = timeout;
        this.keyed = keyed;
    }

    /**
     * Writes a redaction request, and waits until all replicas have it.
     *
     * @return position of the request
     * @throws ProblemException if brokers or registry are unavailable; it says whether the request may have been
     *     written
     */
    public InputPosition redact(Redaction request) {
        byte[] value;
        try {
            value = topic.write(request);
        } catch (SerializationException e) {
            if (!OutageClassifier.isOutage(e)) {
                throw e;
            }
            throw unavailable("The Schema Registry is unavailable, so nothing was sent: " + e.getMessage());
        }
        byte[] key = request.getChain().getBytes(StandardCharsets.UTF_8);
        Integer partition = keyed ? request.getSource().getPartition() : null;
        try {
            return OwnedPartition.position(producer()
                    .send(new ProducerRecord<>(topic.name(), partition, key, value))
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | KafkaException e) {
            String reason = e instanceof ExecutionException ? e.getCause().getMessage() : e.getMessage();
            throw unavailable("The brokers rejected the record for " + topic.name() + ": " + reason);
        } catch (TimeoutException e) {
            throw unavailable("Timed out waiting for " + topic.name()
                    + " to acknowledge. Check whether the record exists before retrying.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("The instance is stopping; the record for " + topic.name() + " may have been sent.");
        }
    }

    private static ProblemException unavailable(String detail) {
        return Code.BROKERS_UNAVAILABLE.problem(detail);
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = new KafkaProducer<>(StreamsSettings.acknowledgedWriter(
                    clients, timeout, (int) timeout.toMillis(), TopicSetup.REDACTION_BYTES, BUFFER_BYTES));
        }
        return producer;
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close();
        }
    }
}
