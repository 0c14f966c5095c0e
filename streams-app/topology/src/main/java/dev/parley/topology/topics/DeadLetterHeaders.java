package dev.parley.topology.topics;

import dev.parley.audit.InputPosition;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Omitted;
import dev.parley.avro.Source;
import dev.parley.codec.Decimal;
import dev.parley.encoding.ByteBuffers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The headers of dead letters, a public contract: those of KIP-1034 and Parley's own. */
public final class DeadLetterHeaders {
    /** Class of the exception (KIP-1034), or the verdict. */
    public static final String EXCEPTION = "__streams.errors.exception";
    /** A sentence about the failure (KIP-1034). */
    public static final String MESSAGE = "__streams.errors.message";
    /** Input topic (KIP-1034). */
    public static final String TOPIC = "__streams.errors.topic";
    /** Input partition (KIP-1034). */
    public static final String PARTITION = "__streams.errors.partition";
    /** Input offset (KIP-1034). */
    public static final String SOURCE_OFFSET = "__streams.errors.offset";
    /** Code of the decode error or violation. */
    public static final String CODE = "parley.error.code";
    /** Stage at which the message failed. */
    public static final String STAGE = "parley.error.stage";
    /** Section of the violated rule in docs/protocols.md; the stack trace of KIP-1034 has its text. */
    public static final String SECTION = "parley.error.section";
    /** Provenance of the violated rule: S, C, R or I. */
    public static final String PROVENANCE = "parley.error.provenance";
    /** Byte position of the decode error, from 0. */
    public static final String OFFSET = "parley.error.offset";

    public static final String PROTOCOL = "parley.error.protocol";
    /** Agent system of a message. */
    public static final String NAMESPACE = "parley.error.namespace";
    /** Conversation of a message. */
    public static final String CONVERSATION = "parley.error.conversation";
    /** Sender of a message. */
    public static final String SENDER = "parley.error.sender";
    /** Agent system that an undecodable record claims. */
    public static final String CLAIMED_NAMESPACE = "parley.error.claimed-namespace";
    /** Conversation that an undecodable record claims. */
    public static final String CLAIMED_CONVERSATION = "parley.error.claimed-conversation";
    /** Sender that an undecodable record claims. */
    public static final String CLAIMED_SENDER = "parley.error.claimed-sender";
    /** Number of times that the message has reached the pipeline, from 1, as its redrives claim. */
    public static final String ATTEMPT = "parley.error.attempt";
    /** A complete message inside the value, as in "SLIP 12 40": protocol, first byte, and end. One header for each. */
    public static final String INNER = "parley.error.inner";
    /** First bytes of an omitted value, at most 200. */
    public static final String OMITTED_PREFIX = "parley.error.value-prefix";

    /** Header of a redriven record: its attempt, from 2. Any producer can set it, so no decision depends on it. */
    public static final String CLAIMED_ATTEMPT = "parley-attempt";

    private static final String PARLEY_PREFIX = "parley.error.";
    private static final String STREAMS_PREFIX = "__streams.errors.";
    /** The exception's stack trace (KIP-1034), or the violated rule. */
    private static final String STACKTRACE = "__streams.errors.stacktrace";
    /** SHA-256 of an omitted value in hexadecimal. */
    private static final String OMITTED_SHA256 = "parley.error.value-sha256";
    /** Size of an omitted value in bytes; absent if the value was null. */
    private static final String OMITTED_SIZE = "parley.error.value-size";

    private static final int PARTITION_DIGITS = 9;
    private static final int OFFSET_DIGITS = 18;
    private static final int ATTEMPT_DIGITS = 9;

    private DeadLetterHeaders() {}

    /**
     * Copies headers without dead-letter headers. Only Parley and Kafka Streams may set these, but an agent can send
     * any header, in upper or lower case.
     */
    public static Headers strip(Headers headers) {
        Headers kept = new RecordHeaders();
        for (Header header : headers) {
            if (!startsWith(header.key(), PARLEY_PREFIX) && !startsWith(header.key(), STREAMS_PREFIX)) {
                kept.add(header);
            }
        }
        return kept;
    }

    private static boolean startsWith(String name, String prefix) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    /** Adds the headers of KIP-1034. */
    public static void addStandard(
            Headers headers, String exception, String message, String stacktrace, Source source) {
        set(headers, EXCEPTION, exception);
        set(headers, MESSAGE, message);
        set(headers, STACKTRACE, stacktrace);
        set(headers, TOPIC, source.getTopic());
        set(headers, PARTITION, Integer.toString(source.getPartition()));
        set(headers, SOURCE_OFFSET, Long.toString(source.getOffset()));
    }

    /** Adds a summary of an omitted value, and how to fetch it. */
    public static void addOmitted(Headers headers, Omitted omitted, String sentence, Source source) {
        set(headers, MESSAGE, sentence + ". " + howToFetch(source));
        set(headers, OMITTED_SHA256, HexFormat.of().formatHex(ByteBuffers.of(omitted.getSha256())));
        if (omitted.getValueBytes() != null) {
            set(headers, OMITTED_SIZE, omitted.getValueBytes().toString());
        }
        if (omitted.getPrefix() != null) {
            headers.remove(OMITTED_PREFIX).add(OMITTED_PREFIX, ByteBuffers.of(omitted.getPrefix()));
        }
    }

    private static String howToFetch(Source source) {
        return "This dead letter has no value because the record is too large. While the input topic keeps the record,"
                + " fetch it with: kafka-console-consumer --bootstrap-server HOST:PORT --topic "
                + source.getTopic() + " --partition " + source.getPartition() + " --offset " + source.getOffset()
                + " --max-messages 1";
    }

    /** Sets a header, in place of all headers of that name; only removes them for null. */
    public static void set(Headers headers, String name, String value) {
        headers.remove(name);
        if (value != null) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns the attempt that an input record claims; 1 without a valid claim. */
    public static long claimedAttempt(Headers headers) {
        return Math.max(
                1, KafkaHeaders.number(headers, CLAIMED_ATTEMPT, ATTEMPT_DIGITS).orElse(1));
    }

    /**
     * Returns the headers of a redriven record: those of the original input record without its expectation, which a
     * later position would never meet, and the number of the attempt.
     */
    public static Headers forRedrive(Headers headers, int attempt) {
        Headers redriven = new RecordHeaders();
        for (Header header : strip(headers)) {
            if (!dev.parley.codec.RecordHeaders.isNamed(header.key(), dev.parley.codec.RecordHeaders.EXPECT)) {
                redriven.add(header);
            }
        }
        set(redriven, CLAIMED_ATTEMPT, Integer.toString(attempt));
        return redriven;
    }

    /** Adds a header for each message inside the value. */
    public static void addInner(Headers headers, List<InnerMessage> inner) {
        for (InnerMessage message : inner) {
            String text = message.getProtocol() + ' ' + message.getStart() + ' ' + message.getEnd();
            headers.add(INNER, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns the messages inside a value of this size, in order; without invalid ones. */
    public static List<InnerMessage> inner(Headers headers, int size) {
        List<InnerMessage> inner = new ArrayList<>();
        for (Header header : headers.headers(INNER)) {
            String text = header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
            int second = text.lastIndexOf(' ');
            int first = text.lastIndexOf(' ', second - 1);
            long start = first < 1 ? Decimal.NONE : Decimal.parse(text.substring(first + 1, second), size);
            long end = first < 1 ? Decimal.NONE : Decimal.parse(text.substring(second + 1), size);
            if (start != Decimal.NONE && end != Decimal.NONE && start < end) {
                inner.add(new InnerMessage(text.substring(0, first), (int) start, (int) end));
            }
        }
        return inner;
    }

    /** Returns whether a dead letter omits the value of a record that was too large; it cannot be redriven then. */
    public static boolean isOmitted(Headers headers) {
        return headers.lastHeader(OMITTED_SHA256) != null;
    }

    /** Returns the size of an omitted value in bytes; empty if the value was null or the header is invalid. */
    public static OptionalLong omittedSize(Headers headers) {
        return KafkaHeaders.number(headers, OMITTED_SIZE, PARTITION_DIGITS);
    }

    /** Returns the SHA-256 of an omitted value; empty if the header is invalid. */
    public static Optional<byte[]> omittedSha256(Headers headers) {
        try {
            return Optional.of(HexFormat.of().parseHex(String.valueOf(KafkaHeaders.text(headers, OMITTED_SHA256))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns a header as a number; empty if it is absent or invalid. */
    public static OptionalLong number(Headers headers, String name) {
        return KafkaHeaders.number(headers, name, OFFSET_DIGITS);
    }

    /** Returns the position of the input record; empty if the headers name none. */
    public static Optional<InputPosition> inputPosition(Headers headers) {
        String topic = KafkaHeaders.text(headers, TOPIC);
        OptionalLong partition = partition(headers);
        OptionalLong offset = number(headers, SOURCE_OFFSET);
        return topic != null && !topic.isEmpty() && partition.isPresent() && offset.isPresent()
                ? Optional.of(new InputPosition(topic, (int) partition.getAsLong(), offset.getAsLong()))
                : Optional.empty();
    }

    private static OptionalLong partition(Headers headers) {
        return KafkaHeaders.number(headers, PARTITION, PARTITION_DIGITS);
    }
}
