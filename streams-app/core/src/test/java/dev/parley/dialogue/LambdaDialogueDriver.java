package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaState;
import dev.parley.codec.Code;
import dev.parley.dialogue.lambda.LambdaRules;
import java.util.List;

/** Leads one Λ conversation and remembers what was ruled last. Checks on every message that no argument was changed. */
public final class LambdaDialogueDriver {
    private final LambdaRules rules;
    private LambdaDialogue state;
    private OlderItems older = OlderItems.NONE;
    private RuleResult<LambdaDialogue> last;

    public LambdaDialogueDriver() {
        this(DialogueSettings.DEFAULT);
    }

    public LambdaDialogueDriver(DialogueSettings settings) {
        rules = new LambdaRules(settings);
    }

    /** A conversation that stands in that state, with nothing pending. */
    public static LambdaDialogueDriver in(LambdaState start) {
        LambdaDialogueDriver driver = new LambdaDialogueDriver();
        driver.state = new LambdaDialogue(start, List.of(), false, null, 0, List.of());
        return driver;
    }

    public LambdaDialogueDriver judge(LambdaMessageBuilder speech) {
        AgentMessage message = speech.build();
        String stateBefore = String.valueOf(state);
        String messageBefore = message.toString();
        last = rules.judge(state, message, new RuleContext(0, false, DialogueMessages.NO_CHECKPOINTS, older));
        assertThat(String.valueOf(state)).as("the state that was passed in").isEqualTo(stateBefore);
        assertThat(message).as("the message that was passed in").hasToString(messageBefore);
        if (last.violation() != null) {
            assertThat(last.next()).as("the state after a violation").isSameAs(state);
        }
        state = last.next();
        older = last.olderItems() == null ? older : last.olderItems();
        return this;
    }

    /** Hears what is legal and draws no warning. */
    public LambdaDialogueDriver accepts(LambdaMessageBuilder speech) {
        judge(speech);
        assertThat(last.violation()).as(last.rule().toString()).isNull();
        assertThat(last.warnings()).as(last.rule().toString()).isEmpty();
        return this;
    }

    public LambdaDialogueDriver rejects(LambdaMessageBuilder speech, Code violation) {
        judge(speech);
        assertThat(last.violation()).as(last.rule().toString()).isEqualTo(violation);
        return this;
    }

    public LambdaDialogueDriver warns(LambdaMessageBuilder speech, Code... warnings) {
        judge(speech);
        assertThat(last.violation()).as(last.rule().toString()).isNull();
        assertThat(last.warnings()).as(last.rule().toString()).containsExactly(warnings);
        return this;
    }

    public LambdaDialogueDriver hasState(LambdaState expected) {
        assertThat(dialogue().getState()).isEqualTo(expected);
        return this;
    }

    public LambdaDialogue state() {
        return state;
    }

    public LambdaDialogue dialogue() {
        return state;
    }

    public RuleResult<LambdaDialogue> last() {
        return last;
    }

    public LambdaRules rules() {
        return rules;
    }
}
