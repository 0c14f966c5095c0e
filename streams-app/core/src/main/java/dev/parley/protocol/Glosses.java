package dev.parley.protocol;

import dev.parley.avro.AgentMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.decode.WireProtocol;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.dialogue.ConversationState;
import dev.parley.gloss.Definitions;
import dev.parley.gloss.Glosser;
import dev.parley.gloss.LambdaGlosser;
import dev.parley.gloss.LambdaVocabulary;
import dev.parley.gloss.Sentence;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * Glosses of messages: one English sentence for each, of at most {@link Sentence#MAX_CODE_POINTS} code points, in one
 * line. A gloss reveals the content of its message, so mask it wherever the message is masked. Immutable and
 * thread-safe.
 *
 * @param protocols the protocols whose glossers write them
 */
public record Glosses(Protocols protocols) {
    /** The glosses of Parley's protocols, with the core vocabulary of Λ. */
    public static final Glosses STANDARD = new Glosses(Protocols.STANDARD);

    /** The glosses of Parley's protocols with another vocabulary of Λ. */
    public static Glosses with(LambdaVocabulary vocabulary) {
        return new Glosses(new Protocols(Protocols.STANDARD.all().stream()
                .map(definition -> definition.glosser() instanceof LambdaGlosser
                        ? definition.with(new LambdaGlosser(vocabulary))
                        : definition)
                .toList()));
    }

    /** The definitions in a state of a conversation: those of Λ. */
    public static Definitions definitions(ConversationState state) {
        return Definitions.in(state.dialogue());
    }

    /**
     * The gloss of a message.
     *
     * @param message a decoded message; other fields of its envelope may be null
     * @param definitions the definitions in force before it
     */
    public String gloss(AgentMessage message, Definitions definitions) {
        Sentence sentence = new Sentence();
        protocols
                .of(message)
                .map(ProtocolDefinition::glosser)
                .orElse(Glosser.PLAIN)
                .write(message, definitions, sentence);
        return sentence.toString();
    }

    /**
     * The gloss of a wire message; empty if it does not decode.
     *
     * @param protocol name of its protocol in chain keys; if none has this name, its bytes decide
     * @param sender who sent it, if it does not say so; may be null
     */
    public Optional<String> gloss(String protocol, byte[] wire, String sender) {
        WireProtocol<?> found = protocols
                .named(protocol)
                .<WireProtocol<?>>map(ProtocolDefinition::wire)
                .orElseGet(() -> ValueDiagnosis.detect(wire, protocols.wire()));
        return found == null ? Optional.empty() : decoded(found, wire, sender);
    }

    private <M extends SpecificRecord> Optional<String> decoded(WireProtocol<M> protocol, byte[] wire, String sender) {
        return protocol.codec().decode(wire, DecodeOptions.LENIENT) instanceof DecodeResult.Decoded<M> decoded
                ? Optional.of(gloss(protocol, decoded.message(), sender))
                : Optional.empty();
    }

    /**
     * The gloss of a message without an envelope.
     *
     * @param sender who sent it, if it does not say so; may be null
     */
    public <M extends SpecificRecord> String gloss(WireProtocol<M> protocol, M message, String sender) {
        Traits traits = protocol.codec().traits(message);
        AgentMessage envelope = new AgentMessage();
        protocol.put(envelope, message);
        envelope.setRecipients(traits.recipients());
        envelope.setPerformative(traits.performative().name());
        envelope.setSender(traits.sender() == null ? sender : traits.sender());
        return gloss(envelope, Definitions.NONE);
    }
}
