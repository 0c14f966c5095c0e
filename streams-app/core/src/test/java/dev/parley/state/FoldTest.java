package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.gloss.Definitions;
import dev.parley.protocol.Protocols;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What each protocol's messages do to the state; a line is an entry, its value and the sequence of the message that set
 * it.
 */
class FoldTest {

    @Test
    void otherProtocolsHaveNoFold() {
        assertThat(Protocols.STANDARD.named("CSP"))
                .get()
                .satisfies(csp -> assertThat(csp.state().apply(DialogueSettings.DEFAULT))
                        .isInstanceOf(StateModel.Checkpoints.class));
        assertThat(Protocols.STANDARD.named("UNKNOWN")).isEmpty();
    }

    @Test
    void aSlipBoardHasTheLatestOfEachSlot() {
        ConversationRecorder talk = ConversationRecorder.slip();
        talk.send("@a3|f0|c1|S0|d1|T1|g7|k1|p2|q2|t\"build\"#");
        talk.send("@a4|f1|c1|S1|d0|T2|k1|q1#");
        talk.send("@a1|f2|c1|S1|d0|T3|k1|r9|u\"done\"#");
        talk.send("@a8|f3|c1|S3|d0|T4|k1|s8#");
        talk.send("@a0|f2|c1|S3|d0|T5|g7|u\"idle\"#");

        assertThat(state(SlipChanges.MODEL, talk))
                .containsExactly(
                        "task/-/goal=7 by 4",
                        "task/-/status=idle by 4",
                        "task/1/goal=7 by 0",
                        "task/1/parent=2 by 0",
                        "task/1/priority=1 by 1",
                        "task/1/result=9 by 2",
                        "task/1/score=8 by 3",
                        "task/1/status=done by 2",
                        "task/1/tag=build by 0");
    }

    @Test
    void anErrorOfSlipIsOnTheBoard() {
        ConversationRecorder talk = ConversationRecorder.slip();
        talk.send("@a9|f0|c1|S0|d1|T1|k1|e5#");
        assertThat(state(SlipChanges.MODEL, talk)).containsExactly("task/1/error=5 by 0");
    }

    @Test
    void questionsAndMetaMessagesChangeNoTask() {
        ConversationRecorder talk = ConversationRecorder.slip();
        talk.send("@a2|f0|c1|S0|d1|T1|k1|u\"done\"#");
        talk.send("@aA|f4|c1|S0|d1|T2|k1|u\"done\"#");
        assertThat(state(SlipChanges.MODEL, talk)).isEmpty();
    }

    @Test
    void rejectedFlaggedDuplicateAndRedactedMessagesChangeNothing() {
        ConversationRecorder talk = ConversationRecorder.slip();
        AuditRecord first = talk.send("@a3|f0|c1|S0|d1|T1|k1|q1#");
        AuditRecord again = talk.send("@a3|f0|c1|S0|d1|T1|k1|q1#");
        AuditRecord illegal = talk.sendAny("@a3|f0|c1|S0|d1|T2|k1|q2#");
        assertThat(illegal.getVerdict()).isEqualTo(Verdict.REJECTED.name());
        assertThat(Fold.counts(first)).isTrue();
        assertThat(Fold.counts(again)).isFalse();
        assertThat(Fold.counts(illegal)).isFalse();
        illegal.setVerdict(Verdict.FLAGGED.name());
        assertThat(state(SlipChanges.MODEL, talk)).containsExactly("task/1/priority=1 by 0");

        first.setMessage(null);
        assertThat(state(SlipChanges.MODEL, talk)).isEmpty();
        again.setWarnings(List.of("CSP_DUPLICATE"));
        assertThat(Fold.counts(again)).isFalse();
    }

    @Test
    void aSubitStateSetsTheFormAnActionMovesItAndAnErrorClearsIt() {
        ConversationRecorder talk = ConversationRecorder.subit();
        talk.send(subit("STATE", "000110", "A"));
        talk.send(subit("STATE", "111111", "B"));
        talk.send(subit("INTENT", "000110110001", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/A=6 by 0", "agent/B=63 by 1");
        talk.send(subit("ACTION", "000110110001", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/A=49 by 3", "agent/B=63 by 1");
        talk.send(subit("TRACE", "000110000111", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/A=49 by 3", "agent/B=63 by 1");
        talk.send(subit("ERROR", "000000", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/B=63 by 1");
    }

    @Test
    void anUnknownSenderHasAFormToo() {
        ConversationRecorder talk = ConversationRecorder.subit();
        talk.send("{\"type\":\"STATE\",\"payload\":\"000001\"}");
        talk.send("{\"type\":\"PLAN\",\"payload\":\"000001000010000011\"}");
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/-=1 by 0");
    }

    @Test
    void anAbsentEntryIsNotCleared() {
        ConversationRecorder talk = ConversationRecorder.subit();
        Fold fold = new Fold(SubitChanges.MODEL);
        assertThat(fold.accept(talk.send(subit("ERROR", "000000", "A")))).isEmpty();
        assertThat(fold.accept(talk.send(subit("STATE", "000000", "A")))).containsExactly(Change.set("agent/A", "0"));
        assertThat(fold.accept(talk.send(subit("ERROR", "000000", "A")))).containsExactly(Change.clear("agent/A"));
    }

    @Test
    void aLambdaDefinitionHoldsUntilTheNextOfItsName() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send("{def:ta=\"build\"}");
        talk.as("B").send("<ctx");
        talk.as("A").send("{def:ta=\"test\"}!ta");
        talk.as("A").send("{def:em=\"emergence\"}!em");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("definition/em=emergence by 3", "definition/ta=test by 2");
    }

    @Test
    void anOfferThatIsAgreedToIsInForce() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]<Uw/[ti]");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk)).isEmpty();
        talk.as("B").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#0=>Ig/U[da]<Uw/[ti] by 1");
    }

    @Test
    void ofACounterOfferTheCounterIsInForce() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send("@v0.6#id:one >Ig/U[da]<Uw/[ti]");
        talk.as("B").send("@v0.6#id:two <->Ig/U[da]<Uw/[re]");
        talk.as("A").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/two=<->Ig/U[da]<Uw/[re] by 2");
    }

    @Test
    void aBareAcknowledgementAcceptsAnOfferAsInTheFirstVersion() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("B").send("<");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 1");
    }

    @Test
    void aRefusalAClarificationAndAnAnswerToNoOfferAreNoAgreements() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("B").send("<-");
        talk.as("A").send("!Ik/co");
        talk.as("B").send("<+");
        talk.as("A").send("?Ik/co");
        talk.as("B").send("<+");
        talk.as("B").send("!Ik/co");
        talk.as("A").send("<");
        talk.as("A").send(">Ig/U[re]");
        talk.as("B").send("<?re");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk)).isEmpty();
    }

    @Test
    void anOfferThatHadToBeClarifiedIsAgreedToAfterwards() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("B").send("<?da");
        talk.as("B").send("<?da");
        talk.as("A").send("{def:da=\"data\"}");
        talk.as("B").send("<+");
        talk.as("B").send("!Ik");
        talk.as("A").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 4", "definition/da=data by 3");
    }

    @Test
    void aClarificationThatLeadsElsewhereIsNone() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("B").send("<?da");
        talk.as("A").send("{def:da=\"data\"}");
        talk.as("B").send("<ctx");
        talk.as("A").send("{ns:x}");
        talk.as("B").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("definition/da=data by 2");
    }

    @Test
    void anOfferThatIsClarifiedByASayingIsNoneAnyMore() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("B").send("<?da");
        talk.as("A").send("!Ik/da");
        talk.as("B").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk)).isEmpty();
    }

    @Test
    void theLatestOfferOfASpeakerIsTheOneAgreedTo() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("A").send(">Ig/U[re]");
        talk.as("B").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#1=>Ig/U[re] by 2");
    }

    @Test
    void anOfferStandsUntilItIsAnsweredWhateverElseItsSpeakerSays() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da] !Ik/co");
        talk.as("A").send("!Ik/re");
        talk.as("B").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 2");
    }

    @Test
    void agreementsStandBesideEachOther() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("A").send(">Ig/U[da]");
        talk.as("B").send("<+");
        talk.as("B").send(">Ig/U[re]");
        talk.as("A").send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 1", "agreement/#2=>Ig/U[re] by 3");
    }

    @Test
    void anUnknownSenderCanAgreeToo() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.asUnknown().send(">Ig/U[da]");
        talk.send("<+");
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 1");
    }

    @Test
    void aConversationThatWasIdleBeginsAnew() {
        // C held the floor until the conversation had been idle; the machine alone, which knows no times, would not let
        // D speak.
        ConversationRecorder talk = ConversationRecorder.lambda();
        talk.as("C").send(">> !Ik");
        AuditRecord offer = talk.as("D").sendAny(">Ig/U[re]");
        AuditRecord agreed = talk.as("C").sendAny("<+");
        assertThat(offer.getCode()).isEqualTo("LAMBDA_FLOOR");
        offer.setVerdict(Verdict.ACCEPTED.name());
        agreed.setVerdict(Verdict.ACCEPTED.name());

        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk))
                .containsExactly("agreement/#1=>Ig/U[re] by 2");
    }

    @Test
    void aMessageOutsideTheStateMachineIsNoAgreement() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        AuditRecord stray = talk.as("D").sendAny("<+");
        stray.setVerdict(Verdict.ACCEPTED.name());
        assertThat(state(LambdaChanges.model(DialogueSettings.DEFAULT), talk)).isEmpty();
    }

    // Memory

    @Test
    void anEntryWeighsItsNameValueAndSenderAndAReplacedOneNothing() {
        ConversationRecorder talk = ConversationRecorder.slip();
        Fold fold = new Fold(SlipChanges.MODEL);
        assertThat(fold.bytes()).isZero();
        fold.accept(talk.send("@a3|f0|c1|S0|d1|T1|k1|u\"one\"#"));
        assertThat(fold.bytes()).isEqualTo(200 + "task/1/status".length() + "one".length() + "0".length());
        fold.accept(talk.send("@a4|f1|c1|S1|d0|T3|k1|u\"second\"#"));
        assertThat(fold.bytes()).isEqualTo(200 + "task/1/status".length() + "second".length() + "1".length());
        fold.accept(talk.sendAny("@a3|f0|c1|S0|d1|T2|k1|u\"rejected\"#"));
        assertThat(fold.bytes()).isEqualTo(200 + "task/1/status".length() + "second".length() + "1".length());
    }

    @Test
    void aRemovedEntryAndAnUnknownSenderWeighNothing() {
        ConversationRecorder talk = ConversationRecorder.subit();
        Fold fold = new Fold(SubitChanges.MODEL);
        fold.accept(talk.send("{\"type\":\"STATE\",\"payload\":\"000001\"}"));
        long unknown = 200 + "agent/-".length() + "1".length();
        assertThat(fold.bytes()).isEqualTo(unknown);
        fold.accept(talk.send(subit("STATE", "111111", "Ann")));
        assertThat(fold.bytes()).isEqualTo(unknown + 200 + "agent/Ann".length() + "63".length() + "Ann".length());
        fold.accept(talk.send(subit("ERROR", "000000", "Ann")));
        assertThat(fold.bytes()).isEqualTo(unknown);
        fold.accept(talk.send(subit("ERROR", "000000", "Ann")));
        assertThat(fold.bytes()).isEqualTo(unknown);
    }

    @Test
    void anOpenOfferWeighsWithTheEntries() {
        ConversationRecorder talk = ConversationRecorder.lambda();
        Fold fold = new Fold(LambdaChanges.model(DialogueSettings.DEFAULT));
        fold.accept(talk.as("Ann").send(">Ig/U[da]"));
        long offer = "agreement/#0".length() + ">Ig/U[da]".length();
        assertThat(fold.bytes()).isEqualTo("Ann".length() + offer);
        fold.accept(talk.as("Bo").send("<+"));
        assertThat(fold.bytes()).isEqualTo(200 + offer + "Bo".length());
        fold.accept(talk.as("Bo").send(">Ig"));
        assertThat(fold.bytes())
                .isEqualTo(200 + offer + "Bo".length() + "Bo".length() + "agreement/#2".length() + ">Ig".length());
    }

    @Test
    void aModelWithoutDefinitionsHasNoneForGlosses() {
        assertThat(SlipChanges.MODEL.definitions().apply(Map.of())).isSameAs(Definitions.NONE);
    }

    private static String subit(String type, String payload, String agent) {
        return "{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\",\"meta\":{\"agent\":\"" + agent + "\"}}";
    }

    private static List<String> state(StateModel.Folded model, ConversationRecorder talk) {
        Fold fold = new Fold(model);
        talk.records.forEach(fold::accept);
        List<String> lines = new ArrayList<>();
        new TreeMap<>(fold.entries())
                .forEach((name, entry) -> lines.add(name + "=" + entry.value() + " by " + sequence(entry)));
        return lines;
    }

    private static long sequence(StateEntry entry) {
        return entry.by() instanceof ChangeOrigin.Message message ? message.sequence() : -1;
    }
}
