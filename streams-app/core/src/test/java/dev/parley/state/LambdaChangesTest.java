package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.gloss.Definitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Open offers, which count as memory until they are answered, and definitions for glosses. */
class LambdaChangesTest {
    private static final Map<String, StateEntry> TERMS = Map.of(
            "definition/ta", new StateEntry("definition/ta", "build", new ChangeOrigin.Message(0, null, null)),
            "agreement/em", new StateEntry("agreement/em", ">Ig/U[da]", new ChangeOrigin.Message(0, null, null)));

    private final ConversationRecorder talk = ConversationRecorder.lambda();
    private final LambdaChanges changes = new LambdaChanges(DialogueSettings.DEFAULT);

    private List<Change> send(String sender, String wire) {
        return changes.of(talk.as(sender).send(wire));
    }

    @Test
    void anOpenOfferWeighsItsSenderEntryAndText() {
        assertThat(changes.bytes()).isZero();
        assertThat(send("Alice", ">Ig/U[da]")).isEmpty();
        assertThat(changes.bytes()).isEqualTo("Alice".length() + "agreement/#0".length() + ">Ig/U[da]".length());
    }

    @Test
    void aLaterOfferOfTheSameSenderReplacesTheWeight() {
        send("Alice", ">Ig/U[da]");
        send("Alice", "@v0.6#id:second >Ig/U[da]<Uw/[ti]");
        assertThat(changes.bytes())
                .isEqualTo("Alice".length() + "agreement/second".length() + ">Ig/U[da]<Uw/[ti]".length());
    }

    @Test
    void offersOfDifferentSendersWeighTogetherUntilOneIsAccepted() {
        send("Alice", ">Ig/U[da]");
        send("Bo", "<->Ig/U[re]");
        long offer = "Alice".length() + "agreement/#0".length() + ">Ig/U[da]".length();
        assertThat(changes.bytes()).isEqualTo(offer + "Bo".length() + "agreement/#1".length() + "<->Ig/U[re]".length());

        assertThat(send("Alice", "<+")).containsExactly(Change.set("agreement/#1", "<->Ig/U[re]"));
        assertThat(changes.bytes()).isEqualTo(offer);
    }

    @Test
    void theOfferOfAnAgentWithALongNameIsAccepted() {
        send("A".repeat(1_000), ">Ig/U[da]");
        assertThat(send("Bo", "<+")).containsExactly(Change.set("agreement/#0", ">Ig/U[da]"));
        assertThat(changes.bytes()).isZero();
    }

    @Test
    void anUnknownSenderWeighsNothing() {
        changes.of(talk.asUnknown().send(">Ig/U[da]"));
        assertThat(changes.bytes()).isEqualTo("agreement/#0".length() + ">Ig/U[da]".length());
        changes.of(talk.send("<+"));
        assertThat(changes.bytes()).isZero();
    }

    @Test
    void anOfferThatItsOwnMessageAcceptsIsNotRecorded() {
        AuditRecord both = talk.asUnknown().send(">Ig/U[da] <+");
        assertThat(changes.of(both)).isEmpty();
    }

    @Test
    void glossesLookUpDefinitionsButNotAgreements() {
        Definitions definitions =
                LambdaChanges.model(DialogueSettings.DEFAULT).definitions().apply(TERMS);

        assertThat(definitions.valueOf("ta")).isEqualTo("build");
        assertThat(definitions.valueOf("em")).isNull();
    }

    @Test
    void eachGlossOfAHistoryHasTheDefinitionsInForce() {
        talk.as("A").send("{def:ta=\"build\"}");
        talk.as("B").send("<ctx");
        talk.as("A").send("{def:ta=\"test\"}!ta");

        assertThat(Replay.history(
                                LambdaChanges.model(DialogueSettings.DEFAULT),
                                "definition/ta",
                                9,
                                9,
                                Long.MAX_VALUE,
                                talk.records,
                                bytes -> {},
                                (message, definitions) -> message.getSender() + " said " + definitions.valueOf("ta"))
                        .steps())
                .extracting(EntryChange::gloss)
                .containsExactly("A said test", "A said build");
    }
}
