package dev.parley.topology;

import dev.parley.avro.Inbound;
import dev.parley.avro.Omitted;
import dev.parley.avro.Source;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.pipeline.Bytes;
import dev.parley.pipeline.Judged;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Turns a failed message back into the record that came in: original key, value and headers, and beside them why it failed, in the header family of
 * KIP-1034 and in Parley's own. A record that is larger than a message may be has no value here; headers say how to fetch it.
 */
public final class DeadLetters extends ContextualProcessor<String, Recorded, byte[], byte[]> {
    /** Prefix of Parley's headers of dead letters. */
    static final String PARLEY_ERRORS = "parley.error.";
    /** Prefix of the headers of KIP-1034. */
    static final String STREAMS_ERRORS = "__streams.errors.";
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
    /** How often the message has come to the pipeline, from 1, as its redrives claim. */
    static final String ATTEMPT = "parley.error.attempt";
    /** SHA-256 of a value that was omitted because the record is larger than a message may be, in hexadecimal. */
    static final String OMITTED_SHA256 = "parley.error.value-sha256";
    /** Size in bytes of the value that was omitted; absent when the value was null. */
    static final String OMITTED_SIZE = "parley.error.value-size";
    /** First bytes of the value that was omitted, at most 200, as they are. */
    static final String OMITTED_PREFIX = "parley.error.value-prefix";

    /** Header of a redriven record: which attempt it is, from 2. Any producer may send it; it counts and decides nothing. */
    static final String CLAIMED_ATTEMPT = "parley-attempt";

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
        Headers headers = KafkaHeaders.withoutErrors(record.headers());
        String attempt = attempt(headers);
        headers.remove(CLAIMED_ATTEMPT);
        String sentence = judged.detail() == null ? judged.code().meaning() : judged.detail();
        addStandard(
                headers,
                VERDICT + judged.verdict(),
                sentence,
                judged.rule() == null ? "" : judged.rule().toString(),
                inbound.getSource());
        set(headers, CODE, judged.code().name());
        set(headers, STAGE, judged.stage().name());
        if (inbound.getOmitted() != null) {
            addOmitted(headers, inbound.getOmitted(), sentence, inbound.getSource());
        }
        if (judged.decoding() instanceof Decoding.Undecodable fault) {
            set(headers, OFFSET, Integer.toString(fault.position()));
            set(headers, PROTOCOL, fault.protocol().name());
        } else {
            ConversationKey conversation = ConversationKey.parse(judged.chain());
            set(headers, PROTOCOL, conversation.protocol());
            set(headers, CONVERSATION, conversation.conversation());
        }
        set(headers, ATTEMPT, attempt);
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

    /** Says what is known of a value that is not in the dead letter, and how to fetch it. */
    static void addOmitted(Headers headers, Omitted omitted, String sentence, Source source) {
        set(headers, MESSAGE, sentence + ". " + howToFetch(source));
        set(headers, OMITTED_SHA256, HexFormat.of().formatHex(Bytes.of(omitted.getSha256())));
        if (omitted.getValueBytes() != null) {
            set(headers, OMITTED_SIZE, omitted.getValueBytes().toString());
        }
        if (omitted.getPrefix() != null) {
            headers.remove(OMITTED_PREFIX).add(OMITTED_PREFIX, Bytes.of(omitted.getPrefix()));
        }
    }

    private static String howToFetch(Source source) {
        return "This dead letter has no value because the record is too large; fetch the record from its input topic"
                + " while that keeps it: kafka-console-consumer --bootstrap-server HOST:PORT --topic "
                + source.getTopic() + " --partition " + source.getPartition() + " --offset " + source.getOffset()
                + " --max-messages 1";
    }

    /** What a redrive claimed; 1 without a claim that can be one. */
    private static String attempt(Headers headers) {
        OptionalLong claimed = KafkaHeaders.number(headers, CLAIMED_ATTEMPT, ATTEMPT_DIGITS);
        return Long.toString(Math.max(1, claimed.orElse(1)));
    }

    /**
     * The headers with which a dead letter is redriven: those that its input record had, and which attempt it now is.
     *
     * @param letter headers of a dead letter
     */
    public static Headers redriven(Headers letter) {
        Headers headers = KafkaHeaders.withoutErrors(letter);
        OptionalLong last = KafkaHeaders.number(letter, ATTEMPT, ATTEMPT_DIGITS);
        set(headers, CLAIMED_ATTEMPT, Long.toString(Math.max(1, last.orElse(1)) + 1));
        return headers;
    }

    /** Whether a dead letter stands for a record that was too large, so that it has no value and cannot be redriven. */
    public static boolean isOmitted(Headers letter) {
        return letter.lastHeader(OMITTED_SHA256) != null;
    }

    static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
