package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Recognizes values in a binary format: compressed ones, and those of serializers. Reads few bytes. */
final class BinaryFormat {
    private static final String COMPRESSED =
            "the value is compressed; send its text, and leave compression to the producer (compression.type)";

    /** First bytes, and what a value with them is. */
    private static final String[][] SIGNATURES = {
        {"\u001F\u008B", COMPRESSED},
        {"\u0028\u00B5\u002F\u00FD", COMPRESSED},
        {"\u0004\"M\u0018", COMPRESSED},
        {"\u0082SNAPPY\0", COMPRESSED},
        {"\u00FF\u0006\0\0sNaPpY", COMPRESSED},
        {"\u00FD7zXZ\0", COMPRESSED},
        {"\u00AC\u00ED\0\u0005", "the value is a serialized Java object; send its text with StringSerializer"},
        {"\u00D9\u00D9\u00F7", "the value is in CBOR; send its text in UTF-8"}
    };

    private static final int ID_BYTES = 4;
    private static final int GUID_BYTES = 16;
    /** Schema IDs are counted. Larger numbers are other data. */
    private static final int MAX_ID = 1 << 24;
    /** The variant of all GUIDs that are in use. */
    private static final int GUID_VARIANT = 2;

    private static final int MAX_KEY = 31;

    private BinaryFormat() {}

    /** Describes the value and the remedy in a clause; null if it has no such format. */
    static String detail(byte[] value) {
        for (String[] row : SIGNATURES) {
            if (Ascii.startsWith(value, 0, row[0])) {
                return row[1];
            }
        }
        String schema = schema(value);
        if (schema != null) {
            return "the value was written by a serializer of a schema registry (" + schema
                    + "); send its text with StringSerializer";
        }
        String format = isMessagePack(value)
                ? "MessagePack"
                : hasKey(value, 0xA0, 0x1F, 0x60)
                        ? "CBOR"
                        : isProtobuf(value) ? "Protocol Buffers" : isPickle(value) ? "Python's pickle format" : null;
        return format == null ? null : "the value is in " + format + "; send its text in UTF-8";
    }

    /** The schema before data of a registry serializer: a number of 4 or 8 bytes, or a GUID; null if it is none. */
    private static String schema(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        if (Ascii.startsWith(value, 0, "\0")) {
            int at = Ascii.startsWith(value, 0, "\0\0\0\0\0") ? 1 + ID_BYTES : 1;
            int id = value.length > at + ID_BYTES ? bytes.getInt(at) : 0;
            return id > 0 && id < MAX_ID ? "schema ID " + id : null;
        }
        boolean isThird = Ascii.startsWith(value, 0, "\3\0") || Ascii.startsWith(value, 0, "\3\5");
        int guid = isThird ? 2 : Ascii.startsWith(value, 0, "\1") ? 1 : value.length;
        if (value.length <= guid + GUID_BYTES) {
            return null;
        }
        UUID id = new UUID(bytes.getLong(guid), bytes.getLong(guid + Long.BYTES));
        return id.variant() == GUID_VARIANT ? "schema " + id : null;
    }

    /** Whether a value is one string, or a map whose first key is a string. */
    private static boolean isMessagePack(byte[] value) {
        int first = value.length < 2 ? 0 : value[0] & 0xFF;
        boolean isShort = (first & 0xE0) == 0xA0 && (first & 0x1F) == value.length - 1;
        boolean isLong = first == 0xD9 && (value[1] & 0xFF) == value.length - 2;
        return isShort || isLong || hasKey(value, 0x80, 0x0F, 0xA0);
    }

    /**
     * Whether a value is a map with few entries whose first key is a short string of ASCII.
     *
     * @param map its first byte without the number of entries
     * @param entries bits of that number
     * @param string first byte of a string without its length, which has five bits
     */
    private static boolean hasKey(byte[] value, int map, int entries, int string) {
        int length = value.length < 2 ? 0 : (value[1] & 0xFF) - string;
        boolean isMap = value.length > 0 && (value[0] & 0xFF & ~entries) == map && (value[0] & entries) > 0;
        int end = 2 + length;
        return isMap
                && length > 0
                && length <= MAX_KEY
                && end < value.length
                && Ascii.skip(value, 2, end, b -> b > ' ') == end;
    }

    /** Whether a value starts with a version of pickle that is in use. */
    private static boolean isPickle(byte[] value) {
        return value.length > 2 && value[0] == (byte) 0x80 && value[1] >= 2 && value[1] <= 5;
    }

    /** Whether a value consists of strings with their numbers and lengths, the first with the number 1. */
    private static boolean isProtobuf(byte[] value) {
        int at = value.length > 0 && value[0] == (1 << 3 | 2) ? 0 : value.length + 1;
        while (at < value.length - 1 && (value[at] & 7) == 2 && value[at + 1] > 0) {
            at += 2 + value[at + 1];
        }
        return at == value.length;
    }
}
