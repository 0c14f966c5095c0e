package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Protocol;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Reads and writes CSP/1 messages (CSP v1 "MESSAGE FORMAT", "INTENT TYPES" and "VALIDATION").
 *
 * <p>The canonical form is the header with one line per key, one blank line, and the block with one line per key. It
 * has no line feed at the end and no space after a key without a value. The header is in document order, with unknown
 * keys after INTENT; the keys of the block keep their wire order. The lines of a heredoc stay byte for byte. Elsewhere,
 * a carriage return before a line feed is dropped and a tab counts as a space. Spaces around a value are dropped,
 * except those at the start of a definition's value and those within DATA.
 *
 * <p>The decoder reports what a single message shows. Its violations are {@link Code#CSP_PATCH_NAME_TWICE} and
 * {@link Code#CSP_SELF_APPLY}.
 */
public final class CspCodec implements WireCodec<CspMessage> {

    /** Maximum number of names in a remark. */
    private static final int MAX_LISTED = 4;

    /** Creates a codec. All codecs behave alike. */
    public CspCodec() {}

    @Override
    public Protocol protocol() {
        return Protocol.CSP;
    }

    @Override
    public boolean detects(byte[] wire, int from) {
        return Ascii.startsWith(wire, from, "CSP/");
    }

    @Override
    public DecodeResult<CspMessage> decode(byte[] wire, DecodeOptions options) {
        if (wire.length > options.limits().messageBytes()) {
            return new DecodeResult.Malformed<>(
                    Code.MESSAGE_TOO_LARGE,
                    options.limits().messageBytes(),
                    "The message has " + wire.length + " bytes, but the maximum is "
                            + options.limits().messageBytes() + ".");
        }
        return CspDecoder.decode(wire, options);
    }

    @Override
    public byte[] encode(CspMessage message) {
        return new CspEncoder(message).encode();
    }

    /**
     * Properties of the message: FROM, the agents of TO, and the names in it. A RESULT responds to its own ID, an ERROR
     * to the task in AT. CSP/1 has no conversation ID.
     */
    @Override
    public Traits traits(CspMessage message) {
        return CspTraits.of(message);
    }

    /**
     * Sentences about the keys and names to which warnings refer.
     *
     * @param warnings warnings of the decoder
     * @return an empty text if there is none
     */
    public static String remark(CspMessage message, List<Code> warnings) {
        if (warnings.isEmpty()) {
            return "";
        }
        List<String> missing = new ArrayList<>();
        List<String> names = CspNameCheck.outsideKeys(message);
        CspRequirements.check(message, CspBlock.of(message.getIntent()), (key, code, detail) -> {
            if (code == Code.CSP_MISSING_FIELD) {
                missing.add(key == null ? "the operation after the ID" : key.name());
            } else if (code == Code.CSP_NAME) {
                names.add(Excerpt.of(key.get(message)));
            }
        });
        String remark = listed("Not defined here: ", CspUnknownKeys.in(message))
                + listed("Missing in the block: ", missing)
                + listed("Names with quotes or punctuation, or several in one: ", names);
        return remark.stripTrailing();
    }

    /**
     * Returns the name that a DEF line outside a patch defines (CSP v1 "PROJECT DEFs"): as in a patch, one word.
     *
     * @param value the value of a field with the key DEF, such as {@code SRC = src/} or {@code SRC := src/}
     * @return the first word of the first line; empty for an empty line
     */
    public static String definedName(String value) {
        int end = 0;
        while (end < value.length() && value.charAt(end) > ' ') {
            end++;
        }
        return value.substring(0, end);
    }

    private static String listed(String before, List<String> names) {
        String listed = String.join(", ", names.subList(0, Math.min(names.size(), MAX_LISTED)));
        return names.isEmpty() ? "" : before + listed + (names.size() > MAX_LISTED ? " and more. " : ". ");
    }

    @Override
    public void identifiers(CspMessage message, BiConsumer<String, String> check) {
        check.accept("id", message.getId());
        check.accept("context", message.getCtx());
        check.accept("base", message.getBase());
        check.accept("target", message.getTarget());
        check.accept("owner", message.getOwner());
        check.accept("task", message.getErrorAt());
        for (CspOperation operation : message.getOperations()) {
            check.accept("definition", operation.getName());
        }
    }
}
