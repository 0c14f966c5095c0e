package dev.parley.topology.topics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.decode.WireProtocol;
import dev.parley.encoding.ByteBuffers;
import dev.parley.protocol.Protocols;
import java.nio.ByteBuffer;

/**
 * Which content is private: that of messages which their protocol marks so, and undecoded bytes with such a mark
 * anywhere, or which are omitted.
 */
public final class PrivateContent {
    private static final String PRIVATE_MARK = "prv:";
    private static final String ENCRYPTED_MARK = "enc:";

    private PrivateContent() {}

    /** Whether the body of an audited message is private. */
    public static boolean isPrivate(AuditRecord record) {
        AgentMessage message = record.getMessage();
        if (message == null) {
            return record.getRaw() != null && hasMark(record.getRaw());
        }
        WireProtocol<?> protocol = Protocols.STANDARD.wire().of(message);
        // Only the protocol knows which messages are private; without it, the bytes decide.
        return protocol == null ? hasMark(message.getRaw()) : protocol.isPrivate(message);
    }

    /** Whether the value of a dead letter, and every text that may quote it, is private. */
    public static boolean isPrivate(DeadLetterSummary deadLetter) {
        boolean decoded = deadLetter.getStage() == Stage.DIALOGUE || deadLetter.getStage() == Stage.PATCH;
        return deadLetter.getPrivateMark() && !(decoded && hasNoPrivateMessages(deadLetter.getProtocol()));
    }

    /** Whether the messages of a protocol are never private; false for one without a symbol of its own. */
    private static boolean hasNoPrivateMessages(Protocol symbol) {
        return Protocols.STANDARD.wire().all().stream()
                .anyMatch(protocol ->
                        protocol.symbol() == symbol && !protocol.codec().marksPrivate());
    }

    /** Whether bytes contain a mark, in any case and spacing, in UTF-8 or UTF-16. */
    public static boolean hasMark(ByteBuffer bytes) {
        byte[] all = ByteBuffers.of(bytes);
        StringBuilder letters = new StringBuilder(all.length);
        for (byte b : all) {
            if (b > ' ' || b < 0) {
                letters.append((char) Character.toLowerCase(b & 0xFF));
            }
        }
        return letters.indexOf(PRIVATE_MARK) >= 0 || letters.indexOf(ENCRYPTED_MARK) >= 0;
    }
}
