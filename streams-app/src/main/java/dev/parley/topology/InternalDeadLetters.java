package dev.parley.topology;

import dev.parley.avro.Inbound;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.pipeline.Bytes;
import dev.parley.pipeline.Judged;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a record on which Parley fails in a way nobody foresaw: it goes to the internal dead letters, with its original bytes as far as they can
 * be had, and the next record flows on. Trouble with a broker or the registry is no record's fault: the stream thread stops, and is started again.
 */
public final class InternalDeadLetters implements ProcessingExceptionHandler, DeserializationExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(InternalDeadLetters.class);

    @Override
    public ProcessingExceptionHandler.Response handleError(
            ErrorHandlerContext context, Record<?, ?> record, Exception exception) {
        // No record means that a task of time failed: none is to blame, and to go on would commit half of its work.
        if (record == null || exception instanceof RecreatedTopicException || Outages.isOutage(exception)) {
            return ProcessingExceptionHandler.Response.fail();
        }
        Inbound inbound = inbound(record.value());
        ProducerRecord<byte[], byte[]> letter = inbound != null
                ? letter(
                        Bytes.of(inbound.getKey()),
                        Bytes.of(inbound.getValue()),
                        record.headers(),
                        inbound.getSource(),
                        exception)
                : letter(
                        context.sourceRawKey(),
                        context.sourceRawValue(),
                        context.headers(),
                        source(context),
                        exception);
        return ProcessingExceptionHandler.Response.resume(List.of(letter));
    }

    @Override
    public DeserializationExceptionHandler.Response handleError(
            ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception exception) {
        if (Outages.isOutage(exception)) {
            return DeserializationExceptionHandler.Response.fail();
        }
        return DeserializationExceptionHandler.Response.resume(
                List.of(letter(record.key(), record.value(), record.headers(), source(context), exception)));
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Nothing to configure: the topic's name is part of the contract.
    }

    private static ProducerRecord<byte[], byte[]> letter(
            byte[] key, byte[] value, Headers original, Source source, Exception exception) {
        LOG.atError()
                .addKeyValue("topic", source.getTopic())
                .addKeyValue("partition", source.getPartition())
                .addKeyValue("offset", source.getOffset())
                .log(
                        "Could not handle a record: {}; it is in {}, with all that is known in its headers",
                        FailureTrace.of(exception),
                        Topics.DEAD_INTERNAL);
        LOG.debug("The whole story:", exception);
        Headers headers = new RecordHeaders(original);
        StringWriter trace = new StringWriter();
        exception.printStackTrace(new PrintWriter(trace));
        DeadLetters.addStandard(
                headers,
                exception.getClass().getName(),
                String.valueOf(exception.getMessage()),
                trace.toString(),
                source);
        DeadLetters.set(headers, DeadLetters.CODE, Code.INTERNAL_ERROR.name());
        DeadLetters.set(headers, DeadLetters.STAGE, Stage.INTERNAL.name());
        // Dated when it failed: nothing is known of the record's own time, and the broker expires the letter by this
        // one.
        return new ProducerRecord<>(Topics.DEAD_INTERNAL, null, System.currentTimeMillis(), key, value, headers);
    }

    private static Inbound inbound(Object value) {
        if (value instanceof Inbound inbound) {
            return inbound;
        }
        if (value instanceof Judged judged) {
            return judged.inbound();
        }
        return value instanceof Recorded recorded ? recorded.judged().inbound() : null;
    }

    private static Source source(ErrorHandlerContext context) {
        return new Source(
                context.topic(),
                context.partition(),
                context.offset(),
                Instant.ofEpochMilli(Math.max(0, context.timestamp())),
                null);
    }
}
