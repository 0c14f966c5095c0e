package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Λ v0.6. The protocol layer is read in full, bodies are kept as tokens (PROTOCOLS §4).
 *
 * <p>The canonical form leaves out what is not part of a message: a transcript's sender label and a byte order mark. So the record of a labelled
 * message and the record of its canonical form differ in {@code label}, and in nothing else.
 */
public final class LambdaCodec implements WireCodec<LambdaMessage> {

    /** Makes a codec; it has no state. */
    public LambdaCodec() {}

    @Override
    public Protocol protocol() {
        return Protocol.LAMBDA;
    }

    @Override
    public DecodeResult<LambdaMessage> decode(byte[] wire, DecodeOptions options) {
        return new LambdaDecoder(wire, options).decode();
    }

    @Override
    public byte[] encode(LambdaMessage message) {
        MessageCheck.require(message);
        return CanonicalWriter.write(message).getBytes(UTF_8);
    }

    @Override
    public Traits traits(LambdaMessage message) {
        List<String> relay = message.getRelay();
        List<String> recipients = message.getAddress().isEmpty() && !relay.isEmpty()
                ? List.copyOf(relay.subList(1, relay.size()))
                : List.copyOf(message.getAddress());
        return new Traits(
                null,
                null,
                message.getLabel(),
                recipients,
                performative(message),
                message.getHandshakeReply() ? "h" : null,
                references(message));
    }

    /** By the kind of the message; where that leaves it open, by its first statement. */
    private static Performative performative(LambdaMessage message) {
        return switch (message.getKind()) {
            case HANDSHAKE, HANDSHAKE_REPLY, FLOOR -> Performative.CONTROL;
            case CONTEXT_ONLY -> Performative.CONTEXT;
            case DATA_ONLY, ENCRYPTED -> Performative.ASSERT;
            case STATEMENTS -> performative(message.getStatements().get(0).getKind());
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    private static Performative performative(LambdaStatementKind first) {
        return switch (first) {
            case ASK, CLARIFY -> Performative.ASK;
            case ASSERT, SUPPOSE, DATA, REFERENCE -> Performative.ASSERT;
            case COMMAND -> Performative.REQUEST;
            case OFFER, COUNTER -> Performative.PROPOSE;
            case ACK, ACK_URGENT -> Performative.ACKNOWLEDGE;
            case AGREE -> Performative.ACCEPT;
            case DISAGREE -> Performative.REJECT;
            case ERROR -> Performative.FAILURE;
            case META -> Performative.CONTROL;
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    /** The message's own id, and the codes of its errors. */
    private static List<Reference> references(LambdaMessage message) {
        List<Reference> references = new ArrayList<>(2);
        if (message.getId() != null) {
            references.add(new Reference("message", message.getId()));
        }
        for (LambdaStatement statement : message.getStatements()) {
            if (statement.getKind() == LambdaStatementKind.ERROR) {
                references.add(new Reference("error", statement.getErrorCode()));
            }
        }
        return references;
    }
}
