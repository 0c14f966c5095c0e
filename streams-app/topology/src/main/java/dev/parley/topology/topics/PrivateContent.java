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
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

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

    private static final List<Charset> CHARSETS = List.of(
            StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

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

    /**
     * Whether bytes contain a mark, in any case, width and spacing, in ISO 8859-1, UTF-8 or UTF-16, which may start at
     * any byte. Halves of characters in UTF-16 count as spacing.
     */
    public static boolean hasMark(ByteBuffer bytes) {
        byte[] all = ByteBuffers.of(bytes);
        for (int at = 0; at < all.length; at++) {
            // Every colon has one of these bytes. What precedes no colon is not decoded, because values may be large.
            if (all[at] == ':' || (all[at] & 0x7F) == 0x1A) {
                for (Charset charset : CHARSETS) {
                    if (endsMark(all, charset == StandardCharsets.UTF_16LE ? at + 2 : at + 1, charset)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether the text before an index ends with a mark, perhaps with invisible characters between its own. */
    private static boolean endsMark(byte[] all, int end, Charset charset) {
        String mark = PRIVATE_MARK;
        int left = mark.length();
        int to = Math.min(end, all.length);
        while (left > 0) {
            int from = to - lengthBefore(all, to, charset);
            if (from < 0) {
                return false;
            }
            int c = codePoint(all, from, to, charset);
            int folded = Character.toLowerCase(
                    c >= FIRST_FULL_WIDTH && c <= LAST_FULL_WIDTH ? c - FIRST_FULL_WIDTH + '!' : c);
            // The letter before the colon decides.
            mark = left == 3 && folded == ENCRYPTED_MARK.charAt(2) ? ENCRYPTED_MARK : mark;
            if (folded == mark.charAt(left - 1)) {
                left--;
            } else if (left == mark.length() || c > ' ' && c <= '~' || CodePoints.isVisible(c)) {
                return false;
            }
            to = from;
        }
        return true;
    }

    private static int lengthBefore(byte[] all, int to, Charset charset) {
        if (charset == StandardCharsets.UTF_16LE || charset == StandardCharsets.UTF_16BE) {
            return 2;
        }
        int length = 1;
        while (charset == StandardCharsets.UTF_8 && length < Math.min(4, to) && (all[to - length] & 0xC0) == 0x80) {
            length++;
        }
        return length;
    }

    /** The character in a range; any other one if it is malformed, and half of it outside the basic plane in UTF-16. */
    private static int codePoint(byte[] all, int from, int to, Charset charset) {
        if (charset == StandardCharsets.UTF_16LE || charset == StandardCharsets.UTF_16BE) {
            int high = charset == StandardCharsets.UTF_16LE ? from + 1 : from;
            return all[high] << 8 & 0xFF00 | all[2 * from + 1 - high] & 0xFF;
        }
        int length = to - from;
        int c = length == 1 ? all[from] & 0xFF : all[from] & 0xFF >> length + 1;
        for (int at = from + 1; at < to; at++) {
            c = c << 6 | all[at] & 0x3F;
        }
        return c;
    }
}
