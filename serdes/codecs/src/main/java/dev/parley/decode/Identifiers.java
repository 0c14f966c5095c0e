package dev.parley.decode;

import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.SwarBytes;
import dev.parley.codec.Traits;
import dev.parley.codec.Utf8;
import dev.parley.codec.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    /** First byte of C1 control characters, U+0080 to U+009F. */
    private static final byte C1_LEAD = (byte) 0xC2;

    /** Second byte of U+009F. */
    private static final byte LAST_C1 = (byte) 0x9F;

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
        identifiers.check("sender", traits.senderHint());
        identifiers.checkAll("recipient", traits.recipients());
        identifiers.check("reply-to", traits.replyTo());
        for (Reference reference : traits.references()) {
            identifiers.check(reference.getKind(), reference.getId());
        }
        codec.identifiers(decoded.message(), identifiers::check);
        return identifiers.found;
    }

    private void checkAll(String kind, List<String> identifiers) {
        for (String identifier : identifiers) {
            check(kind, identifier);
        }
    }

    private void check(String kind, String identifier) {
        if (found != null || identifier == null) {
            return;
        }
        if (hasControl(identifier)) {
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
                && (isPrintable(name) || Utf8.firstInvalid(name, 0, name.length) < 0 && !hasControl(name));
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
                && !hasControl(name)
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    }

    /** Whether UTF-8 contains a control character: C0, DEL or C1. */
    private static boolean hasControl(byte[] name) {
        for (int i = 0; i < name.length; i++) {
            byte b = name[i];
            if (b >= 0 && b < ' ' || b == SwarBytes.DELETE || b == C1_LEAD && name[i + 1] <= LAST_C1) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasControl(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Offset of the identifier; 0 if it is not in the message. Compares its first bytes only, to bound the cost. */
    private int positionOf(byte[] identifier) {
        int searched = Math.min(SEARCHED_BYTES, identifier.length);
        for (int at = 0; at <= wire.length - searched; at++) {
            int same = 0;
            while (same < searched && wire[at + same] == identifier[same]) {
                same++;
            }
            if (same == searched) {
                return at;
            }
        }
        return 0;
    }
}
