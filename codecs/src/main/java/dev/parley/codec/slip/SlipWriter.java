package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Utf8;
import java.util.List;

/** Writes one message in canonical form: the headers in the order a, f, c, S, d, T, then the slots and unknown fields in their order. */
final class SlipWriter {
    private final StringBuilder out = new StringBuilder(96);
    private final SlipMessage message;

    private SlipWriter(SlipMessage message) {
        this.message = message;
    }

    static byte[] write(SlipMessage message) {
        return new SlipWriter(message).write();
    }

    private byte[] write() {
        requireAct(message.getAct());
        requireFrame(message.getFrame());
        out.append('@');
        header(SlipField.ACT, message.getAct().ordinal() - 1);
        header(SlipField.FRAME, message.getFrame().ordinal() - 1);
        header(SlipField.CONVERSATION, message.getConversation());
        header(SlipField.SOURCE, message.getSource());
        header(SlipField.DESTINATION, message.getDestination());
        header(SlipField.TURN, message.getTurn());
        slots();
        out.setCharAt(out.length() - 1, '#');
        return out.toString().getBytes(UTF_8);
    }

    private void header(SlipField field, long number) {
        out.append(field.prefix());
        number(field, number);
        out.append('|');
    }

    private void slots() {
        String order = message.getSlotOrder();
        List<String> unknownFields = message.getUnknownFields();
        int written = 0;
        int unknown = 0;
        for (int i = 0; i < order.length(); i++) {
            SlipField field = SlipField.of(order.charAt(i));
            if (field == null) {
                require(order.charAt(i) == '?' && unknown < unknownFields.size(), "slotOrder");
                unknownField(unknownFields.get(unknown++));
            } else {
                require(!field.isHeader() && (written & field.bit()) == 0, "slotOrder");
                written |= field.bit();
                slot(field);
            }
            out.append('|');
        }
        require(unknown == unknownFields.size() && written == present(), "slotOrder");
    }

    /** Bits of the slots that have a value. */
    private int present() {
        int bits = 0;
        for (SlipField field : SlipField.SLOTS) {
            if (value(field) != null) {
                bits |= field.bit();
            }
        }
        return bits;
    }

    private Object value(SlipField field) {
        return switch (field) {
            case GOAL_ID -> message.getGoalId();
            case TASK_ID -> message.getTaskId();
            case PARENT_TASK_ID -> message.getParentTaskId();
            case RESULT_ID -> message.getResultId();
            case PRIORITY -> message.getPriority();
            case SCORE -> message.getScore();
            case ERROR_CODE -> message.getErrorCode();
            case STATUS -> message.getStatus();
            case TAG -> message.getTag();
            case ACT, FRAME, CONVERSATION, SOURCE, DESTINATION, TURN ->
                throw new IllegalStateException(field + " is no slot");
        };
    }

    private void slot(SlipField field) {
        Object value = value(field);
        require(value != null, "slotOrder");
        out.append(field.prefix());
        if (value instanceof String text) {
            string(field, text);
        } else {
            number(field, (Long) value);
        }
    }

    private void number(SlipField field, long number) {
        requireNumber(field, number);
        Base62.append(out, number);
    }

    private void string(SlipField field, String text) {
        requireString(field, text);
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                out.append('\\');
            }
            out.append(character);
        }
        out.append('"');
    }

    private void unknownField(String field) {
        requireUnknownField(field);
        out.append(field);
    }

    /** Refuses an act that has no number. */
    static void requireAct(SlipAct act) {
        require(act != null && act != SlipAct.UNKNOWN, "act");
    }

    /** Refuses a frame type that has no number. */
    static void requireFrame(SlipFrame frame) {
        require(frame != null && frame != SlipFrame.UNKNOWN, "frame");
    }

    /** Refuses a number that has no base62 form. */
    static void requireNumber(SlipField field, long number) {
        if (number < 0) {
            throw refused(field + ": " + number + " is negative");
        }
    }

    /** Refuses a text that has no UTF-8 form. */
    static void requireString(SlipField field, String text) {
        requireUtf8(field.name(), text);
    }

    /** Refuses what would not be read as one field with an unknown prefix again. */
    static void requireUnknownField(String field) {
        requireUtf8("unknownFields", field);
        SlipScanner scan = new SlipScanner(("@" + field + "#").getBytes(UTF_8), DecodeOptions.LENIENT);
        require(scan.scan() && scan.slots() == 1 && scan.fields() == 0 && !scan.hasEmptyToken(), "unknownFields");
    }

    private static void requireUtf8(String field, String text) {
        int bad = Utf8.firstLoneSurrogate(text);
        if (bad >= 0) {
            throw refused(field + ": half a surrogate pair at character " + bad);
        }
    }

    private static void require(boolean condition, String field) {
        if (!condition) {
            throw refused(field);
        }
    }

    private static IllegalArgumentException refused(String field) {
        return new IllegalArgumentException("nSLIP cannot say what the message holds in " + field);
    }
}
