package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.SubitState;
import dev.parley.codec.Code;
import dev.parley.dialogue.csp.CspTasks;
import dev.parley.dialogue.lambda.LambdaRules;
import dev.parley.protocol.Protocols;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class StoredTextTest {

    @Test
    void aSealedStateHasNoTextOfAMessageAndMatchesTheSameNames() {
        CspDialogue csp = sealed(csp(), CspDialogue.class);
        SubitDialogue subit = sealed(subit(), SubitDialogue.class);
        CspTask task = csp.getTasks().get(0);
        assertThat(CspTasks.find(csp, "secret-id")).isSameAs(task);
        assertThat(CspTasks.find(csp, "other")).isNull();
        assertThat(new StoredText("secret-b").isIn(task.getRecipient())).isTrue();
        assertThat(new StoredText("secret-c").isIn(task.getRecipient())).isFalse();
        assertThat(StoredText.lists("x, secret-giver", task.getGiver())).isTrue();
        assertThat(StoredText.lists("x,y", task.getGiver())).isFalse();
        assertThat(new StoredText("secret-agent").matches(subit.getAgent())).isTrue();
        assertThat(new StoredText(null).matches(subit.getAgent())).isFalse();
        assertThat(new StoredText(null).matches(null)).isTrue();
        assertThat(new StoredText("x").matches(null)).isFalse();
    }

    @Test
    void aDefinitionOfASealedStateIsChangedOrNotAsBefore() {
        LambdaDialogue before = sealed(lambda(), LambdaDialogue.class);
        LambdaRules rules = new LambdaRules(DialogueSettings.DEFAULT);
        RuleContext context = new RuleContext(7, false, DialogueMessages.NO_CHECKPOINTS, OlderItems.NONE);
        RuleResult<LambdaDialogue> same = rules.judge(before, defines("secret-value"), context);
        assertThat(same.warnings()).doesNotContain(Code.LAMBDA_DEF_CHANGED);
        assertThat(same.next().getDefinitions()).containsExactly(new LambdaDefined("secret-name", "secret-value", 7L));

        RuleResult<LambdaDialogue> other = rules.judge(before, defines("x"), context);
        assertThat(other.rule().getText()).endsWith("definition 1 changes the value set at sequence 3");
    }

    private static AgentMessage defines(String value) {
        return LambdaMessageBuilder.message(LambdaKind.CONTEXT_ONLY)
                .by("secret-holder")
                .define("secret-name", value)
                .build();
    }

    @Test
    void aLongTextIsStoredAsAHashAndMatches() {
        String text = "x".repeat(256);
        assertThat(StoredText.bounded(text)).isEqualTo(text);
        String hash = StoredText.bounded(text + "y");
        assertThat(hash).isEqualTo(StoredText.hash(text + "y"));
        assertThat(new StoredText(text + "y").matches(hash)).isTrue();
        assertThat(new StoredText(text + "z").matches(hash)).isFalse();
        assertThat(StoredText.bounded(hash)).isNotEqualTo(hash);
        assertThat(StoredText.bounded(null)).isNull();
    }

    @Test
    void aTextAndItsHashHaveOneKey() {
        assertThat(StoredText.key("text")).hasSize(16).isEqualTo(StoredText.keyOfStored("text"));
        assertThat(StoredText.keyOfStored(StoredText.hash("text"))).isEqualTo(StoredText.key("text"));
        String hostile = StoredText.hash("text").replaceAll("[0-9]", "?");
        assertThat(StoredText.keyOfStored(hostile)).hasSize(16);
        assertThat(StoredText.keyOfStored(hostile.substring(0, 20))).hasSize(16);
    }

    @Test
    void aNameThatLooksLikeAHashPassesForNoOther() {
        String hash = sealed(subit(), SubitDialogue.class).getAgent();
        assertThat(new StoredText(hash).matches(hash)).isFalse();
        assertThat(StoredText.encode(hash)).isNotEqualTo(hash);
        assertThat(new StoredText(hash).matches(StoredText.encode(hash))).isTrue();
        assertThat(new StoredText("secret-agent").matches(StoredText.encode(hash)))
                .isFalse();
        assertThat(new StoredText(hash).isIn(StoredText.encodeList(hash))).isTrue();
        assertThat(new StoredText("secret-agent").isIn(StoredText.encodeList(hash)))
                .isFalse();
    }

    private static SubitDialogue subit() {
        return new SubitDialogue(
                SubitState.INTENT,
                "secret-agent",
                List.of(new SubitLane("secret-lane", SubitState.INTENT), new SubitLane(null, SubitState.PLAN)));
    }

    private static CspDialogue csp() {
        return new CspDialogue(List.of(new CspTask(
                "secret-id", CspTaskState.OPEN, "secret-giver", "secret-a, secret-b", "secret-owner", List.of(), 0L)));
    }

    private static LambdaDialogue lambda() {
        return new LambdaDialogue(
                LambdaState.Q_PEND,
                List.of(new LambdaPending("secret-sender", LambdaState.Q_PEND, "secret-wire-id", null)),
                true,
                "secret-holder",
                0,
                List.of(new LambdaDefined("secret-name", "secret-value", 3L)));
    }

    private static <D extends SpecificRecord> D sealed(D dialogue, Class<D> type) {
        ConversationState state =
                new ConversationState(new ChainHead(4, ByteBuffer.allocate(32), 0), 0, new Dialogue(dialogue, false));
        ConversationState sealed =
                Protocols.STANDARD.judge(DialogueSettings.DEFAULT).hashTexts(state);
        assertThat(sealed.head()).isEqualTo(state.head());
        assertThat(sealed.toString()).doesNotContain("secret");
        assertThat(Protocols.STANDARD.judge(DialogueSettings.DEFAULT).hashTexts(sealed))
                .isEqualTo(sealed);
        return type.cast(sealed.dialogue().state());
    }
}
