package dev.parley.gloss;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.decode.WireProtocol;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import org.apache.avro.specific.SpecificRecord;

/** Wire messages and their glosses. */
final class Examples {
    private Examples() {}

    static String gloss(String wire) {
        return gloss(wire, Definitions.NONE);
    }

    static String gloss(String wire, Definitions definitions) {
        return Glosses.STANDARD.gloss(message(wire.getBytes(UTF_8)), definitions);
    }

    /** The message in an envelope without a record; null if the bytes are not a message. */
    static AgentMessage message(byte[] wire) {
        WireProtocol<?> protocol = ValueDiagnosis.detect(wire, Protocols.STANDARD.wire());
        return protocol == null ? null : message(protocol, wire);
    }

    static <M extends SpecificRecord> AgentMessage message(WireProtocol<M> protocol, byte[] wire) {
        if (!(protocol.codec().decode(wire, DecodeOptions.LENIENT) instanceof DecodeResult.Decoded<M> decoded)) {
            return null;
        }
        Traits traits = protocol.codec().traits(decoded.message());
        AgentMessage envelope = new AgentMessage();
        protocol.put(envelope, decoded.message());
        envelope.setSender(traits.sender());
        envelope.setRecipients(traits.recipients());
        envelope.setPerformative(traits.performative().name());
        return envelope;
    }
}
