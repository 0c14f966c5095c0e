package dev.parley.query.read;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.decode.WireProtocol;
import dev.parley.protocol.Protocols;
import dev.parley.stage.ByteBuffers;
import java.nio.ByteBuffer;

/**
 * What is private: messages of which their protocol says so, as Λ does of those with the trust prefix "prv:" and of
 * encrypted ones. Bytes that were not decoded are private when they have one of the marks anywhere, or when they are
 * not all there to be looked at.
 */
final class PrivateMessages implements MaskingPolicy {

    private static final String PRIVATE = "prv:";
    private static final String ENCRYPTED = "enc:";

    @Override
    public boolean hides(AuditRecord record) {
        AgentMessage message = record.getMessage();
        if (message == null) {
            return record.getRaw() != null && marked(record.getRaw());
        }
        WireProtocol<?> protocol = Protocols.STANDARD.wire().of(message);
        return protocol != null && protocol.isPrivate(message);
    }

    /** A rule cites old and new value of a definition that was changed; the old one may come from a private message. */
    @Override
    public boolean hidesRule(AuditRecord record) {
        return record.getWarnings().contains(Code.LAMBDA_DEF_CHANGED.name());
    }

    @Override
    public boolean hides(DeadLetterSummary deadLetter) {
        boolean decoded = deadLetter.getStage() == Stage.DIALOGUE || deadLetter.getStage() == Stage.PATCH;
        boolean lambda = deadLetter.getProtocol() == Protocol.LAMBDA || deadLetter.getProtocol() == Protocol.UNKNOWN;
        if (decoded && !lambda) {
            return false;
        }
        Integer size = deadLetter.getValueSize();
        boolean cut = size != null && size > deadLetter.getPreview().remaining();
        return cut || marked(deadLetter.getPreview());
    }

    /** Whether a mark stands there, in any case, however it is spaced, in UTF-8 or UTF-16. */
    private static boolean marked(ByteBuffer bytes) {
        byte[] all = ByteBuffers.of(bytes);
        StringBuilder letters = new StringBuilder(all.length);
        for (byte b : all) {
            if (b > ' ' || b < 0) {
                letters.append((char) Character.toLowerCase(b & 0xFF));
            }
        }
        return letters.indexOf(PRIVATE) >= 0 || letters.indexOf(ENCRYPTED) >= 0;
    }
}
