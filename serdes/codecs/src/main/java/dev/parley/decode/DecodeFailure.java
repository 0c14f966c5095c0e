package dev.parley.decode;

import dev.parley.avro.InnerMessage;
import dev.parley.codec.Code;
import java.util.List;

/**
 * The reason why a value is not one message.
 *
 * @param protocol the protocol that the value nearly is; null if there is none
 * @param code the decode error
 * @param offset 0-based byte offset in the value
 * @param detail a sentence for the author of the message
 * @param inner complete messages inside the value, in the order of their bytes; empty unless the code says so
 * @param named the bytes whose names the value claims: the first inner message, or the text inside the value that has
 *     the error; null for the whole value
 */
public record DecodeFailure(
        WireProtocol<?> protocol, Code code, int offset, String detail, List<InnerMessage> inner, byte[] named) {

    /** The failure of a value that contains no message. */
    public DecodeFailure(WireProtocol<?> protocol, Code code, int offset, String detail) {
        this(protocol, code, offset, detail, List.of(), null);
    }

    /** The failure of a value without content; null for any other value. */
    public static DecodeFailure ofBlank(byte[] value) {
        if (WireProtocols.start(value) < value.length) {
            return null;
        }
        String detail = value.length == 0 ? "the value is empty" : "the value contains only white space";
        return new DecodeFailure(null, Code.EMPTY_VALUE, 0, detail);
    }
}
