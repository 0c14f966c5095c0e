package dev.parley.topology.pipeline;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.Omitted;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.EncodedRecord;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OversizedRecords;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles unexpected exceptions. The record goes to the internal dead letters, with its original bytes if available,
 * and processing continues with the next record. The same applies to the input of an output record that can never be
 * written. During an outage of brokers or registry, the stream thread stops instead and is restarted.
 */
public final class DeadLetterExceptionHandler
        implements ProcessingExceptionHandler, DeserializationExceptionHandler, ProductionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterExceptionHandler.class);
    /** Key of the Kafka Streams settings: name of the topic of the internal dead letters. */
    public static final String TOPIC = "parley.dlq.internal.topic";

    private static final int MAX_TRACE_CHARACTERS = 16_384;
    /** A dead letter has more headers than its record: half of a topic's maximum record size leaves room for them. */
    private static final int RECORD_SIZE_DIVISOR = 2;

    private String topic;
    private long maxBytes = (1L << 20) / RECORD_SIZE_DIVISOR;

    @Override
    public ProcessingExceptionHandler.Response handleError(
            ErrorHandlerContext context, Record<?, ?> record, Exception exception) {
        // Without a record, a punctuation failed. To continue would commit half of its work.
        if (record == null || exception instanceof RecreatedTopicException || OutageClassifier.isOutage(exception)) {
            return ProcessingExceptionHandler.Response.fail();
        }
        Inbound inbound = inbound(record.value());
        ProducerRecord<byte[], byte[]> deadLetter = inbound != null
                ? deadLetter(inbound, record.headers(), exception)
                : deadLetter(
                        context.sourceRawKey(),
                        context.sourceRawValue(),
                        context.headers(),
                        source(context),
                        null,
                        exception);
        return ProcessingExceptionHandler.Response.resume(List.of(deadLetter));
    }

    @Override
    public DeserializationExceptionHandler.Response handleError(
            ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception exception) {
        if (OutageClassifier.isOutage(exception)) {
            return DeserializationExceptionHandler.Response.fail();
        }
        return DeserializationExceptionHandler.Response.resume(
                List.of(deadLetter(record.key(), record.value(), record.headers(), source(context), null, exception)));
    }

    /**
     * Handles a key or value of a topic or store that cannot be serialized. Its input goes to the internal dead
     * letters; the output is missing.
     */
    @Override
    @SuppressWarnings("rawtypes")
    public ProductionExceptionHandler.Response handleSerializationError(
            ErrorHandlerContext context,
            ProducerRecord record,
            Exception exception,
            ProductionExceptionHandler.SerializationExceptionOrigin origin) {
        if (OutageClassifier.isOutage(exception)) {
            return ProductionExceptionHandler.Response.fail();
        }
        return ProductionExceptionHandler.Response.resume(List.of(outputFailure(context, record, exception)));
    }

    /**
     * Handles a record that the producer or a broker rejects. Only a record that is too large becomes a dead letter.
     * Kafka aborts its transaction in any case, so serializers check sizes first.
     */
    @Override
    public ProductionExceptionHandler.Response handleError(
            ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
        if (exception instanceof RecordTooLargeException) {
            return ProductionExceptionHandler.Response.resume(List.of(outputFailure(context, record, exception)));
        }
        return exception instanceof RetriableException
                ? ProductionExceptionHandler.Response.retry()
                : ProductionExceptionHandler.Response.fail();
    }

    private ProducerRecord<byte[], byte[]> outputFailure(
            ErrorHandlerContext context, ProducerRecord<?, ?> record, Exception exception) {
        Object value = record.value() instanceof EncodedRecord<?> encoded ? encoded.record() : record.value();
        Exception failure = new OutputException(record.topic(), exception);
        if (value instanceof Inbound inbound) {
            return deadLetter(inbound, record.headers(), failure);
        }
        if (value instanceof AuditRecord audit) {
            byte[] payload = ByteBuffers.of(
                    audit.getMessage() != null ? audit.getMessage().getRaw() : audit.getRaw());
            return deadLetter(null, payload, record.headers(), audit.getSource(), audit.getOmitted(), failure);
        }
        if (value instanceof AgentMessage message) {
            return deadLetter(
                    null, ByteBuffers.of(message.getRaw()), record.headers(), message.getSource(), null, failure);
        }
        if (value instanceof Checkpoint checkpoint && checkpoint.getSource() != null) {
            return deadLetter(
                    null,
                    null,
                    record.headers(),
                    checkpoint.getSource(),
                    OversizedRecords.of(null, null, 0, 0),
                    failure);
        }
        byte[] bytes = value instanceof byte[] array ? array : null;
        Omitted omitted = OversizedRecords.of(null, bytes, 0, 0);
        Source source = DeadLetterHeaders.inputPosition(record.headers())
                .map(position -> new Source(
                        position.topic(),
                        position.partition(),
                        position.offset(),
                        Instant.ofEpochMilli(time(context)),
                        null))
                .orElseGet(() -> source(context));
        return deadLetter(null, null, record.headers(), source, omitted, failure);
    }

    @Override
    public void configure(Map<String, ?> configs) {
        topic = (String) configs.get(TOPIC);
        Object maxRequestSize = configs.get(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG));
        if (maxRequestSize != null) {
            maxBytes = Long.parseLong(maxRequestSize.toString()) / RECORD_SIZE_DIVISOR;
        }
    }

    private ProducerRecord<byte[], byte[]> deadLetter(Inbound inbound, Headers original, Exception exception) {
        return deadLetter(
                ByteBuffers.of(inbound.getKey()),
                ByteBuffers.of(inbound.getValue()),
                original,
                inbound.getSource(),
                inbound.getOmitted(),
                exception);
    }

    private ProducerRecord<byte[], byte[]> deadLetter(
            byte[] key, byte[] value, Headers original, Source source, Omitted summary, Exception exception) {
        LOG.atError()
                .addKeyValue("topic", source.getTopic())
                .addKeyValue("partition", source.getPartition())
                .addKeyValue("offset", source.getOffset())
                .log(
                        "Processing a record failed: {}; the record is in {}, with the failure in its headers",
                        ExceptionSummary.of(exception),
                        topic);
        LOG.debug("Stack trace:", exception);
        long headerBytes = KafkaHeaders.size(original);
        boolean fits = size(key) + size(value) + headerBytes <= maxBytes;
        Omitted omitted = fits || summary != null
                ? summary
                : OversizedRecords.of(key, value, original.toArray().length, headerBytes);
        Headers headers = fits ? DeadLetterHeaders.strip(original) : new RecordHeaders();
        headers.remove(DeadLetterHeaders.CLAIMED_ATTEMPT);
        StringWriter trace = new StringWriter();
        exception.printStackTrace(new PrintWriter(trace));
        String message = Excerpt.detail(String.valueOf(exception.getMessage()));
        DeadLetterHeaders.addStandard(
                headers,
                exception.getClass().getName(),
                message,
                Excerpt.cut(trace.toString(), MAX_TRACE_CHARACTERS),
                source);
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, Code.INTERNAL_ERROR.name());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.STAGE, Stage.INTERNAL.name());
        if (omitted != null) {
            DeadLetterHeaders.addOmitted(headers, omitted, message, source);
        }
        // The time of the failure: the record's own time is unknown here, and brokers expire dead letters by this
        // timestamp.
        return new ProducerRecord<>(
                topic, null, System.currentTimeMillis(), fits ? key : null, omitted == null ? value : null, headers);
    }

    private static long size(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static Inbound inbound(Object value) {
        if (value instanceof Inbound inbound) {
            return inbound;
        }
        return value instanceof JudgedRecord judged ? judged.inbound() : null;
    }

    private static Source source(ErrorHandlerContext context) {
        return new Source(
                context.topic(), context.partition(), context.offset(), Instant.ofEpochMilli(time(context)), null);
    }

    private static long time(ErrorHandlerContext context) {
        return Math.max(0, context.timestamp());
    }

    /** Names the topic of an output record that could not be written. */
    private static final class OutputException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputException(String topic, Exception cause) {
            super("Cannot write to " + topic + ": " + cause.getMessage(), cause);
        }
    }
}
