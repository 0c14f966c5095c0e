package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.protocol.Protocols;
import java.util.ArrayList;
import java.util.List;
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
                .satisfies(csp -> assertThat(csp.state()).isInstanceOf(StateModel.Checkpoints.class));
        assertThat(Protocols.STANDARD.named("UNKNOWN")).isEmpty();
    }

    @Test
    void aSlipBoardHasTheLatestOfEachSlot() {
        Talk talk = Talk.slip();
        talk.say("@a3|f0|c1|S0|d1|T1|g7|k1|p2|q2|t\"build\"#");
        talk.say("@a4|f1|c1|S1|d0|T2|k1|q1#");
        talk.say("@a1|f2|c1|S1|d0|T3|k1|r9|u\"done\"#");
        talk.say("@a8|f3|c1|S3|d0|T4|k1|s8#");
        talk.say("@a0|f2|c1|S3|d0|T5|g7|u\"idle\"#");

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
        Talk talk = Talk.slip();
        talk.say("@a9|f0|c1|S0|d1|T1|k1|e5#");
        assertThat(state(SlipChanges.MODEL, talk)).containsExactly("task/1/error=5 by 0");
    }

    @Test
    void whoAsksOrSpeaksAboutTheProtocolSaysNothingAboutATask() {
        Talk talk = Talk.slip();
        talk.say("@a2|f0|c1|S0|d1|T1|k1|u\"done\"#");
        talk.say("@aA|f4|c1|S0|d1|T2|k1|u\"done\"#");
        assertThat(state(SlipChanges.MODEL, talk)).isEmpty();
    }

    @Test
    void whatIsRejectedFlaggedDuplicateOrGoneMovesNothing() {
        Talk talk = Talk.slip();
        AuditRecord first = talk.say("@a3|f0|c1|S0|d1|T1|k1|q1#");
        AuditRecord again = talk.say("@a3|f0|c1|S0|d1|T1|k1|q1#");
        AuditRecord illegal = talk.utter("@a3|f0|c1|S0|d1|T2|k1|q2#");
        assertThat(illegal.getVerdict()).isEqualTo(Verdict.REJECTED);
        assertThat(Fold.counts(first)).isTrue();
        assertThat(Fold.counts(again)).isFalse();
        assertThat(Fold.counts(illegal)).isFalse();
        illegal.setVerdict(Verdict.FLAGGED);
        assertThat(state(SlipChanges.MODEL, talk)).containsExactly("task/1/priority=1 by 0");

        first.setMessage(null);
        assertThat(state(SlipChanges.MODEL, talk)).isEmpty();
        again.setWarnings(List.of("CSP_DUPLICATE"));
        assertThat(Fold.counts(again)).isFalse();
    }

    @Test
    void aSubitStateSetsTheFormAnActionMovesItAndAnErrorClearsIt() {
        Talk talk = Talk.subit();
        talk.say(subit("STATE", "000110", "A"));
        talk.say(subit("STATE", "111111", "B"));
        talk.say(subit("INTENT", "000110110001", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/A=6 by 0", "agent/B=63 by 1");
        talk.say(subit("ACTION", "000110110001", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/A=49 by 3", "agent/B=63 by 1");
        talk.say(subit("TRACE", "000110000111", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/A=49 by 3", "agent/B=63 by 1");
        talk.say(subit("ERROR", "000000", "A"));
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/B=63 by 1");
    }

    @Test
    void whoNobodyKnowsHasAFormToo() {
        Talk talk = Talk.subit();
        talk.say("{\"type\":\"STATE\",\"payload\":\"000001\"}");
        talk.say("{\"type\":\"PLAN\",\"payload\":\"000001000010000011\"}");
        assertThat(state(SubitChanges.MODEL, talk)).containsExactly("agent/-=1 by 0");
    }

    @Test
    void whatWasNotThereIsNotTakenAway() {
        Talk talk = Talk.subit();
        Fold fold = new Fold(SubitChanges.MODEL);
        assertThat(fold.accept(talk.say(subit("ERROR", "000000", "A")))).isEmpty();
        assertThat(fold.accept(talk.say(subit("STATE", "000000", "A")))).containsExactly(Change.set("agent/A", "0"));
        assertThat(fold.accept(talk.say(subit("ERROR", "000000", "A")))).containsExactly(Change.clear("agent/A"));
    }

    @Test
    void aLambdaDefinitionHoldsUntilTheNextOfItsName() {
        Talk talk = Talk.lambda();
        talk.as("A").say("{def:ta=\"build\"}");
        talk.as("B").say("<ctx");
        talk.as("A").say("{def:ta=\"test\"}!ta");
        talk.as("A").say("{def:em=\"emergence\"}!em");
        assertThat(state(LambdaChanges.MODEL, talk))
                .containsExactly("definition/em=emergence by 3", "definition/ta=test by 2");
    }

    @Test
    void anOfferThatIsAgreedToIsInForce() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]<Uw/[ti]");
        assertThat(state(LambdaChanges.MODEL, talk)).isEmpty();
        talk.as("B").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/#0=>Ig/U[da]<Uw/[ti] by 1");
    }

    @Test
    void ofACounterOfferTheCounterIsInForce() {
        Talk talk = Talk.lambda();
        talk.as("A").say("@v0.6#id:one >Ig/U[da]<Uw/[ti]");
        talk.as("B").say("@v0.6#id:two <->Ig/U[da]<Uw/[re]");
        talk.as("A").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/two=<->Ig/U[da]<Uw/[re] by 2");
    }

    @Test
    void aBareAcknowledgementAcceptsAnOfferAsInTheFirstVersion() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("B").say("<");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/#0=>Ig/U[da] by 1");
    }

    @Test
    void whatIsRefusedOrClarifiedOrNoOfferIsNoAgreement() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("B").say("<-");
        talk.as("A").say("!Ik/co");
        talk.as("B").say("<+");
        talk.as("A").say("?Ik/co");
        talk.as("B").say("<+");
        talk.as("B").say("!Ik/co");
        talk.as("A").say("<");
        talk.as("A").say(">Ig/U[re]");
        talk.as("B").say("<?re");
        assertThat(state(LambdaChanges.MODEL, talk)).isEmpty();
    }

    @Test
    void anOfferThatHadToBeClarifiedIsAgreedToAfterwards() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("B").say("<?da");
        talk.as("B").say("<?da");
        talk.as("A").say("{def:da=\"data\"}");
        talk.as("B").say("<+");
        talk.as("B").say("!Ik");
        talk.as("A").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 4", "definition/da=data by 3");
    }

    @Test
    void aClarificationThatLeadsElsewhereIsNone() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("B").say("<?da");
        talk.as("A").say("{def:da=\"data\"}");
        talk.as("B").say("<ctx");
        talk.as("A").say("{ns:x}");
        talk.as("B").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("definition/da=data by 2");
    }

    @Test
    void anOfferThatIsClarifiedByASayingIsNoneAnyMore() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("B").say("<?da");
        talk.as("A").say("!Ik/da");
        talk.as("B").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).isEmpty();
    }

    @Test
    void theLatestOfferOfASpeakerIsTheOneAgreedTo() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("A").say(">Ig/U[re]");
        talk.as("B").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/#1=>Ig/U[re] by 2");
    }

    @Test
    void anOfferStandsUntilItIsAnsweredWhateverElseItsSpeakerSays() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da] !Ik/co");
        talk.as("A").say("!Ik/re");
        talk.as("B").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/#0=>Ig/U[da] by 2");
    }

    @Test
    void agreementsStandBesideEachOther() {
        Talk talk = Talk.lambda();
        talk.as("A").say(">Ig/U[da]");
        talk.as("B").say("<+");
        talk.as("B").say(">Ig/U[re]");
        talk.as("A").say("<+");
        assertThat(state(LambdaChanges.MODEL, talk))
                .containsExactly("agreement/#0=>Ig/U[da] by 1", "agreement/#2=>Ig/U[re] by 3");
    }

    @Test
    void whoNobodyKnowsCanAgreeToo() {
        Talk talk = Talk.lambda();
        talk.asNobody().say(">Ig/U[da]");
        talk.say("<+");
        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/#0=>Ig/U[da] by 1");
    }

    @Test
    void aConversationThatWasIdleBeginsAnew() {
        // C held the floor until the conversation had been idle; the machine alone, which knows no times, would not let
        // D speak.
        Talk talk = Talk.lambda();
        talk.as("C").say(">> !Ik");
        AuditRecord offer = talk.as("D").utter(">Ig/U[re]");
        AuditRecord agreed = talk.as("C").utter("<+");
        assertThat(offer.getCode()).isEqualTo("LAMBDA_FLOOR");
        offer.setVerdict(Verdict.ACCEPTED);
        agreed.setVerdict(Verdict.ACCEPTED);

        assertThat(state(LambdaChanges.MODEL, talk)).containsExactly("agreement/#1=>Ig/U[re] by 2");
    }

    @Test
    void whatTheMachineCannotFollowAtAllIsNoAgreement() {
        Talk talk = Talk.lambda();
        AuditRecord stray = talk.as("D").utter("<+");
        stray.setVerdict(Verdict.ACCEPTED);
        assertThat(state(LambdaChanges.MODEL, talk)).isEmpty();
    }

    private static String subit(String type, String payload, String agent) {
        return "{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\",\"meta\":{\"agent\":\"" + agent + "\"}}";
    }

    private static List<String> state(StateModel.Folded model, Talk talk) {
        Fold fold = new Fold(model);
        talk.records.forEach(fold::accept);
        List<String> lines = new ArrayList<>();
        new TreeMap<>(fold.entries())
                .forEach((name, entry) -> lines.add(name + "=" + entry.value() + " by " + sequence(entry)));
        return lines;
    }

    private static long sequence(StateEntry entry) {
        return entry.origin() instanceof ChangeOrigin.Message message ? message.sequence() : -1;
    }
}
