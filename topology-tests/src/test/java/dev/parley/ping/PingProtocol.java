package dev.parley.ping;

import dev.parley.avro.AuditRecord;
import dev.parley.decode.WireProtocol;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.protocol.ProtocolDefinition;
import dev.parley.state.Change;
import dev.parley.state.StateKind;
import dev.parley.state.StateModel;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * A fifth protocol that exists in the tests alone: what CONTRIBUTING.md asks of a new protocol is this descriptor, its
 * schemas, and its registration.
 */
public final class PingProtocol {
    /** Its wire part. */
    public static final WireProtocol<PingMessage> WIRE =
            WireProtocol.extension("PING", new PingCodec(), PingMessage.class);

    /** The state of a conversation: the last number that each agent sent. */
    private static final StateModel.Folded NUMBERS =
            new StateModel.Folded(new StateKind("numbers", PingProtocol::numbers), () -> PingProtocol::changesOf);

    /** The descriptor. */
    public static final ProtocolDefinition DEFINITION = new ProtocolDefinition(
            DialogueProtocol.extension(WIRE, PingDialogue.class, PingRules::new), settings -> NUMBERS, List.of());

    private PingProtocol() {}

    private static Map<String, Object> numbers(SortedMap<String, String> entries) {
        return Map.of("numbers", entries);
    }

    private static List<Change> changesOf(AuditRecord record) {
        PingMessage ping = WIRE.message(record.getMessage());
        return List.of(Change.set("agent/" + ping.sender(), Integer.toString(ping.number())));
    }
}
