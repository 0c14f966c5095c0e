package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Decimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A moment of a conversation. The state as of a moment is the one that held once the last message not later than the
 * moment had been handled: always a state that there really was. Its text form is one of
 *
 * <pre>
 * latest
 * sequence:12                      the message of that sequence in the audit chain
 * turn:3                           SLIP: the turn of that number
 * checkpoint:C2                    CSP: that checkpoint
 * time:2026-01-31T12:00:00Z        the timestamps of the input records; or milliseconds since the epoch
 * offset:parley.wire/3/1042        topic, partition and offset of the input records
 * </pre>
 */
public sealed interface Moment {

    /** What a text form looks like, for who wrote one that is none. */
    String FORMS =
            "latest, sequence:N, turn:N, checkpoint:ID, time:2026-01-31T12:00:00Z or offset:TOPIC/PARTITION/OFFSET";

    /** After all that was handled. */
    record Latest() implements Moment {
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
     * A place in the conversation's audit chain.
     *
     * @param sequence from 0
     */
    record AtSequence(long sequence) implements Moment {
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
    record AtTurn(long turn) implements Moment {
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
     * A checkpoint of a CSP context. It is a place in a tree, not in time, so no message is before or after it.
     *
     * @param id for example C2
     */
    record AtCheckpoint(String id) implements Moment {
        @Override
        public boolean covers(AuditRecord record) {
            return false;
        }

        @Override
        public String toString() {
            return "checkpoint:" + id;
        }
    }

    /**
     * A time, by the timestamps of the input records.
     *
     * @param time the time
     */
    record AtTime(Instant time) implements Moment {
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
     * A place in an input topic. Messages that came from elsewhere are before it when they were handled before the last
     * one that came from this partition up to this offset.
     *
     * @param topic input topic
     * @param partition from 0
     * @param offset from 0
     */
    record AtOffset(String topic, int partition, long offset) implements Moment {
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

    /** Whether no message after this one can be covered, because they come in this order. */
    default boolean isReached(AuditRecord record) {
        return this instanceof AtSequence at && record.getSequence() >= at.sequence();
    }

    /**
     * Reads a text form of a moment of a conversation.
     *
     * @param protocol protocol of the conversation; only SLIP has turns, and only CSP has checkpoints
     * @throws IllegalArgumentException when it is none; the message says what is
     */
    static Moment parse(String text, Protocol protocol) {
        Moment moment = parse(text);
        if (moment instanceof AtCheckpoint && protocol != Protocol.CSP) {
            throw new IllegalArgumentException("is a checkpoint, and only CSP has checkpoints; use sequence:N");
        }
        if (moment instanceof AtTurn && protocol == Protocol.CSP) {
            throw new IllegalArgumentException("is a turn, and CSP has none; use checkpoint:ID or sequence:N");
        }
        if (moment instanceof AtTurn && protocol != Protocol.SLIP) {
            throw new IllegalArgumentException("is a turn, and only SLIP has turns; use sequence:N");
        }
        return moment;
    }

    /**
     * Reads a text form.
     *
     * @throws IllegalArgumentException when it is none; the message says what is
     */
    static Moment parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String rest = text.substring(colon + 1);
        if (colon < 0) {
            if (kind.equals("latest")) {
                return new Latest();
            }
            throw new IllegalArgumentException("is none of " + FORMS);
        }
        return switch (kind) {
            case "sequence" -> new AtSequence(number(rest, Long.MAX_VALUE));
            case "turn" -> new AtTurn(number(rest, Long.MAX_VALUE));
            case "checkpoint" -> new AtCheckpoint(rest);
            case "time" -> new AtTime(time(rest));
            case "offset" -> offset(rest);
            default -> throw new IllegalArgumentException("is none of " + FORMS);
        };
    }

    private static AtOffset offset(String text) {
        int last = text.lastIndexOf('/');
        int middle = text.lastIndexOf('/', last - 1);
        if (middle < 1) {
            throw new IllegalArgumentException("is no place like offset:parley.wire/3/1042");
        }
        return new AtOffset(
                text.substring(0, middle),
                (int) number(text.substring(middle + 1, last), Integer.MAX_VALUE),
                number(text.substring(last + 1), Long.MAX_VALUE));
    }

    private static Instant time(String text) {
        try {
            // A plus sign that was not percent-encoded arrives as a blank.
            return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Instant.ofEpochMilli(number(text, Long.MAX_VALUE))
                    : OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "is no time like time:2026-01-31T12:00:00Z or time:2026-01-31T13:00:00+01:00, nor milliseconds"
                            + " since the epoch",
                    e);
        }
    }

    private static long number(String text, long max) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("has no number behind the colon");
        }
        long number = Decimal.parse(text, max);
        if (number == Decimal.NONE) {
            throw new IllegalArgumentException("has no whole number from 0 to " + max + " where one stands");
        }
        return number;
    }
}
