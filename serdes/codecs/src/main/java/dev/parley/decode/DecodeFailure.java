package dev.parley.decode;

import dev.parley.avro.InnerMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import java.util.List;
import java.util.Locale;

/**
 * The reason why a value is not one message. Complete messages inside it are the best reason; then the decode error of
 * the protocol that was named, or that it is or resembles.
 *
 * @param protocol the protocol that the value nearly is; null if there is none
 * @param code the decode error
 * @param offset 0-based byte offset in the value
 * @param detail a sentence for the author of the message
 * @param inner complete messages inside the value, in the order of their bytes; empty unless the code says so
 */
public record DecodeFailure(WireProtocol<?> protocol, Code code, int offset, String detail, List<InnerMessage> inner) {
    private static final int MAX_LISTED = 4;

    private DecodeFailure(WireProtocol<?> protocol, Code code, int offset, String detail) {
        this(protocol, code, offset, detail, List.of());
    }

    /** The failure of a value without content; null for any other value. */
    public static DecodeFailure ofBlank(byte[] value) {
        if (WireProtocols.start(value) < value.length) {
            return null;
        }
        String detail = value.length == 0 ? "the value is empty" : "the value contains only white space";
        return new DecodeFailure(null, Code.EMPTY_VALUE, 0, detail);
    }

    /** The failure of a value in which no protocol was detected, and for which none was named. */
    public static DecodeFailure undetected(byte[] value, WireProtocols protocols, DecodeOptions options) {
        List<InnerMessage> inner = InnerMessages.find(value, protocols, options);
        return inner.isEmpty()
                ? new DecodeFailure(
                        null,
                        Code.UNKNOWN_PROTOCOL,
                        0,
                        "the bytes have the structure of no protocol; name it by header parley-protocol, the topic, or"
                                + " --protocol")
                : ofInner(value, inner, protocols);
    }

    /**
     * The failure of a value that a codec refused.
     *
     * @param attempted the protocol of the codec
     */
    public static DecodeFailure of(
            byte[] value,
            WireProtocol<?> attempted,
            Malformed<?> error,
            WireProtocols protocols,
            DecodeOptions options) {
        int first = WireProtocols.start(value);
        List<InnerMessage> inner = InnerMessages.find(value, protocols, options);
        // What starts as a message of the protocol is that message, and its error counts, unless it is complete.
        boolean started = attempted.codec().detects(value, first);
        if (inner.isEmpty() || (started && inner.get(0).getStart() != first)) {
            return new DecodeFailure(attempted, error.code(), error.offset(), error.detail());
        }
        InnerMessage whole = inner.get(0);
        // A quoted message is wrapped in a JSON string.
        if (whole.getStart() == first && end(value) == whole.getEnd() && value[first] != '"') {
            return new DecodeFailure(
                    attempted,
                    error.code(),
                    error.offset(),
                    "the value is a message of " + whole.getProtocol() + ", but the header or topic names "
                            + attempted.name());
        }
        return ofInner(value, inner, protocols);
    }

    private static DecodeFailure ofInner(byte[] value, List<InnerMessage> inner, WireProtocols protocols) {
        InnerMessage first = inner.get(0);
        int start = WireProtocols.start(value);
        int offset = start;
        if (first.getStart() == start && value[start] != '"') {
            offset = first.getEnd();
            while (offset < value.length && value[offset] <= ' ' && value[offset] >= 0) {
                offset++;
            }
        }
        boolean several = inner.size() > 1;
        StringBuilder detail = new StringBuilder(several ? "messages are" : "a message is");
        for (int i = 0; i < Math.min(inner.size(), MAX_LISTED); i++) {
            InnerMessage message = inner.get(i);
            detail.append(i == 0 ? " in bytes " : ", ")
                    .append(message.getStart())
                    .append(" to ")
                    .append(message.getEnd() - 1)
                    .append(" (")
                    .append(message.getProtocol())
                    .append(')');
        }
        detail.append(inner.size() > MAX_LISTED ? ", and more" : "")
                .append(several ? "; send each in a record of its own" : "; send only these bytes");
        return new DecodeFailure(
                protocols.named(first.getProtocol().toLowerCase(Locale.ROOT)),
                several ? Code.SEVERAL_MESSAGES : Code.WRAPPED_MESSAGE,
                offset,
                detail.toString(),
                inner);
    }

    private static int end(byte[] value) {
        int end = value.length;
        while (end > 0 && value[end - 1] <= ' ' && value[end - 1] >= 0) {
            end--;
        }
        return end;
    }
}
