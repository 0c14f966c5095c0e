package dev.parley.dialogue.lambda;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.codec.Code;
import dev.parley.codec.lambda.LambdaCodec;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Explanation;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.ProtocolRules;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import dev.parley.dialogue.StateBytes;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.lambda.LambdaDefinitions.Made;
import dev.parley.encoding.ByteBuffers;
import java.util.List;

/** Dialogue rules of Λ (Λ v0.6 §2, §3, §6; docs/protocols.md 4.3). */
public final class LambdaRules implements ProtocolRules<LambdaDialogue> {
    /** Dialogue part of Λ. */
    public static final DialogueProtocol<LambdaDialogue> PROTOCOL = new DialogueProtocol<>(
            WireProtocols.LAMBDA,
            LambdaDialogue.class,
            DialogueState::getLambda,
            DialogueState::setLambda,
            LambdaRules::new);

    private final int maxEntries;
    private final LambdaDefinitions definitions;

    public LambdaRules(DialogueSettings settings) {
        this.maxEntries = settings.maxEntries();
        this.definitions = new LambdaDefinitions(maxEntries);
    }

    @Override
    public RuleResult<LambdaDialogue> judge(LambdaDialogue dialogue, AgentMessage message, RuleContext context) {
        LambdaDialogue before = dialogue == null ? idle(List.of()) : dialogue;
        Made made = define(before, message, context);
        LambdaTurn turn = new LambdaTurn(before, message, maxEntries, made, null);
        boolean changes = turn.violation() == null && turn.moved();
        return new RuleResult<>(
                turn.violation(),
                turn.warnings(),
                turn.rule(),
                changes ? turn.after() : dialogue,
                changes && made != null ? made.items().older() : null);
    }

    /** Applies the definitions of a message; returns null if it has none. */
    private Made define(LambdaDialogue before, AgentMessage message, RuleContext context) {
        List<LambdaDefinition> made = message.getLambda().getDefinitions();
        return made.isEmpty()
                ? null
                : definitions.define(
                        new Items<>(before.getDefinitions(), context.olderItems()), made, context.sequence());
    }

    @Override
    public Explanation explain(LambdaDialogue dialogue, AgentMessage message, RuleContext context, Code violation) {
        LambdaDialogue before = dialogue == null ? idle(List.of()) : dialogue;
        List<String> allowed = LambdaTurn.allowed(before, message.getSender());
        String reason = switch (violation) {
            case LAMBDA_CHECKSUM -> checksum(message.getLambda());
            case LAMBDA_TABLE_RAGGED -> LambdaCodec.raggedRow(ByteBuffers.of(message.getRaw()));
            default -> new LambdaTurn(before, message, maxEntries, null, null).reason();
        };
        String next = "In " + before.getState() + ", the sender may start with one of: " + String.join(" ", allowed);
        return new Explanation((reason + " " + next).strip(), allowed);
    }

    private static String checksum(LambdaMessage message) {
        int counted = LambdaCodec.checksum(message);
        return "The checksum must be " + counted + ", not " + message.getChecksum() + ": the statements have " + counted
                + " characters in canonical form.";
    }

    /**
     * Resets an idle conversation to IDLE: nothing pending, floor free, no errors. Definitions remain, because they
     * hold for the conversation, which continues under the same name.
     */
    @Override
    public LambdaDialogue expire(LambdaDialogue dialogue, long lastActivity, long deadline) {
        return lastActivity >= deadline || atRest(dialogue) ? dialogue : idle(dialogue.getDefinitions());
    }

    @Override
    public LambdaDialogue bounded(LambdaDialogue dialogue) {
        List<LambdaPending> pending = StateBytes.newest(
                dialogue.getPending(),
                item -> StateBytes.of(item.getSender()) + StateBytes.of(item.getId()) + StateBytes.HASH);
        return pending == dialogue.getPending()
                ? dialogue
                : with(dialogue, pending, dialogue.getFloorHolder(), dialogue.getDefinitions());
    }

    @Override
    public LambdaDialogue withHashes(LambdaDialogue dialogue) {
        List<LambdaPending> pending = dialogue.getPending().stream()
                .map(item -> new LambdaPending(
                        StoredText.hash(item.getSender()),
                        item.getOpened(),
                        StoredText.hash(item.getId()),
                        item.getRelayed()))
                .toList();
        List<LambdaDefined> recent = dialogue.getDefinitions().stream()
                .map(LambdaDefinitions::withHashes)
                .toList();
        return with(dialogue, pending, StoredText.hash(dialogue.getFloorHolder()), recent);
    }

    @Override
    public OlderItems withHashes(OlderItems olderItems) {
        return definitions.withHashes(olderItems);
    }

    @Override
    public String positionOf(LambdaDialogue dialogue, OlderItems olderItems, AgentMessage message) {
        return (dialogue == null ? LambdaState.IDLE : dialogue.getState()).name();
    }

    @Override
    public String sectionOf(Code violation) {
        return switch (violation) {
            case LAMBDA_CHECKSUM -> "4.2 L1";
            case LAMBDA_TABLE_RAGGED -> "4.2 L22";
            default -> ProtocolRules.super.sectionOf(violation);
        };
    }

    /** Whether nothing can expire. In IDLE, nothing is pending. */
    private static boolean atRest(LambdaDialogue dialogue) {
        return dialogue.getState() == LambdaState.IDLE && !dialogue.getFloorHeld() && dialogue.getErrors() == 0;
    }

    private static LambdaDialogue idle(List<LambdaDefined> definitions) {
        return new LambdaDialogue(LambdaState.IDLE, List.of(), false, null, 0, definitions);
    }

    private static LambdaDialogue with(
            LambdaDialogue dialogue, List<LambdaPending> pending, String floorHolder, List<LambdaDefined> definitions) {
        return new LambdaDialogue(
                dialogue.getState(), pending, dialogue.getFloorHeld(), floorHolder, dialogue.getErrors(), definitions);
    }
}
