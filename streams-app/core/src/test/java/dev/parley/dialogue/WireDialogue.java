package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import java.time.Instant;
import java.util.Map;

/** One conversation, of messages as on the wire. */
final class WireDialogue {
    private static final MessageDecoder DECODER = ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of());

    final Judge judge = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);
    ConversationState state = ConversationState.NEW;
    private String protocol = "";

    /** A conversation of a protocol; empty if the first bytes decide. */
    static WireDialogue of(String protocol) {
        WireDialogue dialogue = new WireDialogue();
        dialogue.protocol = protocol;
        return dialogue;
    }

    /** Judges a message, "sender: message" if the header names the sender, and changes the state. */
    Judgement say(String line) {
        Judgement judgement = judge(line);
        state = judgement.next();
        return judgement;
    }

    /** Judges a message without a change of the state. */
    Judgement judge(String line) {
        int colon = line.indexOf(": ");
        boolean named = colon > 0 && colon < 4;
        byte[] wire = (named ? line.substring(colon + 2) : line).getBytes(UTF_8);
        Map<String, byte[]> headers = Map.of(
                RecordHeaders.PROTOCOL,
                protocol.getBytes(UTF_8),
                RecordHeaders.SENDER,
                line.substring(0, named ? colon : 0).getBytes(UTF_8));
        WireRecord record = new WireRecord(
                new Source("wire", 0, 0L, Instant.EPOCH, null), "c".getBytes(UTF_8), wire, RecordHeaders.of(headers));
        RecordDecodeResult.Message decoded = DECODER.decode(record).map(message -> message, error -> {
            throw new AssertionError(line + ": " + error);
        });
        AgentMessage message = decoded.message();
        return judge.judge(state, message, decoded.warnings(), decoded.violations(), DialogueMessages.NO_CHECKPOINTS);
    }
}
