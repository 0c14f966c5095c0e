package dev.parley.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

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

    /** Maximum size of a traceparent in bytes. */
    public static final int MAX_PARENT_BYTES = 256;

    /** Maximum size of a tracestate in bytes. */
    public static final int MAX_STATE_BYTES = 512;

    /** Kind of the reference to the trace of a message. */
    public static final String REFERENCE = "trace";

    /** A traceparent whose digits are all zero: version, trace, parent and flags. A later version may continue. */
    private static final String FORM = "00-00000000000000000000000000000000-0000000000000000-00";

    private static final int TRACE_START = 3;
    private static final int TRACE_END = 35;

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
            if (joined == null) {
                joined = isValid(name, value) ? value : null;
            } else if (name.equals(RecordHeaders.TRACESTATE)
                    && isValid(name, value)
                    && joined.length + 1 + value.length <= MAX_STATE_BYTES) {
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

    /** Returns the trace ID in the first valid traceparent of a record: 32 hexadecimal digits; null without one. */
    public static String traceId(RecordHeaders headers) {
        String[] first = new String[1];
        headers.forEach((key, value) -> {
            if (first[0] == null && RecordHeaders.isNamed(key, RecordHeaders.TRACEPARENT)) {
                first[0] = traceId(value);
            }
        });
        return first[0];
    }

    /** Returns the trace ID in a traceparent, which may be null; null if it is invalid. */
    public static String traceId(byte[] parent) {
        return parent != null && isParent(parent)
                ? new String(parent, TRACE_START, TRACE_END - TRACE_START, US_ASCII)
                : null;
    }

    /**
     * Whether a value may be passed on.
     *
     * @param name one of {@link #NAMES}
     * @param value may be null
     */
    public static boolean isValid(String name, byte[] value) {
        return value != null && (name.equals(RecordHeaders.TRACEPARENT) ? isParent(value) : isState(value));
    }

    /** Whether it has lower-case hexadecimal digits for those of the form, and neither trace nor parent is zero. */
    private static boolean isParent(byte[] value) {
        int at = 0;
        while (at < Math.min(value.length, FORM.length())
                && (FORM.charAt(at) == '0' ? isHex(value[at]) : value[at] == '-')) {
            at++;
        }
        return at == FORM.length()
                && value.length <= MAX_PARENT_BYTES
                && !Ascii.startsWith(value, 0, "ff")
                && Ascii.skip(value, TRACE_START, TRACE_END, b -> b == '0') < TRACE_END
                && Ascii.skip(value, 36, 52, b -> b == '0') < 52
                && (value.length == at || value[at] == '-' && !Ascii.startsWith(value, 0, "00") && isPrintable(value));
    }

    private static boolean isHex(byte b) {
        return b >= '0' && b <= '9' || b >= 'a' && b <= 'f';
    }

    /** Whether it is short, printable, and has a value of a key. Tracing libraries read it further. */
    private static boolean isState(byte[] value) {
        return value.length <= MAX_STATE_BYTES
                && isPrintable(value)
                && Ascii.find(value, 0, value.length, "=") < value.length;
    }

    private static boolean isPrintable(byte[] value) {
        return Ascii.skip(value, 0, value.length, b -> b >= ' ' && b <= '~' || b == '\t') == value.length;
    }
}
