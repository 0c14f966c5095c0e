package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Decimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A point in time of a conversation. The state as of it is the state after the last message that is not later, so it
 * always existed. Its string form is one of
 *
 * <pre>
 * latest
 * sequence:12                      the message with that sequence in the audit chain
 * turn:3                           SLIP: the turn with that number
 * checkpoint:C2                    CSP: that checkpoint
 * time:2026-01-31T12:00:00Z        timestamp of the input records; or milliseconds since the epoch
 * offset:parley.wire/3/1042        topic, partition and offset of the input records
 * </pre>
 */
public sealed interface PointInTime {

    /** The string forms, for error messages. */
    String FORMS =
            "latest, sequence:N, turn:N, checkpoint:ID, time:2026-01-31T12:00:00Z or offset:TOPIC/PARTITION/OFFSET";

    /** First time that can be asked for. */
    Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    /** Last time that can be asked for. */
    Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    /** After all messages. */
    record Latest() implements PointInTime {
        /** Whether a message is not later than this point in time. */
        @Override
        public boolean covers(AuditRecord record) {
            return true;
        }

        @Override
        public String toString() {
            return "latest";
        }
    }

    /**
     * A sequence of the audit chain.
     *
     * @param sequence from 0
     */
    record AtSequence(long sequence) implements PointInTime {
        @Override
        public boolean covers(AuditRecord record) {
            return record.getSequence() <= sequence;
        }

        @Override
        public String toString() {
            return "sequence:" + sequence;
        }
    }

    /**
     * A turn of a SLIP conversation.
     *
     * @param turn from 0
     */
    record AtTurn(long turn) implements PointInTime {
        @Override
        public boolean covers(AuditRecord record) {
            return record.getMessage() != null
                    && record.getMessage().getSlip() != null
                    && record.getMessage().getSlip().getTurn() <= turn;
        }

        @Override
        public String toString() {
            return "turn:" + turn;
        }
    }

    /**
     * A checkpoint of a CSP context. No message is before or after it, because it is a position in a tree.
     *
     * @param id for example C2
     */
    record AtCheckpoint(String id) implements PointInTime {
        @Override
        public boolean covers(AuditRecord record) {
            return false;
        }

        @Override
        public String toString() {
            return "checkpoint:" + id;
        }
    }

    /** A timestamp of input records. */
    record AtTime(Instant time) implements PointInTime {
        @Override
        public boolean covers(AuditRecord record) {
            return !record.getSource().getTimestamp().isAfter(time);
        }

        @Override
        public String toString() {
            return "time:" + time;
        }
    }

    /**
     * An input position. Messages from other partitions are before it if they were processed before the last one from
     * this partition up to this offset.
     *
     * @param topic input topic
     * @param partition from 0
     * @param offset from 0
     */
    record AtOffset(String topic, int partition, long offset) implements PointInTime {
        @Override
        public boolean covers(AuditRecord record) {
            Source source = record.getSource();
            return source.getPartition() == partition
                    && source.getOffset() <= offset
                    && source.getTopic().equals(topic);
        }

        @Override
        public String toString() {
            return "offset:" + topic + '/' + partition + '/' + offset;
        }
    }

    /** Whether a message is not later than the moment. */
    boolean covers(AuditRecord record);

    /** Whether no later message of the chain can be covered. */
    default boolean isReached(AuditRecord record) {
        return this instanceof AtSequence at && record.getSequence() >= at.sequence();
    }

    /**
     * Parses a time, the only kind of point that several conversations share.
     *
     * @param text {@code latest}, or a time with or without {@code time:}
     * @return the time; {@link Instant#MAX} for {@code latest}
     * @throws IllegalArgumentException if the text is invalid
     */
    static Instant until(String text) {
        String prefix = "time:";
        return text.equals("latest")
                ? Instant.MAX
                : ((AtTime) parse(text.startsWith(prefix) ? text : prefix + text)).time();
    }

    /**
     * Parses a string form for a conversation.
     *
     * @param protocol protocol of the conversation; only SLIP has turns, and only CSP has checkpoints
     * @throws IllegalArgumentException if the text is invalid; the message lists the valid forms
     */
    static PointInTime parse(String text, Protocol protocol) {
        PointInTime moment = parse(text);
        if (moment instanceof AtCheckpoint && protocol != Protocol.CSP) {
            throw new IllegalArgumentException(
                    "must not be a checkpoint, because only CSP has checkpoints; use sequence:N");
        }
        if (moment instanceof AtTurn && protocol == Protocol.CSP) {
            throw new IllegalArgumentException(
                    "must not be a turn, because CSP has none; use checkpoint:ID or sequence:N");
        }
        if (moment instanceof AtTurn && protocol != Protocol.SLIP) {
            throw new IllegalArgumentException("must not be a turn, because only SLIP has turns; use sequence:N");
        }
        return moment;
    }

    /**
     * Parses a string form.
     *
     * @throws IllegalArgumentException if the text is invalid; the message lists the valid forms
     */
    static PointInTime parse(String text) {
        if (text.equals("latest")) {
            return new Latest();
        }
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (text.substring(0, Math.max(0, colon))) {
            case "sequence" -> new AtSequence(number(rest, Long.MAX_VALUE));
            case "turn" -> new AtTurn(number(rest, Long.MAX_VALUE));
            case "checkpoint" -> new AtCheckpoint(rest);
            case "time" -> new AtTime(time(rest));
            case "offset" -> offset(rest);
            default -> throw new IllegalArgumentException("must be " + FORMS);
        };
    }

    private static AtOffset offset(String text) {
        int last = text.lastIndexOf('/');
        int middle = text.lastIndexOf('/', last - 1);
        if (middle < 1) {
            throw new IllegalArgumentException("must be an input position, such as offset:parley.wire/3/1042");
        }
        return new AtOffset(
                text.substring(0, middle),
                (int) number(text.substring(middle + 1, last), Integer.MAX_VALUE),
                number(text.substring(last + 1), Long.MAX_VALUE));
    }

    private static Instant time(String text) {
        try {
            // A plus sign that was not percent-encoded arrives as a space.
            Instant time = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Instant.ofEpochMilli(number(text, Long.MAX_VALUE))
                    : OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
            if (time.isBefore(FIRST) || time.isAfter(LAST)) {
                throw new DateTimeException("the year must have four digits");
            }
            return time;
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "must be a time, such as time:2026-01-31T12:00:00Z or time:2026-01-31T13:00:00+01:00, or"
                            + " milliseconds since the epoch",
                    e);
        }
    }

    private static long number(String text, long max) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("must have a number after the colon");
        }
        long number = Decimal.parse(text, max);
        if (number == Decimal.NONE) {
            throw new IllegalArgumentException("must be an integer from 0 to " + max);
        }
        return number;
    }
}
