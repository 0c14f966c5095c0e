package dev.parley.ping;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Explanation;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.ProtocolRules;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import dev.parley.dialogue.Rules;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.TransitionTable;
import dev.parley.dialogue.TransitionTable.Cell;
import java.util.List;

/** Rules of the test protocol: a pong needs a ping of another agent. */
final class PingRules implements ProtocolRules<PingDialogue> {
    enum State {
        IDLE,
        OPEN
    }

    enum Act {
        PING,
        PONG
    }

    private static final TransitionTable<State, Act> TABLE =
            TransitionTable.of("PING 1", State.class, Act.class).read("""
            | State | PING                          | PONG                    |
            | IDLE  | OPEN S                        | V EXTENSION_VIOLATION S |
            | OPEN  | OPEN W EXTENSION_UNEXPECTED S | IDLE S                  |
            """);

    private static final Rule OWN_PONG = Rules.of("PONG by the sender of the PING → V", Provenance.S, "PING 2");

    PingRules(DialogueSettings settings) {}

    @Override
    public RuleResult<PingDialogue> judge(PingDialogue before, AgentMessage message, RuleContext context) {
        PingMessage ping = PingProtocol.WIRE.message(message);
        if (before != null
                && ping.act() == Act.PONG
                && new StoredText(ping.sender()).matches(before.sender())
                && before.state() == State.OPEN) {
            return new RuleResult<>(Code.EXTENSION_VIOLATION, List.of(), OWN_PONG, before);
        }
        Cell<State> cell = TABLE.at(before == null ? State.IDLE : before.state(), ping.act());
        if (cell.violation() != null) {
            return new RuleResult<>(cell.violation(), List.of(), cell.rule(), before);
        }
        List<Code> warnings = cell.warning() == null ? List.of() : List.of(cell.warning());
        PingDialogue next = new PingDialogue(cell.target(), StoredText.encode(ping.sender()));
        return new RuleResult<>(null, warnings, cell.rule(), next);
    }

    @Override
    public Explanation explain(PingDialogue before, AgentMessage message, RuleContext context, Code violation) {
        return new Explanation("another agent must answer a pending PING", List.of("PING"));
    }

    @Override
    public PingDialogue expire(PingDialogue dialogue, long lastActivity, long deadline) {
        return lastActivity < deadline ? null : dialogue;
    }

    @Override
    public PingDialogue withHashes(PingDialogue dialogue) {
        return new PingDialogue(dialogue.state(), StoredText.hash(dialogue.sender()));
    }

    @Override
    public String positionOf(PingDialogue dialogue, OlderItems olderItems, AgentMessage message) {
        return (dialogue == null ? State.IDLE : dialogue.state()).name();
    }
}
