package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Utf8;
import dev.parley.encoding.GrowingBytes;
import java.util.List;

/**
 * Encodes one message in canonical form: the headers in the order a, f, c, S, d, T, then the slots and unknown fields
 * in their order.
 */
final class SlipWriter extends GrowingBytes {
    private final SlipMessage message;

    private SlipWriter(SlipMessage message) {
        super(96);
        this.message = message;
    }

    static byte[] write(SlipMessage message) {
        return new SlipWriter(message).write();
    }

    private byte[] write() {
        requireAct(message.getAct());
        requireFrame(message.getFrame());
        octet('@');
        header(SlipField.ACT, message.getAct().ordinal() - 1);
        header(SlipField.FRAME, message.getFrame().ordinal() - 1);
        header(SlipField.CONVERSATION, message.getConversation());
        header(SlipField.SOURCE, message.getSource());
        header(SlipField.DESTINATION, message.getDestination());
        header(SlipField.TURN, message.getTurn());
        slots();
        bytes[length - 1] = '#';
        return toBytes();
    }

    private void header(SlipField field, long number) {
        number(field, number);
        octet('|');
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
            octet('|');
        }
        require(unknown == unknownFields.size() && written == SlipField.present(message), "slotOrder");
    }

    private void slot(SlipField field) {
        Object value = field.get(message);
        require(value != null, "slotOrder");
        if (field.isString()) {
            string(field, (String) value);
        } else {
            number(field, (Long) value);
        }
    }

    private void number(SlipField field, long number) {
        requireNumber(field, number);
        reserve(Base62.MAX_DIGITS + 1);
        octet(field.prefix());
        length = Base62.write(number, bytes, length);
    }

    private void string(SlipField field, String text) {
        requireString(field, text);
        octet(field.prefix());
        octet('"');
        byte[] utf8 = text.getBytes(UTF_8);
        reserve(2 * utf8.length);
        for (byte b : utf8) {
            if (b == '"' || b == '\\') {
                bytes[length++] = '\\';
            }
            bytes[length++] = b;
        }
        octet('"');
    }

    private void unknownField(String field) {
        requireUnknownField(field);
        byte[] utf8 = field.getBytes(UTF_8);
        raw(utf8, 0, utf8.length);
    }

    /** Refuses an act without a number. */
    static void requireAct(SlipAct act) {
        require(act != null && act != SlipAct.UNKNOWN, "act");
    }

    /** Refuses a frame type without a number. */
    static void requireFrame(SlipFrame frame) {
        require(frame != null && frame != SlipFrame.UNKNOWN, "frame");
    }

    /** Refuses a number without a base62 form. */
    static void requireNumber(SlipField field, long number) {
        if (number < 0) {
            throw refused(field + ": must be >= 0, but was " + number);
        }
    }

    /** Refuses a text without a UTF-8 form. */
    static void requireString(SlipField field, String text) {
        requireUtf8(field.name(), text);
    }

    /** Refuses text that would not decode as one field with an unknown prefix. */
    static void requireUnknownField(String field) {
        requireUtf8("unknownFields", field);
        SlipScanner scan = new SlipScanner(("@" + field + "#").getBytes(UTF_8), DecodeOptions.LENIENT);
        require(scan.scan() && scan.slots() == 1 && scan.fields() == 0 && !scan.hasEmptyToken(), "unknownFields");
    }

    private static void requireUtf8(String field, String text) {
        int bad = Utf8.firstLoneSurrogate(text);
        if (bad >= 0) {
            throw refused(field + ": unpaired surrogate at character " + bad);
        }
    }

    private static void require(boolean condition, String field) {
        if (!condition) {
            throw refused(field);
        }
    }

    private static IllegalArgumentException refused(String field) {
        return new IllegalArgumentException("nSLIP cannot represent " + field);
    }
}
