package dev.parley.topology;

import dev.parley.avro.Inbound;
import dev.parley.avro.Source;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.pipeline.Bytes;
import dev.parley.pipeline.Judged;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Turns a failed message back into the record that came in: original key, value and headers, and beside them why it failed, in the header family of
 * KIP-1034 and in Parley's own.
 */
final class DeadLetters extends ContextualProcessor<String, Recorded, byte[], byte[]> {
    /** Class of the exception (KIP-1034), or the verdict. */
    static final String EXCEPTION = "__streams.errors.exception";
    /** A sentence about the failure (KIP-1034). */
    static final String MESSAGE = "__streams.errors.message";
    /** The exception's stack trace (KIP-1034), or the rule that decided. */
    static final String STACKTRACE = "__streams.errors.stacktrace";
    /** Input topic (KIP-1034). */
    static final String TOPIC = "__streams.errors.topic";
    /** Input partition (KIP-1034). */
    static final String PARTITION = "__streams.errors.partition";
    /** Input offset (KIP-1034). */
    static final String SOURCE_OFFSET = "__streams.errors.offset";
    /** Code of the fault or violation. */
    static final String CODE = "parley.error.code";
    /** Stage at which the message failed. */
    static final String STAGE = "parley.error.stage";
    /** Byte position of the fault, from 0. */
    static final String OFFSET = "parley.error.offset";
    /** Protocol as which the message was read. */
    static final String PROTOCOL = "parley.error.protocol";
    /** Conversation of the message. */
    static final String CONVERSATION = "parley.error.conversation";
    /** How often the message has come to the pipeline, from 1. */
    static final String ATTEMPT = "parley.error.attempt";

    /** Most digits of the partition in a header. */
    static final int PARTITION_DIGITS = 9;
    /** Most digits of the offset in a header. */
    static final int OFFSET_DIGITS = 18;

    private static final int ATTEMPT_DIGITS = 9;

    /** Written instead of a Java exception's class: the failure is a verdict, not an exception. */
    private static final String VERDICT = "dev.parley.Verdict.";

    @Override
    public void process(Record<String, Recorded> record) {
        Judged judged = record.value().judged();
        Inbound inbound = judged.inbound();
        Headers headers = new RecordHeaders(record.headers());
        String sentence = judged.detail() == null ? judged.code().meaning() : judged.detail();
        addStandard(
                headers,
                VERDICT + judged.verdict(),
                sentence,
                judged.rule() == null ? "" : judged.rule().toString(),
                inbound.getSource());
        set(headers, CODE, judged.code().name());
        set(headers, STAGE, judged.stage().name());
        if (judged.decoding() instanceof Decoding.Undecodable fault) {
            set(headers, OFFSET, Integer.toString(fault.position()));
            set(headers, PROTOCOL, fault.protocol().name());
        } else {
            ConversationKey conversation = ConversationKey.parse(judged.chain());
            set(headers, PROTOCOL, conversation.protocol().name());
            set(headers, CONVERSATION, conversation.conversation());
        }
        set(headers, ATTEMPT, nextAttempt(headers));
        context()
                .forward(new Record<>(
                        Bytes.of(inbound.getKey()), Bytes.of(inbound.getValue()), record.timestamp(), headers));
    }

    static void addStandard(Headers headers, String exception, String message, String stacktrace, Source source) {
        set(headers, EXCEPTION, exception);
        set(headers, MESSAGE, message);
        set(headers, STACKTRACE, stacktrace);
        set(headers, TOPIC, source.getTopic());
        set(headers, PARTITION, Integer.toString(source.getPartition()));
        set(headers, SOURCE_OFFSET, Long.toString(source.getOffset()));
    }

    /** A dead letter that was sent again carries its last attempt. */
    private static String nextAttempt(Headers headers) {
        OptionalLong last = KafkaHeaders.number(headers, ATTEMPT, ATTEMPT_DIGITS);
        return Long.toString(last.isPresent() ? last.getAsLong() + 1 : 1);
    }

    static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
