package dev.parley.topology.pipeline;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.Omitted;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.EncodedRecord;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OversizedRecords;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.pipeline.InputPositionTracker.RecreatedTopicException;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        Optional<Inbound> released = unreadable(exception).flatMap(UnreadableValueException::input);
        if (released.isPresent()) {
            Inbound input = released.get();
            return ProcessingExceptionHandler.Response.resume(
                    List.of(deadLetter(Original.of(input), KafkaHeaders.fromAvro(input.getHeaders()), exception)));
        }
        // Without a record, a punctuation failed. To continue would commit half of its work.
        if (record == null || exception instanceof RecreatedTopicException || OutageClassifier.isOutage(exception)) {
            return ProcessingExceptionHandler.Response.fail();
        }
        Object value = record.value() instanceof JudgedRecord judged ? judged.inbound() : record.value();
        ProducerRecord<byte[], byte[]> deadLetter = value instanceof Inbound inbound
                ? deadLetter(Original.of(inbound), record.headers(), exception)
                : deadLetter(
                        new Original(context.sourceRawKey(), context.sourceRawValue(), source(context), null),
                        context.headers(),
                        exception);
        return ProcessingExceptionHandler.Response.resume(List.of(deadLetter));
    }

    @Override
    public DeserializationExceptionHandler.Response handleError(
            ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception exception) {
        if (UnreadableValues.isRefused(record.value())) {
            return DeserializationExceptionHandler.Response.resume();
        }
        if (OutageClassifier.isOutage(exception)) {
            return DeserializationExceptionHandler.Response.fail();
        }
        return DeserializationExceptionHandler.Response.resume(List.of(deadLetter(
                new Original(record.key(), record.value(), source(context), null), record.headers(), exception)));
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
        Original original;
        if (value instanceof Inbound inbound) {
            original = Original.of(inbound);
        } else if (value instanceof AuditRecord audit) {
            ByteBuffer payload = audit.getMessage() != null ? audit.getMessage().getRaw() : audit.getRaw();
            original = new Original(null, ByteBuffers.of(payload), audit.getSource(), audit.getOmitted());
        } else if (value instanceof AgentMessage message) {
            original = new Original(null, ByteBuffers.of(message.getRaw()), message.getSource(), null);
        } else if (value instanceof Checkpoint checkpoint && checkpoint.getSource() != null) {
            original = Original.omitted(null, checkpoint.getSource());
        } else {
            Source source = DeadLetterHeaders.inputPosition(record.headers())
                    .map(at -> new Source(
                            at.topic(), at.partition(), at.offset(), Instant.ofEpochMilli(time(context)), null))
                    .orElseGet(() -> source(context));
            original = Original.omitted(value instanceof byte[] bytes ? bytes : null, source);
        }
        return deadLetter(original, record.headers(), new OutputException(record.topic(), exception));
    }

    @Override
    public void configure(Map<String, ?> configs) {
        topic = (String) configs.get(TOPIC);
        Object maxRequestSize = configs.get(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG));
        if (maxRequestSize != null) {
            maxBytes = Long.parseLong(maxRequestSize.toString()) / RECORD_SIZE_DIVISOR;
        }
    }

    /**
     * The input record of a failure, as far as it is known.
     *
     * @param key may be null
     * @param value may be null
     * @param omitted summary in place of the value; null if the value is not omitted
     */
    private record Original(byte[] key, byte[] value, Source source, Omitted omitted) {

        static Original of(Inbound inbound) {
            return new Original(
                    ByteBuffers.of(inbound.getKey()),
                    ByteBuffers.of(inbound.getValue()),
                    inbound.getSource(),
                    inbound.getOmitted());
        }

        /** Without its value, because only an output derived from it is known. */
        static Original omitted(byte[] output, Source source) {
            return new Original(null, null, source, OversizedRecords.of(null, output, 0, 0));
        }

        long bytes() {
            return (key == null ? 0 : key.length) + (value == null ? 0 : (long) value.length);
        }
    }

    private ProducerRecord<byte[], byte[]> deadLetter(Original input, Headers original, Exception exception) {
        Source source = input.source();
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
        boolean fits = input.bytes() + headerBytes <= maxBytes;
        Omitted omitted = fits || input.omitted() != null
                ? input.omitted()
                : OversizedRecords.of(input.key(), input.value(), original.toArray().length, headerBytes);
        Headers headers = fits ? DeadLetterHeaders.strip(original) : new RecordHeaders();
        headers.remove(DeadLetterHeaders.CLAIMED_ATTEMPT);
        StringWriter trace = new StringWriter();
        exception.printStackTrace(new PrintWriter(trace));
        String message = Excerpt.detail(String.valueOf(exception.getMessage()));
        String shown = Excerpt.cut(trace.toString(), MAX_TRACE_CHARACTERS);
        DeadLetterHeaders.addStandard(headers, exception.getClass().getName(), message, shown, source);
        Code code = unreadable(exception).isPresent() ? Code.STATE_UNREADABLE : Code.INTERNAL_ERROR;
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, code.name());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.STAGE, Stage.INTERNAL.name());
        if (omitted != null) {
            DeadLetterHeaders.addOmitted(headers, omitted, message, source);
        }
        // The time of the failure: the record's own time is unknown here, and brokers expire dead letters by this
        // timestamp.
        long now = System.currentTimeMillis();
        byte[] value = omitted == null ? input.value() : null;
        return new ProducerRecord<>(topic, null, now, fits ? input.key() : null, value, headers);
    }

    /** The unreadable value that caused a failure. */
    private static Optional<UnreadableValueException> unreadable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnreadableValueException unreadable) {
                return Optional.of(unreadable);
            }
        }
        return Optional.empty();
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
