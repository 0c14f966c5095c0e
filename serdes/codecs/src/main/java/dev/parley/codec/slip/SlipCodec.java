package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.Decimal;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes nSLIP, the wire form of SLIP v0.1 (§3).
 *
 * <p>The canonical form has the headers in the order a, f, c, S, d, T, then slots and unknown fields in their order.
 * Numbers have no leading zeros, and there are no empty tokens and no text around the message. A slot with an undefined
 * prefix is kept unchanged.
 */
public final class SlipCodec implements WireCodec<SlipMessage> {

    /** Creates a codec. One is enough for any number of threads. */
    public SlipCodec() {}

    @Override
    public Protocol protocol() {
        return Protocol.SLIP;
    }

    @Override
    public boolean detects(byte[] wire, int from) {
        return SlipDetection.isMessage(wire, from);
    }

    @Override
    public DecodeResult<SlipMessage> decode(byte[] wire, DecodeOptions options) {
        return SlipReader.read(wire, options);
    }

    @Override
    public byte[] encode(SlipMessage message) {
        return SlipWriter.write(message);
    }

    /**
     * Conversation, sender and recipient are the numbers c, S and d in decimal. References are the goal, the task, the
     * parent task and the result, if present. SLIP has no message IDs, so {@code replyTo} is null.
     */
    @Override
    public Traits traits(SlipMessage message) {
        return new Traits(
                Decimal.text(message.getConversation()),
                Decimal.text(message.getSource()),
                null,
                List.of(Decimal.text(message.getDestination())),
                performative(message),
                null,
                references(message));
    }

    /**
     * Writes a number in base62, as on the wire.
     *
     * @param number 0 or more
     */
    public static String digits(long number) {
        byte[] digits = new byte[Base62.MAX_DIGITS];
        return new String(digits, 0, Base62.write(number, digits, 0), ISO_8859_1);
    }

    /**
     * Reads a number in base62.
     *
     * @param from index of its first digit
     * @param to index after its last digit
     * @return a negative number if a byte is not a digit, or the number exceeds 2^63-1
     */
    public static long number(byte[] wire, int from, int to) {
        return Base62.parse(wire, from, to);
    }

    private static Performative performative(SlipMessage message) {
        return switch (message.getAct()) {
            case OBSERVE -> Performative.ASSERT;
            case INFORM -> message.getResultId() == null ? Performative.ASSERT : Performative.RESULT;
            case ASK -> Performative.ASK;
            case REQUEST -> Performative.REQUEST;
            case PROPOSE -> Performative.PROPOSE;
            case COMMIT -> Performative.COMMIT;
            case ACCEPT -> Performative.ACCEPT;
            case REJECT -> Performative.REJECT;
            case EVAL -> Performative.EVALUATE;
            case ERROR -> Performative.FAILURE;
            case META -> Performative.CONTROL;
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    private static List<Reference> references(SlipMessage message) {
        List<Reference> references = new ArrayList<>(4);
        refer(references, "goal", message.getGoalId());
        refer(references, "task", message.getTaskId());
        refer(references, "parent-task", message.getParentTaskId());
        refer(references, "result", message.getResultId());
        return references;
    }

    private static void refer(List<Reference> references, String kind, Long id) {
        if (id != null) {
            references.add(new Reference(kind, Decimal.text(id)));
        }
    }
}
