package dev.parley.decode;

import dev.parley.avro.Reference;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.SwarBytes;
import dev.parley.codec.Traits;
import dev.parley.codec.Utf8;
import dev.parley.codec.WireCodec;
import java.nio.charset.StandardCharsets;
import org.apache.avro.specific.SpecificRecord;

/**
 * Checks the identifiers of a message: at most {@value #MAX_BYTES} bytes of UTF-8, without control characters. The size
 * is limited because identifiers are copied into record keys, store keys, headers and details; control characters are
 * not allowed because identifiers are used in URLs and command lines.
 */
final class Identifiers {
    /** Maximum size of an identifier, in bytes of UTF-8. */
    static final int MAX_BYTES = 4_096;

    /** Maximum UTF-8 bytes of one {@code char}. */
    private static final int MAX_BYTES_PER_CHARACTER = 3;
    /** Number of bytes of an identifier by which it is found in the message. */
    private static final int SEARCHED_BYTES = 32;

    private final byte[] wire;
    private Invalid found;

    private Identifiers(byte[] wire) {
        this.wire = wire;
    }

    /**
     * An identifier that is not allowed.
     *
     * @param code the decode error
     * @param position offset of its first byte in the message; 0 if the message contains it in another form, such as
     *     escaped
     * @param detail a sentence
     */
    record Invalid(Code code, int position, String detail) {}

    /**
     * Finds the first identifier that is not allowed.
     *
     * @param wire the bytes of the message; not changed
     * @param traits properties of the message
     * @param codec the codec that decoded the message
     * @param decoded the message
     * @return null if all identifiers are allowed
     */
    static <M extends SpecificRecord> Invalid firstInvalid(
            byte[] wire, Traits traits, WireCodec<M> codec, DecodeResult.Decoded<M> decoded) {
        if (decoded.plain() && wire.length <= MAX_BYTES) {
            return null;
        }
        Identifiers identifiers = new Identifiers(wire);
        identifiers.check("conversation", traits.conversation());
        identifiers.check("sender", traits.sender());
        for (String recipient : traits.recipients()) {
            identifiers.check("recipient", recipient);
        }
        identifiers.check("reply-to", traits.replyTo());
        for (Reference reference : traits.references()) {
            identifiers.check(reference.getKind(), reference.getId());
        }
        codec.identifiers(decoded.message(), identifiers::check);
        return identifiers.found;
    }

    private void check(String kind, String identifier) {
        if (found != null || identifier == null) {
            return;
        }
        if (ControlCharacters.isIn(identifier)) {
            found = new Invalid(
                    Code.IDENTIFIER_CONTROL,
                    positionOf(identifier.getBytes(StandardCharsets.UTF_8)),
                    kind + " '" + Excerpt.of(identifier) + "' contains a control character");
        } else if (identifier.length() > MAX_BYTES / MAX_BYTES_PER_CHARACTER) {
            byte[] bytes = identifier.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > MAX_BYTES) {
                found = new Invalid(
                        Code.IDENTIFIER_TOO_LONG,
                        positionOf(bytes),
                        kind + " '" + Excerpt.of(identifier) + "' has " + bytes.length + " bytes, but the maximum is "
                                + MAX_BYTES);
            }
        }
    }

    /** Whether the bytes are an allowed identifier. */
    static boolean isAllowed(byte[] name) {
        return name.length <= MAX_BYTES
                && (isPrintable(name)
                        || Utf8.firstInvalid(name, 0, name.length) < 0
                                && !ControlCharacters.isIn(new String(name, StandardCharsets.UTF_8)));
    }

    /** Whether all bytes are printable ASCII, which most identifiers are. */
    private static boolean isPrintable(byte[] name) {
        int at = 0;
        while (at < name.length && name[at] >= ' ' && name[at] != SwarBytes.DELETE) {
            at++;
        }
        return at == name.length;
    }

    /** Whether the text is an allowed identifier. */
    static boolean isAllowed(String name) {
        return name.length() <= MAX_BYTES
                && !ControlCharacters.isIn(name)
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    }

    /** Offset of the identifier; 0 if it is not in the message. Compares its first bytes only, to bound the cost. */
    private int positionOf(byte[] identifier) {
        int searched = Math.min(SEARCHED_BYTES, identifier.length);
        int at = Ascii.find(wire, 0, wire.length, new String(identifier, 0, searched, StandardCharsets.ISO_8859_1));
        return at < wire.length ? at : 0;
    }
}
