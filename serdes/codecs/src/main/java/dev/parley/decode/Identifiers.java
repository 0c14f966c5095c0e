package dev.parley.decode;

import dev.parley.avro.Reference;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Limits the identifiers of a message. Identifiers become record keys, store keys, chain names, header values and parts
 * of details, none of which may grow with the message.
 */
final class Identifiers {
    /** Maximum size of an identifier, in bytes of UTF-8. */
    static final int MAX_BYTES = 4_096;

    private static final int MAX_BYTES_PER_CHARACTER = 3;
    /** Maximum number of bytes for one byte of an identifier: wire forms such as JSON may escape it. */
    private static final int MAX_ESCAPED_BYTES = 6;

    private static final int SEARCHED_BYTES = 32;

    private final byte[] wire;
    private TooLong found;

    private Identifiers(byte[] wire) {
        this.wire = wire;
    }

    /**
     * An identifier that exceeds the limit.
     *
     * @param position offset of its first byte in the message; 0 if the message contains it in another form, such as
     *     escaped
     * @param detail a sentence
     */
    record TooLong(int position, String detail) {}

    /**
     * Finds the first identifier that exceeds the limit.
     *
     * @param traits its properties
     * @param message the decoded message
     * @return null if all identifiers are within the limit
     */
    static <M extends SpecificRecord> TooLong firstTooLong(byte[] wire, Traits traits, WireCodec<M> codec, M message) {
        if (wire.length <= MAX_BYTES / MAX_ESCAPED_BYTES) {
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
        codec.identifiers(message, identifiers::check);
        return identifiers.found;
    }

    private void checkAll(String kind, List<String> identifiers) {
        for (String identifier : identifiers) {
            check(kind, identifier);
        }
    }

    private void check(String kind, String identifier) {
        if (found != null || identifier == null || identifier.length() <= MAX_BYTES / MAX_BYTES_PER_CHARACTER) {
            return;
        }
        byte[] bytes = identifier.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_BYTES) {
            found = new TooLong(
                    positionOf(bytes),
                    kind + " '" + Excerpt.of(identifier) + "' has " + bytes.length + " bytes, but the maximum is "
                            + MAX_BYTES);
        }
    }

    /** Compares only the first bytes of the identifier, which bounds the cost of the search. */
    private int positionOf(byte[] identifier) {
        for (int at = 0; at <= wire.length - SEARCHED_BYTES; at++) {
            int same = 0;
            while (same < SEARCHED_BYTES && wire[at + same] == identifier[same]) {
                same++;
            }
            if (same == SEARCHED_BYTES) {
                return at;
            }
        }
        return 0;
    }
}
