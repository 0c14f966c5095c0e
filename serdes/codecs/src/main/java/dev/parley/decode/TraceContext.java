package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The headers of a trace context (W3C Trace Context). Metadata of tracing never refuses a message: an invalid value is
 * ignored.
 */
public final class TraceContext {
    /** Names of the headers, which CloudEvents use as names of attributes. */
    public static final Set<String> NAMES = Set.of(RecordHeaders.TRACEPARENT, RecordHeaders.TRACESTATE);

    static final int MAX_PARENT_BYTES = 256;
    static final int MAX_STATE_BYTES = 512;

    /** Length of a traceparent of version 00; a later version may continue after another hyphen. */
    private static final int PARENT_BYTES = 55;

    private TraceContext() {}

    /**
     * Returns the value of a header that may be given several times: the first valid traceparent, or the valid
     * tracestates, joined by commas up to 512 bytes.
     *
     * @param name one of {@link #NAMES}
     * @param values the values in their order; may contain null
     * @return null if no value is valid
     */
    public static byte[] value(String name, List<byte[]> values) {
        byte[] joined = null;
        for (byte[] value : values) {
            if (!isValid(name, value)) {
                continue;
            }
            if (name.equals(RecordHeaders.TRACEPARENT)) {
                return value;
            }
            if (joined == null) {
                joined = value;
            } else if (joined.length + 1 + value.length <= MAX_STATE_BYTES) {
                joined = (new String(joined, UTF_8) + ',' + new String(value, UTF_8)).getBytes(UTF_8);
            }
        }
        return joined;
    }

    /** Returns the same for values that are strings; empty if none is valid. */
    public static Optional<String> text(String name, List<String> values) {
        List<byte[]> ascii = values.stream()
                .filter(text -> text.chars().allMatch(unit -> unit <= '~'))
                .map(text -> text.getBytes(UTF_8))
                .toList();
        return Optional.ofNullable(value(name, ascii)).map(value -> new String(value, UTF_8));
    }

    /**
     * Whether a value may be passed on.
     *
     * @param name one of {@link #NAMES}
     * @param value may be null
     */
    static boolean isValid(String name, byte[] value) {
        return value != null && (name.equals(RecordHeaders.TRACEPARENT) ? isParent(value) : isState(value));
    }

    /** Whether it is version, trace, parent and flags in lower-case hexadecimal digits. */
    private static boolean isParent(byte[] value) {
        return value.length >= PARENT_BYTES
                && value.length <= MAX_PARENT_BYTES
                && isHex(value, 0, 2)
                && !Ascii.startsWith(value, 0, "ff")
                && isId(value, 2, 35)
                && isId(value, 35, 52)
                && value[52] == '-'
                && isHex(value, 53, PARENT_BYTES)
                && (value.length == PARENT_BYTES
                        || value[PARENT_BYTES] == '-' && !Ascii.startsWith(value, 0, "00") && isPrintable(value));
    }

    /** Whether it is short, printable, and has a value of a key. Tracing libraries read it further. */
    private static boolean isState(byte[] value) {
        return value.length <= MAX_STATE_BYTES
                && isPrintable(value)
                && Ascii.find(value, 0, value.length, "=") < value.length;
    }

    /** Whether a range is a hyphen and then digits that are not all zero. */
    private static boolean isId(byte[] value, int hyphen, int end) {
        return value[hyphen] == '-'
                && isHex(value, hyphen + 1, end)
                && Ascii.skip(value, hyphen + 1, end, b -> b == '0') < end;
    }

    private static boolean isHex(byte[] value, int from, int end) {
        return Ascii.skip(value, from, end, b -> b >= '0' && b <= '9' || b >= 'a' && b <= 'f') == end;
    }

    private static boolean isPrintable(byte[] value) {
        return Ascii.skip(value, 0, value.length, b -> b >= ' ' && b <= '~' || b == '\t') == value.length;
    }
}
