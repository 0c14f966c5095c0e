package dev.parley.query;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.pipeline.Bytes;
import java.nio.ByteBuffer;

/**
 * What is private: Λ messages with the trust prefix "prv:" (Λ v0.6 §7.3) and encrypted ones (§7.2). The other protocols have no such marks. Bytes that were
 * not decoded are private when they have one of the marks anywhere, or when they are not all there to be looked at.
 */
final class PrivateMessages implements Redaction {

    private static final String PRIVATE = "prv:";
    private static final String ENCRYPTED = "enc:";

    @Override
    public boolean hides(AuditRecord record) {
        AgentMessage message = record.getMessage();
        if (message == null) {
            return record.getRaw() != null && marked(record.getRaw());
        }
        return message.getLambda() != null && isPrivate(message.getLambda());
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

    private static boolean isPrivate(LambdaMessage message) {
        return message.getTrust() == LambdaTrust.PRIVATE
                || message.getEncrypted() != null
                || message.getContexts().stream()
                        .flatMap(context -> context.getEntries().stream())
                        .anyMatch(entry -> entry.getKey().equals("enc"));
    }

    /** Whether a mark stands there, in any case, however it is spaced, in UTF-8 or UTF-16. */
    private static boolean marked(ByteBuffer bytes) {
        byte[] all = Bytes.of(bytes);
        StringBuilder letters = new StringBuilder(all.length);
        for (byte b : all) {
            if (b > ' ' || b < 0) {
                letters.append((char) Character.toLowerCase(b & 0xFF));
            }
        }
        return letters.indexOf(PRIVATE) >= 0 || letters.indexOf(ENCRYPTED) >= 0;
    }
}
