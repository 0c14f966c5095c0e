package dev.parley.topology.topics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.decode.WireProtocol;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.CodePoints;
import dev.parley.protocol.Protocols;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Which content is private: messages that their protocol marks so, and undecoded bytes with a private mark
 * anywhere, or which are omitted.
 */
public final class PrivateContent {
    private static final String PRIVATE_MARK = "prv:";
    private static final String ENCRYPTED_MARK = "enc:";
    /** Full-width forms of the visible ASCII characters. */
    private static final int FIRST_FULL_WIDTH = 0xFF01;

    private static final int LAST_FULL_WIDTH = 0xFF5E;
    private static final int TO_ASCII = FIRST_FULL_WIDTH - '!';

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
        boolean decoded = deadLetter.getStage() == Stage.JUDGE || deadLetter.getStage() == Stage.APPLY;
        return deadLetter.getPrivateMark() && !(decoded && hasNoPrivateMessages(deadLetter.getProtocol()));
    }

    /** Whether the messages of a protocol are never private; false for one without a symbol of its own. */
    private static boolean hasNoPrivateMessages(Protocol symbol) {
        return Protocols.STANDARD.wire().all().stream()
                .anyMatch(protocol ->
                        protocol.symbol() == symbol && !protocol.codec().marksPrivate());
    }

    /** Whether bytes contain a mark, in any case, width and spacing, in ISO 8859-1, UTF-8 or UTF-16. */
    public static boolean hasMark(ByteBuffer bytes) {
        byte[] all = ByteBuffers.of(bytes);
        if (hasMark(new String(all, StandardCharsets.ISO_8859_1)) || hasMark(new String(all, StandardCharsets.UTF_8))) {
            return true;
        }
        // UTF-16 may start at any byte. The charsets differ only in the order of the bytes of a character.
        for (int start = 0; start < Math.min(2, all.length); start++) {
            if (hasMark(new String(all, start, all.length - start, StandardCharsets.UTF_16LE))
                    || hasMark(new String(all, start, all.length - start, StandardCharsets.UTF_16BE))) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMark(String text) {
        int inPrivate = 0;
        int inEncrypted = 0;
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            int folded = Character.toLowerCase(c >= FIRST_FULL_WIDTH && c <= LAST_FULL_WIDTH ? c - TO_ASCII : c);
            int nextPrivate = next(PRIVATE_MARK, inPrivate, folded);
            int nextEncrypted = next(ENCRYPTED_MARK, inEncrypted, folded);
            // The visibility of most characters is not looked up, because it makes no difference.
            if ((nextPrivate != inPrivate || nextEncrypted != inEncrypted) && CodePoints.isVisible(c)) {
                inPrivate = nextPrivate;
                inEncrypted = nextEncrypted;
                if (inPrivate == PRIVATE_MARK.length() || inEncrypted == ENCRYPTED_MARK.length()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** How many characters of a mark, all of which are different, a text ends with after one more character. */
    private static int next(String mark, int matched, int c) {
        return c == mark.charAt(matched) ? matched + 1 : c == mark.charAt(0) ? 1 : 0;
    }
}
