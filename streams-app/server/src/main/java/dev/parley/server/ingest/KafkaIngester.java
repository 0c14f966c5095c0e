package dev.parley.server.ingest;

import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.ingest.IngestResult.Entered;
import dev.parley.server.ingest.IngestResult.Failed;
import dev.parley.topology.kafka.StreamsSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Writes the messages of HTTP ingest to their input topic, acknowledged by all replicas and keyed by conversation.
 * Messages without an idempotency key go through one idempotent producer. Those with one go to the
 * {@link IdempotentWriter} of their caller. Connects on first use.
 */
final class KafkaIngester implements Ingester {

    private static final Duration STALLED = Duration.ofSeconds(2);
    private static final int MAX_BLOCK_MS = 1_000;
    /** Messages time out after their producer's own timeout, which says more. */
    private static final int GRACE_MS = 1_000;

    private static final String BUSY = "The brokers do not keep up. Nothing was sent; retry later.";

    private final IngestSettings settings;
    private final AcknowledgmentMonitor monitor = new AcknowledgmentMonitor(STALLED, System::nanoTime);
    private final Map<Integer, IdempotentWriter> writers = new HashMap<>();
    private Producer<byte[], byte[]> producer;
    private volatile int keyPartitions;
    private boolean closed;

    KafkaIngester(IngestSettings settings) {
        this.settings = settings;
    }

    @Override
    public List<CompletableFuture<IngestResult>> send(String caller, List<IngestMessage> messages) {
        List<CompletableFuture<IngestResult>> results = new ArrayList<>();
        MessageDecoder decoder =
                ValueDiagnosis.decoder(settings.decodeOptions(), Protocols.STANDARD.wire(), settings.protocols());
        boolean limited = false;
        for (IngestMessage message : messages) {
            // After one failure the others would wait as long.
            CompletableFuture<IngestResult> result = limited || monitor.isStalled()
                    ? CompletableFuture.completedFuture(new Failed(Code.INGEST_LIMITED, BUSY))
                    : send(caller, message, record(decoder, message));
            limited = result.isDone() && result.join() instanceof Failed failed && failed.code() == Code.INGEST_LIMITED;
            results.add(result);
        }
        return results;
    }

    private CompletableFuture<IngestResult> send(
            String caller, IngestMessage message, ProducerRecord<byte[], byte[]> record) {
        CompletableFuture<IngestResult> result = new CompletableFuture<>();
        monitor.sent();
        result.whenComplete((done, failure) -> monitor.completed(done instanceof Entered));
        try {
            if (message.key().isPresent()) {
                writer(caller).submit(caller, message, record, result);
            } else {
                send(record, result);
            }
        } catch (TimeoutException e) {
            result.complete(
                    new Failed(Code.INGEST_LIMITED, "The brokers are unavailable. Nothing was sent; retry later."));
        } catch (KafkaException e) {
            result.complete(
                    new Failed(Code.BROKERS_UNAVAILABLE, "The brokers rejected the message: " + e.getMessage()));
        }
        return result.completeOnTimeout(
                unacknowledged(message), settings.timeout().toMillis() + GRACE_MS, TimeUnit.MILLISECONDS);
    }

    private static IngestResult unacknowledged(IngestMessage message) {
        return new Failed(
                Code.BROKERS_UNAVAILABLE,
                "The brokers did not acknowledge the message in time; it may have entered. "
                        + (message.key().isPresent()
                                ? "Retry with the same idempotency key."
                                : "With an idempotency key, a retry would enter once."));
    }

    private void send(ProducerRecord<byte[], byte[]> record, CompletableFuture<IngestResult> result) {
        Thread caller = Thread.currentThread();
        producer().send(record, (metadata, failure) -> {
            if (failure == null) {
                result.complete(new Entered(OwnedPartition.position(metadata), false));
            } else if (failure instanceof RecordTooLargeException) {
                result.complete(tooLarge(failure));
            } else if (failure instanceof TimeoutException && Thread.currentThread() == caller) {
                // Thrown before the record was in the buffer.
                result.complete(new Failed(Code.INGEST_LIMITED, BUSY));
            } else {
                result.complete(new Failed(
                        Code.BROKERS_UNAVAILABLE,
                        "The brokers did not accept the message, and it may have entered: " + failure.getMessage()));
            }
        });
    }

    static IngestResult tooLarge(Exception failure) {
        return new Failed(Code.BODY_TOO_LARGE, "The input topic does not accept the message: " + failure.getMessage());
    }

    /** The record of a message: its key is its conversation, as input.keyed-by-conversation requires. */
    private ProducerRecord<byte[], byte[]> record(MessageDecoder decoder, IngestMessage message) {
        Map<String, byte[]> headers = new HashMap<>();
        message.headers().forEach((name, value) -> headers.put(name, value.getBytes(StandardCharsets.UTF_8)));
        Source source = new Source(settings.topic(), 0, 0L, Instant.EPOCH, null);
        RecordDecodeResult result =
                decoder.decode(new WireRecord(source, null, message.value(), RecordHeaders.of(headers)));
        byte[] key = result.map(
                decoded -> decoded.conversation().conversation().getBytes(StandardCharsets.UTF_8), error -> null);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(settings.topic(), key, message.value());
        headers.forEach((name, value) -> record.headers().add(name, value));
        return record;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw new TimeoutException("The instance is stopping.");
        }
        if (producer == null) {
            producer = new KafkaProducer<>(StreamsSettings.acknowledgedWriter(
                    settings.clients(),
                    settings.timeout(),
                    MAX_BLOCK_MS,
                    settings.recordBytes(),
                    settings.bufferBytes()));
        }
        return producer;
    }

    /** The writer of a caller, which is the same on all instances. */
    private IdempotentWriter writer(String caller) {
        Producer<byte[], byte[]> metadata = producer();
        if (keyPartitions == 0) {
            // Outside the lock, because it may block.
            keyPartitions = metadata.partitionsFor(settings.names().named(IngestFeature.KEYS_TOPIC))
                    .size();
        }
        synchronized (writers) {
            return writers.computeIfAbsent(
                    Math.floorMod(KeyWindow.caller(caller), keyPartitions),
                    partition -> new IdempotentWriter(settings, partition));
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        synchronized (writers) {
            writers.values().forEach(IdempotentWriter::close);
        }
        synchronized (this) {
            if (producer != null) {
                producer.close(settings.timeout());
            }
        }
    }
}
