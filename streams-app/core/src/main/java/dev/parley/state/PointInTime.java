package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Decimal;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

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
 * C2                               CSP: that checkpoint, if it begins with a letter
 * 14:00, -15m, 2026-01-31          any form of a time (see {@link TimeText}) except milliseconds
 * </pre>
 *
 * A short form never hides another one: a checkpoint named {@code latest} or {@code 14:00} is
 * {@code checkpoint:latest} or {@code checkpoint:14:00}.
 */
public sealed interface PointInTime {

    /** The string forms, for error messages. */
    String FORMS = "latest, sequence:N, turn:N (SLIP), C2 or checkpoint:ID (CSP), a time such as 2026-01-31T12:00:00Z,"
            + " 2026-01-31, 14:00 or -1h, or offset:TOPIC/PARTITION/OFFSET";

    /** A point in time that the inputs of messages decide. */
    sealed interface OfInputs extends PointInTime {
        /**
         * Whether an input is not later than this point in time.
         *
         * @param source null if it is unknown
         */
        boolean covers(Source source);

        @Override
        default boolean covers(AuditRecord record) {
            return covers(record.getSource());
        }
    }

    /** After all messages. */
    record Latest() implements OfInputs {
        @Override
        public boolean covers(Source source) {
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
    record AtTime(Instant time) implements OfInputs {
        @Override
        public boolean covers(Source source) {
            return source == null || !source.getTimestamp().isAfter(time);
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
    record AtOffset(String topic, int partition, long offset) implements OfInputs {
        @Override
        public boolean covers(Source source) {
            return source != null
                    && source.getPartition() == partition
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
     * @param clock the present, and the zone of dates and times of day
     * @return the time; {@link Instant#MAX} for {@code latest}
     * @throws IllegalArgumentException if the text is invalid; the message lists the valid forms
     */
    static Instant until(String text, Clock clock) {
        String prefix = "time:";
        return text.equals("latest")
                ? Instant.MAX
                : TimeText.parse(text.startsWith(prefix) ? text.substring(prefix.length()) : text, clock);
    }

    /**
     * Parses a string form for a conversation.
     *
     * @param protocol protocol of the conversation; only SLIP has turns, and only CSP has checkpoints
     * @param clock the present, and the zone of dates and times of day
     * @throws IllegalArgumentException if the text is invalid; the message lists the valid forms
     */
    static PointInTime parse(String text, Protocol protocol, Clock clock) {
        PointInTime moment = parse(text, clock);
        if (moment instanceof AtCheckpoint && protocol != Protocol.CSP) {
            throw new IllegalArgumentException(
                    "must not be a checkpoint, because only CSP has checkpoints; it must be " + FORMS);
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

    private static PointInTime parse(String text, Clock clock) {
        if (text.equals("latest")) {
            return new Latest();
        }
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (text.substring(0, Math.max(0, colon))) {
            case "sequence" -> new AtSequence(number(rest, Long.MAX_VALUE));
            case "turn" -> new AtTurn(number(rest, Long.MAX_VALUE));
            case "checkpoint" -> new AtCheckpoint(rest);
            case "time" -> new AtTime(TimeText.parse(rest, clock));
            case "offset" -> offset(rest);
            default -> shortForm(text, clock);
        };
    }

    private static PointInTime shortForm(String text, Clock clock) {
        if (isWord(text)) {
            return new AtCheckpoint(text);
        }
        // A number alone could be a sequence, a turn or milliseconds.
        return Optional.of(text)
                .filter(time -> !TimeText.isNumber(time))
                .flatMap(time -> TimeText.find(time, clock))
                .map(AtTime::new)
                .orElseThrow(() -> new IllegalArgumentException("must be " + FORMS));
    }

    /** Whether a text is an ASCII letter, followed by letters, digits, dots, hyphens and underscores. */
    private static boolean isWord(String text) {
        return !text.isEmpty()
                && isLetter(text.charAt(0))
                && text.chars().allMatch(c -> isLetter(c) || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_');
    }

    private static boolean isLetter(int c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
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
