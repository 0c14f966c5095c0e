package dev.parley.tap;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** An input topic. The idempotent producer keeps the order, and never gives a record up by itself. */
final class KafkaReceiver implements Receiver {
    private static final int MAX_REQUEST_BYTES = 4 << 20;

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    /** Name of the last batch, and its records that the brokers have acknowledged or refused. */
    private String batchName = "";

    private final Set<Integer> done = new HashSet<>();
    private final List<Captured> refused = new ArrayList<>();

    /**
     * Opens it.
     *
     * @param brokers addresses of brokers
     * @param settings further settings of the producer, such as those of security
     * @throws IOException if the settings are invalid
     */
    KafkaReceiver(String brokers, String topic, Properties settings) throws IOException {
        Properties all = new Properties();
        // One batch is in progress, so this bounds the memory too.
        all.put("buffer.memory", 2 * MAX_REQUEST_BYTES);
        all.put("max.request.size", MAX_REQUEST_BYTES);
        all.put("client.id", "parley-tap");
        all.putAll(settings);
        all.put("bootstrap.servers", brokers);
        all.put("enable.idempotence", true);
        all.put("acks", "all");
        all.put("retries", Integer.MAX_VALUE);
        all.put("delivery.timeout.ms", Integer.MAX_VALUE);
        all.put("max.block.ms", 10_000);
        all.put("enable.metrics.push", false);
        all.put("metric.reporters", "");
        try {
            this.producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw new IOException(reason(e), e);
        }
        this.topic = topic;
    }

    /** Sends the records of a batch that were not done when it failed before. */
    @Override
    public List<Captured> deliver(Batch batch) throws IOException, InterruptedException {
        if (!batch.name().equals(batchName)) {
            batchName = batch.name();
            done.clear();
            refused.clear();
        }
        Map<Integer, Future<?>> sent = new LinkedHashMap<>();
        try {
            // Waits for the topic, so that no record of the batch waits for it and is overtaken.
            producer.partitionsFor(topic);
            for (int i = 0; i < batch.records().size(); i++) {
                if (!done.contains(i)) {
                    sent.put(i, producer.send(message(batch.records().get(i))));
                }
            }
        } catch (InterruptException e) {
            throw new InterruptedException();
        } catch (RetriableException | AuthorizationException | AuthenticationException e) {
            throw new IOException(reason(e), e);
        }
        Throwable outage = null;
        for (Map.Entry<Integer, Future<?>> record : sent.entrySet()) {
            try {
                record.getValue().get();
                done.add(record.getKey());
            } catch (ExecutionException e) {
                if (isOutage(e.getCause())) {
                    outage = e.getCause();
                } else {
                    done.add(record.getKey());
                    refused.add(batch.records().get(record.getKey()));
                }
            }
        }
        if (outage != null) {
            throw new IOException(reason(outage), outage);
        }
        return List.copyOf(refused);
    }

    private ProducerRecord<byte[], byte[]> message(Captured record) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, null, record.time(), Captured.utf8(record.session()), record.value());
        record.headers().forEach((name, value) -> message.headers().add(name, Captured.utf8(value)));
        return message;
    }

    private static boolean isOutage(Throwable cause) {
        return cause instanceof RetriableException
                || cause instanceof AuthorizationException
                || cause instanceof AuthenticationException;
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    @Override
    public void close() {
        // An interrupted thread could not close it.
        Thread.interrupted();
        producer.close(Duration.ZERO);
    }
}
