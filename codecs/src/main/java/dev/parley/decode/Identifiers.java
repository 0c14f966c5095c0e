package dev.parley.decode;

import dev.parley.avro.Reference;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Bounds the identifiers of a message. They become record keys, store keys, chain names and header values, and parts of details, none of which may grow with
 * the message.
 */
final class Identifiers {
    /** Maximum size of an identifier, in bytes of UTF-8. */
    static final int MAX_BYTES = 4_096;

    private static final int MAX_BYTES_PER_CHARACTER = 3;
    /** A decoder may escape a byte that came unescaped, as in JSON. */
    private static final int MAX_ESCAPED_BYTES = 6;

    private static final int SEARCHED_BYTES = 32;

    private final byte[] wire;
    private TooLong found;

    private Identifiers(byte[] wire) {
        this.wire = wire;
    }

    /**
     * An identifier beyond the bound.
     *
     * @param position its first byte in the message; 0 where the message has it in another form, such as escaped
     * @param detail a sentence
     */
    record TooLong(int position, String detail) {}

    /**
     * The first identifier that is too long.
     *
     * @param wire the message as it came
     * @param traits its traits
     * @param codec its codec
     * @param message the decoded message
     * @return null when all identifiers are within the bound
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
                    kind + " '" + Excerpt.of(identifier) + "' has " + bytes.length + " bytes; the limit is "
                            + MAX_BYTES);
        }
    }

    /** Compares only the first bytes of the identifier, so that the search costs at most that many times the message. */
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
