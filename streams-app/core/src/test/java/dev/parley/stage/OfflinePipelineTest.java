package dev.parley.stage;

import static dev.parley.stage.PipelineDriver.checkpoint;
import static dev.parley.stage.PipelineDriver.patch;
import static dev.parley.stage.PipelineDriver.patchAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.InboundHeader;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.checkpoint.TestCheckpointSettings;
import dev.parley.codec.Code;
import dev.parley.dialogue.DialogueSettings.Mode;
import dev.parley.dialogue.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stages together: what becomes of records, one after the other. */
class OfflinePipelineTest {
    private static final String TASK =
            "CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x\nIN SRC\nOUT y\nOWNER CODER\nPRIORITY P1";
    private static final String RESULT =
            "CSP/1\nFROM CODER\nTO MAIN\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED p\nDATA d";

    @Test
    void aLegalMessageIsAcceptedOnce() {
        List<JudgedRecord> out = PipelineDriver.enforcing().send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(out).hasSize(1);
        JudgedRecord judged = out.get(0);
        assertThat(judged.judgement().verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(judged.judgement().stage()).isEqualTo(Stage.NONE);
        assertThat(judged.judgement().code()).isNull();
        assertThat(judged.released()).isFalse();
        assertThat(judged.chain()).isEqualTo("default|CSP|ctx");
        assertThat(judged.checkpoints()).extracting(c -> c.getId()).containsExactly("C1");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anIllegalMessageMovesNothing(Mode mode) {
        PipelineDriver wires = new PipelineDriver(mode, CheckpointSettings.DEFAULT);
        JudgedRecord result = wires.send(RESULT).get(0);
        assertThat(result.judgement().verdict()).isEqualTo(mode == Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED);
        assertThat(result.judgement().code()).isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
        assertThat(failure(result).stage()).isEqualTo(Stage.JUDGE);
        assertThat(wires.send(TASK).get(0).judgement().verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(wires.send(RESULT).get(0).judgement().verdict()).isEqualTo(Verdict.ACCEPTED);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aPatchThatDoesNotFitMovesNothing(Mode mode) {
        PipelineDriver wires = new PipelineDriver(mode, CheckpointSettings.DEFAULT);
        JudgedRecord misfit =
                wires.send(patch("P1", "C0", "C1", "~ DEF A := 1")).get(0);
        assertThat(misfit.judgement().verdict()).isEqualTo(mode == Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED);
        assertThat(misfit.judgement().code()).isEqualTo(Code.CSP_CHANGE_MISSING);
        assertThat(failure(misfit).stage()).isEqualTo(Stage.APPLY);
        assertThat(failure(misfit).detail()).contains("A").contains("C0");
        assertThat(misfit.checkpoints()).isEmpty();
        assertThat(wires.checkpoints().exists(checkpoint("C1"))).isFalse();
    }

    @Test
    void aNameInAPatchIsShortAndOnOneLineInTheDetail() {
        String name = "A\u0007" + "x".repeat(100_000);
        PipelineDriver wires = PipelineDriver.enforcing();
        wires.send(patch("P1", "C0", "C1", "+ DEF " + name + " = 1"));
        assertThat(failure(wires.send(patch("P2", "C1", "C2", "+ DEF " + name + " = 1"))
                                .get(0))
                        .detail())
                .contains("'A\\u0007xx")
                .hasSizeLessThan(400);
        String id = "C" + "x".repeat(100_000);
        wires.send(patch("P" + id, "C1", id, "+ DEF B = 1"));
        for (String wire : List.of(
                patch("P3", "C0", id, "+ DEF D = 1"),
                patch("P" + id, "C1", "C9", "+ DEF D = 1"),
                patch("P4", id, "C8", "+ DEF B = 1"))) {
            assertThat(failure(wires.send(wire).get(0)).detail()).isNotBlank().hasSizeLessThan(800);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aPatchThatIsIllegalByItselfNeverReachesTheCheckpoints(Mode mode) {
        PipelineDriver wires = new PipelineDriver(mode, CheckpointSettings.DEFAULT);
        JudgedRecord twice = wires.send(patch("P1", "C0", "C1", "+ DEF A = 1", "+ DEF A = 2"))
                .get(0);
        assertThat(twice.judgement().verdict()).isEqualTo(mode == Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED);
        assertThat(twice.judgement().code()).isEqualTo(Code.CSP_PATCH_NAME_TWICE);
        assertThat(failure(twice).stage()).isEqualTo(Stage.APPLY);
        assertThat(wires.checkpoints().exists(checkpoint("C1"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aDecodeErrorIsUndecodableInBothModes(Mode mode) {
        JudgedRecord judged = new PipelineDriver(mode, CheckpointSettings.DEFAULT)
                .send("CSP/9\n")
                .get(0);
        assertThat(judged.judgement().verdict()).isEqualTo(Verdict.UNDECODABLE);
        assertThat(failure(judged).stage()).isEqualTo(Stage.DECODE);
        assertThat(judged.judgement().code()).isEqualTo(Code.CSP_VERSION);
        assertThat(judged.chain()).isEqualTo("|UNKNOWN|wire-0");
        assertThat(judged.judgement().rule()).isNull();
    }

    @Test
    void aPatchWhoseBaseIsUnknownWaitsWithoutCodeAndWarnings() {
        List<JudgedRecord> out = PipelineDriver.enforcing().send(patchAt("C9", "P2", "C1", "C2", "+ DEF B = 2"));
        assertThat(out).hasSize(1);
        JudgedRecord parked = out.get(0);
        assertThat(parked.isParked()).isTrue();
        assertThat(parked.released()).isFalse();
        assertThat(parked.judgement().verdict()).isEqualTo(Verdict.UNSPECIFIED);
        assertThat(parked.judgement().code()).isNull();
        assertThat(parked.judgement().warnings()).isEmpty();
        assertThat(parked.judgement().rule().getText()).contains("PARKED");
    }

    @Test
    void theBaseSetsFreeWhatWaitedForIt() {
        PipelineDriver wires = PipelineDriver.enforcing();
        wires.send(patch("P2", "C1", "C2", "+ DEF B = 2"));
        List<JudgedRecord> out = wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(out).extracting(JudgedRecord::released).containsExactly(false, true);
        assertThat(out).extracting(judged -> judged.judgement().verdict()).containsOnly(Verdict.ACCEPTED);
        assertThat(out)
                .extracting(judged -> judged.inbound().getSource().getOffset())
                .containsExactly(1L, 0L);
        assertThat(wires.checkpoints().state(checkpoint("C2")))
                .hasValueSatisfying(state -> assertThat(state).isEqualTo(Map.of("A", "1", "B", "2")));
    }

    @Test
    void theSamePatchParkedTwiceIsADuplicateAtOnceAndReleasedOnce() {
        PipelineDriver wires = PipelineDriver.enforcing();
        String waiting = patch("P2", "C1", "C2", "+ DEF B = 2");
        wires.send(waiting);
        JudgedRecord again = wires.send(waiting).get(0);
        assertThat(again.judgement().verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(again.judgement().warnings()).contains(Code.CSP_DUPLICATE);
        assertThat(again.released()).isFalse();
        assertThat(wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"))).hasSize(2);
    }

    @Test
    void aChainOfTwoThousandWaitingPatchesComesOutInOrderWithoutRecursion() throws InterruptedException {
        int length = 2_000;
        PipelineDriver wires = PipelineDriver.enforcing();
        for (int i = length; i >= 1; i--) {
            String wire = patch("P" + (i + 1), "C" + i, "C" + (i + 1), "+ DEF N" + i + " = " + i);
            assertThat(wires.at(0).send(wire)).singleElement().matches(JudgedRecord::isParked);
        }
        List<JudgedRecord> out = new ArrayList<>();
        Thread small = new Thread(
                null, () -> out.addAll(wires.send(patch("P1", "C0", "C1", "+ DEF N0 = 0"))), "small-stack", 256 * 1024);
        small.start();
        small.join();
        assertThat(out).hasSize(length + 1);
        for (int i = 0; i <= length; i++) {
            JudgedRecord judged = out.get(i);
            assertThat(judged.judgement().verdict()).isEqualTo(Verdict.ACCEPTED);
            assertThat(judged.checkpoints().get(judged.checkpoints().size() - 1).getId())
                    .isEqualTo("C" + (i + 1));
            assertThat(judged.judgement().next().dialogue())
                    .isEqualTo(out.get(0).judgement().next().dialogue());
        }
        assertThat(wires.checkpoints().state(checkpoint("C" + (length + 1))))
                .hasValueSatisfying(state -> assertThat(state).hasSize(length + 1));
    }

    @Test
    void aReleasedPatchIsJudgedByTheStateOfThatMoment() {
        PipelineDriver wires = PipelineDriver.enforcing();
        wires.send(patchAt("C7", "P2", "C1", "C2", "+ DEF B = 2"));
        wires.send(patchAt("C7", "P3", "C2", "C3", "+ DEF C = 3"));
        List<JudgedRecord> out = wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(out.get(1).judgement().warnings())
                .containsExactlyInAnyOrder(Code.CSP_CTX_BASE_MISMATCH, Code.CSP_UNKNOWN_CTX);
        PipelineDriver known = PipelineDriver.enforcing();
        known.send(patchAt("C7", "P2", "C1", "C2", "+ DEF B = 2"));
        known.send(patch("P7", "C0", "C7", "+ DEF Z = 1"));
        List<JudgedRecord> later = known.send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(later.get(1).judgement().warnings()).containsExactly(Code.CSP_CTX_BASE_MISMATCH);
    }

    @Test
    void aReleasedPatchThatDoesNotFitIsRejectedAndWhatWaitedForItWaitsOn() {
        PipelineDriver wires = PipelineDriver.enforcing();
        wires.send(patch("P3", "C2", "C3", "+ DEF C = 3"));
        wires.send(patch("P2", "C1", "C2", "+ DEF A = 2"));
        List<JudgedRecord> out = wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(out).hasSize(2);
        JudgedRecord rejected = out.get(1);
        assertThat(rejected.judgement().verdict()).isEqualTo(Verdict.REJECTED);
        assertThat(rejected.judgement().code()).isEqualTo(Code.CSP_ADD_EXISTS);
        assertThat(rejected.released()).isTrue();
        List<JudgedRecord> other = wires.send(patch("P2B", "C1", "C2", "+ DEF B = 2"));
        assertThat(other)
                .extracting(judged -> judged.judgement().verdict())
                .containsExactly(Verdict.ACCEPTED, Verdict.ACCEPTED);
        assertThat(wires.checkpoints().exists(checkpoint("C3"))).isTrue();
    }

    @Test
    void ofSeveralThatWaitForOneBaseTheFirstComesFirstAndTheOthersFork() {
        PipelineDriver wires = PipelineDriver.enforcing();
        wires.send(patch("PA", "C1", "CA", "+ DEF A2 = 1"));
        wires.send(patch("PB", "C1", "CB", "+ DEF B2 = 1"));
        wires.send(patch("PAA", "CA", "CAA", "+ DEF AA = 1"));
        List<JudgedRecord> out = wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(out)
                .extracting(judged -> judged.checkpoints()
                        .get(judged.checkpoints().size() - 1)
                        .getId())
                .containsExactly("C1", "CA", "CAA", "CB");
        assertThat(out.get(3).judgement().warnings()).contains(Code.CSP_FORK);
        assertThat(out.get(1).judgement().warnings()).doesNotContain(Code.CSP_FORK);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aForkIsIllegalWherePolicySaysSo(Mode mode) {
        PipelineDriver wires = new PipelineDriver(
                mode, TestCheckpointSettings.of(Branching.REJECT, 100, 3_600_000L, 8L << 20, 1L << 20));
        wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"));
        JudgedRecord fork = wires.send(patch("P2", "C0", "C2", "+ DEF A = 2")).get(0);
        assertThat(fork.judgement().verdict()).isEqualTo(mode == Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED);
        assertThat(fork.judgement().code()).isEqualTo(Code.CSP_FORK);
        assertThat(failure(fork).stage()).isEqualTo(Stage.APPLY);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aPatchThatWaitedTooLongIsRejectedByTheRecordThatComesAfterItsTime(Mode mode) {
        PipelineDriver wires =
                new PipelineDriver(mode, TestCheckpointSettings.of(Branching.WARN, 100, 10_000L, 8L << 20, 1L << 20));
        wires.at(1_000).send(patch("P2", "C1", "C2", "+ DEF B = 2"));
        assertThat(wires.at(10_999).send(TASK)).hasSize(1);
        List<JudgedRecord> out = wires.at(11_000).send(RESULT);
        assertThat(out).hasSize(2);
        JudgedRecord late = out.get(1);
        assertThat(late.judgement().verdict()).isEqualTo(mode == Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED);
        assertThat(late.judgement().code()).isEqualTo(Code.CSP_UNKNOWN_BASE);
        assertThat(failure(late).stage()).isEqualTo(Stage.APPLY);
        assertThat(late.released()).isTrue();
        assertThat(failure(late).detail()).contains("C1");
        assertThat(wires.at(12_000).send(patch("P1", "C0", "C1", "+ DEF A = 1")))
                .hasSize(1);
        assertThat(wires.checkpoints().exists(checkpoint("C2"))).isFalse();
    }

    @Test
    void beyondTheNumberThatMayWaitTheNextIsRejectedAtOnce() {
        PipelineDriver wires = new PipelineDriver(
                Mode.ENFORCE, TestCheckpointSettings.of(Branching.WARN, 1, 10_000L, 8L << 20, 1L << 20));
        assertThat(wires.send(patch("P2", "C1", "C2", "+ DEF B = 2")).get(0).isParked())
                .isTrue();
        JudgedRecord full = wires.send(patch("P3", "C1", "C3", "+ DEF B = 3")).get(0);
        assertThat(full.judgement().code()).isEqualTo(Code.CSP_UNKNOWN_BASE);
        assertThat(full.released()).isFalse();
    }

    @Test
    void aParkedPatchKeepsItsHeaders() {
        PipelineDriver wires = PipelineDriver.enforcing();
        List<InboundHeader> headers = List.of(
                PipelineDriver.header("parley-namespace", "plant"), PipelineDriver.header("traceparent", "00-ab"));
        wires.send(patch("P2", "C1", "C2", "+ DEF B = 2"), headers);
        assertThat(wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"))).hasSize(1);
        List<JudgedRecord> out = wires.send(patch("P1", "C0", "C1", "+ DEF A = 1"), headers);
        assertThat(out).hasSize(2);
        assertThat(out.get(1).chain()).isEqualTo("plant|CSP|ctx");
        assertThat(out.get(1).inbound().getHeaders()).isEqualTo(headers);
    }

    private static Judgement failure(JudgedRecord judged) {
        assertThat(judged.judgement().code()).isNotNull();
        return judged.judgement();
    }
}
