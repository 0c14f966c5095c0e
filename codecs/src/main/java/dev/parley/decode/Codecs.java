package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import dev.parley.codec.csp.CspCodec;
import dev.parley.codec.lambda.LambdaCodec;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.subit.SubitCodec;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** The codecs of the four protocols, each with the envelope field of its message. */
public enum Codecs {
    /** nSLIP. */
    SLIP(new Entry<>(new SlipCodec(), AgentMessage::getSlip, AgentMessage::setSlip)),
    /** SUBIT-Agent. */
    SUBIT(new Entry<>(new SubitCodec(), AgentMessage::getSubit, AgentMessage::setSubit)),
    /** CSP/1. */
    CSP(new Entry<>(new CspCodec(), AgentMessage::getCsp, AgentMessage::setCsp)),
    /** Λ. */
    LAMBDA(new Entry<>(new LambdaCodec(), AgentMessage::getLambda, AgentMessage::setLambda));

    private final Entry<?> entry;

    Codecs(Entry<?> entry) {
        this.entry = entry;
    }

    /**
     * Returns the codec of a protocol.
     *
     * @throws IllegalArgumentException for UNKNOWN
     */
    public static Codecs of(Protocol protocol) {
        return switch (protocol) {
            case SLIP -> SLIP;
            case SUBIT -> SUBIT;
            case CSP -> CSP;
            case LAMBDA -> LAMBDA;
            case UNKNOWN -> throw new IllegalArgumentException("no codec reads an unknown protocol");
        };
    }

    /** Decodes one message; see {@link WireCodec#decode}. */
    public Opened open(byte[] wire, DecodeOptions options) {
        return entry.open(wire, options);
    }

    /** Encodes the envelope's message, which must be one of this protocol; see {@link WireCodec#encode}. */
    public byte[] encode(AgentMessage message) {
        return entry.encode(message);
    }

    /**
     * A decoding result without an envelope.
     *
     * @param result the result of the codec
     * @param traits properties of the message; null after a decode error
     * @param intoEnvelope sets the message in an envelope; null after a decode error
     */
    public record Opened(
            DecodeResult<?> result, Traits traits, java.util.function.Consumer<AgentMessage> intoEnvelope) {}

    private record Entry<M extends SpecificRecord>(
            WireCodec<M> codec, Function<AgentMessage, M> getter, BiConsumer<AgentMessage, M> setter) {

        Opened open(byte[] wire, DecodeOptions options) {
            DecodeResult<M> result = codec.decode(wire, options);
            if (result instanceof DecodeResult.Decoded<M> decoded) {
                M message = decoded.message();
                return new Opened(result, codec.traits(message), envelope -> setter.accept(envelope, message));
            }
            return new Opened(result, null, null);
        }

        byte[] encode(AgentMessage message) {
            return codec.encode(getter.apply(message));
        }
    }
}
