package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Protocol;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.function.BiConsumer;

/**
 * Reads and writes CSP/1 messages (CSP v1 "MESSAGE FORMAT", "INTENT TYPES" and "VALIDATION").
 *
 * <p>The canonical form is the header with one line per key, one blank line, and the block with one line per key; there is no line feed at
 * the end and no blank after a key without a value. The header has the order of the document, unknown keys after INTENT; the block's keys keep their wire order. The lines of a heredoc are kept byte for byte,
 * carriage returns and tabs included; everywhere else a carriage return before a line feed is dropped, a tab reads as a blank, and blanks
 * around a value are dropped, save those that a definition's value begins with and those within DATA.
 *
 * <p>The decoder raises what one message shows by itself. Of the violations these are {@link Code#CSP_PATCH_NAME_TWICE} and
 * {@link Code#CSP_SELF_APPLY}.
 */
public final class CspCodec implements WireCodec<CspMessage> {

    /** Creates a codec; all codecs behave alike. */
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
                    "The message has " + wire.length + " bytes; the limit is "
                            + options.limits().messageBytes() + ".");
        }
        return CspDecoder.decode(wire, options);
    }

    @Override
    public byte[] encode(CspMessage message) {
        return new CspEncoder(message).encode();
    }

    /**
     * What the message says about itself: FROM, the agents of TO, and the names in it. A RESULT answers its own id, an ERROR the task that it
     * is AT. CSP/1 carries no conversation.
     */
    @Override
    public Traits traits(CspMessage message) {
        return CspTraits.of(message);
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
