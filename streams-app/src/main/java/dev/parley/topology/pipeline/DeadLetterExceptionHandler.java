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
import dev.parley.stage.Bytes;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Omissions;
import dev.parley.topology.setup.DeadLetterHeaders;
import dev.parley.topology.setup.ExceptionSummary;
import dev.parley.topology.setup.KafkaHeaders;
import dev.parley.topology.setup.OutageClassifier;
import dev.parley.topology.setup.Topics;
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
 * What happens to a record on which Parley fails in a way nobody foresaw: it goes to the internal dead letters, with
 * its original bytes as far as they can be had, and the next record flows on. So does the input of an output that can
 * never be written. Trouble with a broker or the registry is no record's fault: the stream thread stops, and is started
 * again.
 */
public final class DeadLetterExceptionHandler
        implements ProcessingExceptionHandler, DeserializationExceptionHandler, ProductionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterExceptionHandler.class);
    private static final int MAX_TRACE_CHARACTERS = 16_384;
    /** A dead letter adds headers to its record; half of what a topic takes leaves room for them. */
    private static final int SHARE_OF_RECORD = 2;

    private long maxBytes = (1L << 20) / SHARE_OF_RECORD;

    @Override
    public ProcessingExceptionHandler.Response handleError(
            ErrorHandlerContext context, Record<?, ?> record, Exception exception) {
        // No record means that a task of time failed: none is to blame, and to go on would commit half of its work.
        if (record == null || exception instanceof RecreatedTopicException || OutageClassifier.isOutage(exception)) {
            return ProcessingExceptionHandler.Response.fail();
        }
        Inbound inbound = inbound(record.value());
        ProducerRecord<byte[], byte[]> letter = inbound != null
                ? letter(
                        Bytes.of(inbound.getKey()),
                        Bytes.of(inbound.getValue()),
                        record.headers(),
                        inbound.getSource(),
                        inbound.getOmitted(),
                        exception)
                : letter(
                        context.sourceRawKey(),
                        context.sourceRawValue(),
                        context.headers(),
                        source(context),
                        null,
                        exception);
        return ProcessingExceptionHandler.Response.resume(List.of(letter));
    }

    @Override
    public DeserializationExceptionHandler.Response handleError(
            ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception exception) {
        if (OutageClassifier.isOutage(exception)) {
            return DeserializationExceptionHandler.Response.fail();
        }
        return DeserializationExceptionHandler.Response.resume(
                List.of(letter(record.key(), record.value(), record.headers(), source(context), null, exception)));
    }

    /**
     * A value, or a key of a topic or store, that cannot be written: its input goes to the internal dead letters, and
     * the output is missing.
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
        return ProductionExceptionHandler.Response.resume(List.of(unwritten(context, record, exception)));
    }

    /**
     * A record that the producer or a broker refuses. Only one that can never be written is given up; Kafka aborts a
     * transaction with it all the same, which is why sizes are checked when values are serialized.
     */
    @Override
    public ProductionExceptionHandler.Response handleError(
            ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
        if (exception instanceof RecordTooLargeException) {
            return ProductionExceptionHandler.Response.resume(List.of(unwritten(context, record, exception)));
        }
        return exception instanceof RetriableException
                ? ProductionExceptionHandler.Response.retry()
                : ProductionExceptionHandler.Response.fail();
    }

    private ProducerRecord<byte[], byte[]> unwritten(
            ErrorHandlerContext context, ProducerRecord<?, ?> record, Exception exception) {
        Object value = record.value();
        Exception named = new OutputException(record.topic(), exception);
        if (value instanceof Inbound inbound) {
            return letter(
                    Bytes.of(inbound.getKey()),
                    Bytes.of(inbound.getValue()),
                    record.headers(),
                    inbound.getSource(),
                    inbound.getOmitted(),
                    named);
        }
        if (value instanceof AuditRecord audit) {
            byte[] payload =
                    Bytes.of(audit.getMessage() != null ? audit.getMessage().getRaw() : audit.getRaw());
            return letter(null, payload, record.headers(), audit.getSource(), audit.getOmitted(), named);
        }
        if (value instanceof AgentMessage message) {
            return letter(null, Bytes.of(message.getRaw()), record.headers(), message.getSource(), null, named);
        }
        if (value instanceof Checkpoint checkpoint && checkpoint.getSource() != null) {
            return letter(null, null, record.headers(), checkpoint.getSource(), Omissions.of(null, null, 0, 0), named);
        }
        byte[] bytes = value instanceof byte[] array ? array : null;
        Omitted omitted = Omissions.of(null, bytes, 0, 0);
        Source source = DeadLetterHeaders.inputPosition(record.headers())
                .map(position -> new Source(
                        position.topic(),
                        position.partition(),
                        position.offset(),
                        Instant.ofEpochMilli(time(context)),
                        null))
                .orElseGet(() -> source(context));
        return letter(null, null, record.headers(), source, omitted, named);
    }

    @Override
    public void configure(Map<String, ?> configs) {
        Object most = configs.get(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG));
        if (most != null) {
            maxBytes = Long.parseLong(most.toString()) / SHARE_OF_RECORD;
        }
    }

    private ProducerRecord<byte[], byte[]> letter(
            byte[] key, byte[] value, Headers original, Source source, Omitted summary, Exception exception) {
        LOG.atError()
                .addKeyValue("topic", source.getTopic())
                .addKeyValue("partition", source.getPartition())
                .addKeyValue("offset", source.getOffset())
                .log(
                        "Could not handle a record: {}; it is in {}, with all that is known in its headers",
                        ExceptionSummary.of(exception),
                        Topics.INTERNAL_DEAD_LETTERS);
        LOG.debug("The whole story:", exception);
        long headerBytes = KafkaHeaders.size(original);
        boolean fits = size(key) + size(value) + headerBytes <= maxBytes;
        Omitted omitted =
                fits || summary != null ? summary : Omissions.of(key, value, original.toArray().length, headerBytes);
        Headers headers = fits ? DeadLetterHeaders.strip(original) : new RecordHeaders();
        headers.remove(DeadLetterHeaders.CLAIMED_ATTEMPT);
        StringWriter trace = new StringWriter();
        exception.printStackTrace(new PrintWriter(trace));
        String message = Excerpt.detail(String.valueOf(exception.getMessage()));
        DeadLetterHeaders.addStandard(
                headers,
                exception.getClass().getName(),
                message,
                trace.toString().substring(0, Math.min(trace.toString().length(), MAX_TRACE_CHARACTERS)),
                source);
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, Code.INTERNAL_ERROR.name());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.STAGE, Stage.INTERNAL.name());
        if (omitted != null) {
            DeadLetterHeaders.addOmitted(headers, omitted, message, source);
        }
        // Dated when it failed: nothing is known of the record's own time, and the broker expires the letter by this
        // one.
        return new ProducerRecord<>(
                Topics.INTERNAL_DEAD_LETTERS,
                null,
                System.currentTimeMillis(),
                fits ? key : null,
                omitted == null ? value : null,
                headers);
    }

    private static long size(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static Inbound inbound(Object value) {
        if (value instanceof Inbound inbound) {
            return inbound;
        }
        if (value instanceof JudgedRecord judged) {
            return judged.inbound();
        }
        return value instanceof RecordedVerdict recorded ? recorded.judged().inbound() : null;
    }

    private static Source source(ErrorHandlerContext context) {
        return new Source(
                context.topic(), context.partition(), context.offset(), Instant.ofEpochMilli(time(context)), null);
    }

    private static long time(ErrorHandlerContext context) {
        return Math.max(0, context.timestamp());
    }

    /** Names the topic that an output could not be written to. */
    private static final class OutputException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputException(String topic, Exception cause) {
            super("could not write to " + topic + ": " + cause.getMessage(), cause);
        }
    }
}
