package dev.parley.dialogue.mcp;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.McpDialogue;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpMessage;
import dev.parley.avro.McpPhase;
import dev.parley.codec.Code;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Explanation;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.ProtocolRules;
import dev.parley.dialogue.RememberedItems;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import java.util.List;

/**
 * Dialogue rules of MCP (docs/protocols.md 5). A violation is a broken MUST that the captured traffic decides; anything
 * else that is unusual is a warning. Two models exist side by side, and each request shows which one it belongs to: the
 * session with a handshake, through 2025-11-25, and requests that carry version and capabilities, from 2026-07-28 on.
 */
public final class McpRules implements ProtocolRules<McpDialogue> {
    /** Dialogue part of MCP. */
    public static final DialogueProtocol<McpDialogue> PROTOCOL = new DialogueProtocol<>(
            WireProtocols.MCP, McpDialogue.class, DialogueState::getMcp, DialogueState::setMcp, McpRules::new);

    private final RememberedItems<McpItem> remembered;
    private final McpOutputSchemas schemas = new McpOutputSchemas();
    private final int maxItems;

    /** Creates rules under the settings. */
    public McpRules(DialogueSettings settings) {
        this.maxItems = settings.maxEntries();
        this.remembered = new RememberedItems<>(new McpItemForm(), maxItems);
    }

    @Override
    public RuleResult<McpDialogue> judge(McpDialogue before, AgentMessage message, RuleContext context) {
        return turn(before, message, context).result();
    }

    @Override
    public RuleResult<McpDialogue> afterInvalid(McpDialogue before, AgentMessage message, RuleContext context) {
        return judge(before, message, context);
    }

    private McpTurn turn(McpDialogue before, AgentMessage message, RuleContext context) {
        McpMessage mcp = message.getMcp();
        return new McpTurn(mcp, new McpSession(before, mcp.getCapture(), context, remembered, maxItems), schemas);
    }

    @Override
    public Explanation explain(McpDialogue before, AgentMessage message, RuleContext context, Code violation) {
        McpTurn turn = turn(before, message, context);
        boolean isOfForm = McpRule.of(violation) == McpRule.ACCEPTED;
        String detail = isOfForm || turn.detail() == null ? violation.meaning() : turn.detail();
        return new Explanation(detail, turn.allowed());
    }

    @Override
    public McpDialogue expire(McpDialogue dialogue, long lastActivity, long deadline) {
        return lastActivity >= deadline ? dialogue : null;
    }

    @Override
    public String remark(McpDialogue before, AgentMessage message, RuleContext context, List<Code> warnings) {
        return turn(before, message, context).detail();
    }

    /** The state contains no text of a message but schemas, without which the output of their tools is not judged. */
    @Override
    public McpDialogue withHashes(McpDialogue dialogue) {
        McpDialogue hashed = McpSession.copy(dialogue);
        hashed.setItems(
                dialogue.getItems().stream().map(McpRules::withoutSchema).toList());
        return hashed;
    }

    @Override
    public OlderItems withHashes(OlderItems olderItems) {
        return remembered.replaceAll(olderItems, McpRules::withoutSchema);
    }

    private static McpItem withoutSchema(McpItem item) {
        return new McpItemForm().withText(item, null);
    }

    @Override
    public String positionOf(McpDialogue dialogue, OlderItems olderItems, AgentMessage message) {
        return (dialogue == null ? McpPhase.NONE : dialogue.getPhase()).name();
    }

    @Override
    public String sectionOf(Code violation) {
        return "5.1 M3";
    }
}
