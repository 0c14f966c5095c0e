package dev.parley.tap;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
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

    @Override
    public List<Captured> deliver(Batch named) throws IOException, InterruptedException {
        List<Captured> batch = named.records();
        List<Future<?>> sent = new ArrayList<>(batch.size());
        try {
            // Waits for the topic, so that no record of the batch waits for it and is overtaken.
            producer.partitionsFor(topic);
            for (Captured record : batch) {
                ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                        topic, null, record.time(), Captured.utf8(record.session()), record.value());
                for (Map.Entry<String, String> header : record.headers().entrySet()) {
                    message.headers().add(header.getKey(), Captured.utf8(header.getValue()));
                }
                sent.add(producer.send(message));
            }
        } catch (InterruptException e) {
            throw new InterruptedException();
        } catch (RetriableException | AuthorizationException | AuthenticationException e) {
            throw new IOException(reason(e), e);
        }
        List<Captured> refused = new ArrayList<>();
        Throwable cause = null;
        for (int i = 0; i < batch.size(); i++) {
            try {
                sent.get(i).get();
            } catch (ExecutionException e) {
                refused.add(batch.get(i));
                cause = e.getCause();
            }
        }
        if (refused.size() == batch.size() && isOutage(cause)) {
            throw new IOException(reason(cause), cause);
        }
        return refused;
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
