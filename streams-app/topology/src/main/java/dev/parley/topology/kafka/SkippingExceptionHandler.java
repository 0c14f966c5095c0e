package dev.parley.topology.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips records that views and traffic counts cannot read or process, and reports each to {@link UnreadableValues}.
 * During an outage, the thread stops instead and is restarted.
 */
public final class SkippingExceptionHandler implements ProcessingExceptionHandler, DeserializationExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(SkippingExceptionHandler.class);

    @Override
    public ProcessingExceptionHandler.Response handleError(
            ErrorHandlerContext context, Record<?, ?> record, Exception exception) {
        // Without a record, a punctuation failed.
        return skips(context, record == null ? null : record.key(), exception)
                ? ProcessingExceptionHandler.Response.resume()
                : ProcessingExceptionHandler.Response.fail();
    }

    @Override
    public DeserializationExceptionHandler.Response handleError(
            ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception exception) {
        return skips(context, record.key(), exception)
                ? DeserializationExceptionHandler.Response.resume()
                : DeserializationExceptionHandler.Response.fail();
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Nothing to configure.
    }

    /** Logs that a record is skipped, unless an outage is the reason. */
    private static boolean skips(ErrorHandlerContext context, Object key, Exception exception) {
        if (OutageClassifier.isOutage(exception)) {
            return false;
        }
        UnreadableValues.report(
                context.topic(),
                context.partition(),
                context.offset(),
                key instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) key,
                ExceptionSummary.of(exception),
                "it is skipped, and views and counts of the topic lack it");
        LOG.debug("Stack trace:", exception);
        return true;
    }
}
