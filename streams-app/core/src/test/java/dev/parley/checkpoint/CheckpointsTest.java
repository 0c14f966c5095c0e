package dev.parley.checkpoint;

import static dev.parley.testing.CspDraft.patch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspIntent;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.checkpoint.PatchOutcome.Applied;
import dev.parley.checkpoint.PatchOutcome.Duplicate;
import dev.parley.checkpoint.PatchOutcome.Parked;
import dev.parley.checkpoint.PatchOutcome.Rejected;
import dev.parley.codec.Code;
import dev.parley.testing.CspDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointsTest {
    private static final long HOUR = 3_600_000L;

    private final MemoryStore<Checkpoint> nodes = new MemoryStore<>();
    private final MemoryStore<String> index = new MemoryStore<>();
    private final MemoryStore<ParkedPatch> lot = new MemoryStore<>();
    private Checkpoints checkpoints = with(CheckpointSettings.DEFAULT);

    // docs/protocols.md 3.3b, row by row. Each patch meets the same history (see below) and shows its own row and one
    // or more
    // later ones as well,
    // so that it also shows that the rows are tested in this order.
    @ParameterizedTest(name = "{0}: {1} on {2} → {3} with {4} is {5} {6}")
    @CsvSource(textBlock = """
            name twice before self-apply,     P9, C1, C1, '+A=1 +A=2',  NAME_TWICE,    CSP_PATCH_NAME_TWICE
            self-apply before conflict,       P9, C1, C1, '+A=1',       SELF_APPLY,    CSP_SELF_APPLY
            self-apply of an unknown base,    P9, C9, C9, '+A=1',       SELF_APPLY,    CSP_SELF_APPLY
            the same,                         P1, C0, C1, '+A=1 +B=2',  DUPLICATE,     CSP_DUPLICATE
            the same by another id,           P9, C0, C1, '+A=1 +B=2',  DUPLICATE,     CSP_DUPLICATE
            target exists with other ops,     P1, C0, C1, '+A=1',       CONFLICT,      CSP_CHECKPOINT_CONFLICT
            target exists on another base,    P1, C2, C1, '+A=1 +B=2',  CONFLICT,      CSP_CHECKPOINT_CONFLICT
            conflict before an unknown base,  P9, C9, C1, '+A=1',       CONFLICT,      CSP_CHECKPOINT_CONFLICT
            the root is frozen,               P9, C1, C0, '-A',         CONFLICT,      CSP_CHECKPOINT_CONFLICT
            id reused for another target,     P1, C0, C7, '+A=1 +B=2',  ID_REUSED,     CSP_PATCH_ID_REUSED
            id reused before unknown base,    P1, C9, C7, '+A=1',       ID_REUSED,     CSP_PATCH_ID_REUSED
            id reused before a mismatch,        P2, C2, C7, '-X',         ID_REUSED,     CSP_PATCH_ID_REUSED
            unknown base,                     P9, C9, C7, '-X',         PARKED,        ''
            added but there,                  P9, C2, C7, '+C=1 +A=1',  MISMATCH,        CSP_ADD_EXISTS
            changed but missing,              P9, C2, C7, '+D=1 ~X=1',  MISMATCH,        CSP_CHANGE_MISSING
            removed but missing,              P9, C2, C7, '-A -X',      MISMATCH,        CSP_REMOVE_MISSING
            the first mismatch counts,          P9, C2, C7, '-X ~Y=1',    MISMATCH,        CSP_REMOVE_MISSING
            mismatch before a fork,             P9, C1, C7, '+A=1',       MISMATCH,        CSP_ADD_EXISTS
            a fork,                           P9, C1, C7, '+D=1',       FORK,          CSP_FORK
            a fork of the root,               P9, C0, C7, '+D=1',       FORK,          CSP_FORK
            otherwise,                        P9, C2, C7, '+D=1',       APPLIED,       ''
            an empty patch,                   P9, C2, C7, '',           APPLIED,       ''
            a fork and a rewrite,             P9, C1, C7, '-A -B +Z=1', FORK,          CSP_FORK CSP_FULL_REWRITE
            a rewrite,                        P9, C2, C7, '-A -C +Z=1', APPLIED,       CSP_FULL_REWRITE
            all removed and nothing added,    P9, C2, C7, '-A -C',      APPLIED,       ''
            all but one removed,              P9, C2, C7, '-A +Z=1',    APPLIED,       ''
            """)
    void theCheckpointMachineIsThePages(
            String about, String id, String base, String target, String operations, PatchRule rule, String codes) {
        history();
        String before = contents();
        PatchOutcome outcome = apply(patch(id, base, target, operations).build());
        assertThat(outcome.rule()).isEqualTo(rule);
        assertThat(codesOf(outcome)).isEqualTo(codes);
        boolean applied = outcome instanceof Applied;
        assertThat(applied).isEqualTo(rule == PatchRule.APPLIED || rule == PatchRule.FORK);
        if (!applied && !(outcome instanceof Parked)) {
            assertThat(contents()).isEqualTo(before);
        }
        if (!applied && !target.equals("C0") && !target.equals("C1")) {
            assertThat(checkpoints.reader().exists(key(target))).isFalse();
        }
    }

    /** C0 → P1 → C1 = {A, B}, C1 → P2 → C2 = {A, C}. */
    private void history() {
        assertThat(apply(patch("P1", "C0", "C1", "+A=1 +B=2").build())).isInstanceOf(Applied.class);
        assertThat(apply(patch("P2", "C1", "C2", "~A=9 -B +C=").build())).isInstanceOf(Applied.class);
    }

    @Test
    void aPatchMakesTheStateThatItsOperationsLeadTo() {
        history();
        assertThat(state("C0")).isEmpty();
        assertThat(state("C1")).containsExactly(Map.entry("A", "1"), Map.entry("B", "2"));
        assertThat(state("C2")).containsExactly(Map.entry("A", "9"), Map.entry("C", ""));
        assertThat(checkpoints.reader().state(key("C3"))).isEmpty();
        assertThat(checkpoints.reader().value(key("C2"), "A")).contains("9");
        assertThat(checkpoints.reader().value(key("C2"), "B")).isEmpty();
        assertThat(checkpoints.reader().names(key("C2")).test("C")).isTrue();
        assertThat(checkpoints.reader().names(key("C9")).test("C")).isFalse();
    }

    @Test
    void aCheckpointTellsHowItWasMade() {
        history();
        AgentMessage message = patch("P3", "C1", "C3", "-B").from("CODER").build();
        Checkpoint made = ((Applied) apply(message)).checkpoint();
        assertThat(made.getParent()).isEqualTo("C1");
        assertThat(made.getPatch()).isEqualTo("P3");
        assertThat(made.getPatchHash()).isEqualTo(message.getSha256());
        assertThat(made.getSender()).isEqualTo("CODER");
        assertThat(made.getSource()).isEqualTo(message.getSource());
        assertThat(made.getOperations()).isEqualTo(message.getCsp().getOperations());
        assertThat(made.getOrdinal()).isEqualTo(3);
        assertThat(made.getDepth()).isEqualTo(2);
        assertThat(made.getStateBytes()).isEqualTo(2);
        assertThat(made.getHash().remaining()).isEqualTo(32);
        Checkpoint root = checkpoints.reader().checkpoint(key("C0")).orElseThrow();
        assertThat(root.getParent()).isNull();
        assertThat(root.getOrdinal()).isZero();
        assertThat(root.getSnapshot()).isEmpty();
        assertThat(root.getSetters()).isEmpty();
        assertThat(root.getNamespace()).isEqualTo("default");
        assertThat(root.getContext()).isEqualTo("ctx");
        assertThat(root.getPatchHash().remaining()).isZero();
        assertThat(root.getOperations()).isEmpty();
        Checkpoint first = checkpoints.reader().checkpoint(key("C1")).orElseThrow();
        assertThat(first.getHash()).isEqualTo(PatchOperations.hash(root.getHash(), "C1", "P1", first.getOperations()));
    }

    @ParameterizedTest
    @EnumSource
    void onlyACspMessageWithTheIntentPatchIsAPatch(CspIntent intent) {
        AgentMessage message = new CspDraft(intent).build();
        assertThat(Checkpoints.isPatch(message)).isEqualTo(intent == CspIntent.PATCH);
        message.setCsp(null);
        assertThat(Checkpoints.isPatch(message)).isFalse();
    }

    @Test
    void thePatchOnTheLatestCheckpointReadsNone() {
        CountingStore<Checkpoint> counted = new CountingStore<>();
        checkpoints = new Checkpoints(counted, index, lot, CheckpointSettings.DEFAULT);
        apply(patch("P1", "C0", "C1", "+A=" + "a".repeat(100)).build());
        apply(patch("P2", "C1", "C2", "~A=1 +B=" + "b".repeat(100)).build());
        assertThat(apply(patch("P3", "C2", "C3", "~A=2").build())).isInstanceOf(Applied.class);
        assertThat(counted.reads).isZero();
    }

    @Test
    void theHashTellsParentsIdsPatchesAndOperationsApart() {
        List<AgentMessage> patches = List.of(
                patch("P1", "C0", "C1", "+A=1").build(),
                patch("P2", "C0", "C2", "+A=1").build(),
                patch("P3", "C1", "C3", "+AB=").build(),
                patch("P4", "C1", "C4", "+B=A").build(),
                patch("P5", "C2", "C5", "+AB=").build(),
                patch("P6", "C1", "C6", "~A=").build(),
                patch("P7", "C1", "C7", "-A").build());
        assertThat(patches.stream().map(p -> ((Applied) apply(p)).checkpoint().getHash()))
                .doesNotHaveDuplicates();
    }

    @Test
    void onlyAppliedPatchesClaimTheirId() {
        history();
        apply(patch("P3", "C2", "C3", "-X").build());
        assertThat(apply(patch("P3", "C9", "C4", "").build())).isInstanceOf(Parked.class);
        assertThat(apply(patch("P3", "C2", "C3", "-A").build())).isInstanceOf(Applied.class);
        assertThat(apply(patch("P3", "C2", "C3", "-A").build())).isInstanceOf(Duplicate.class);
        assertThat(apply(patch("P3", "C2", "C5", "-A").build()).rule()).isEqualTo(PatchRule.ID_REUSED);
    }

    @Test
    void idsAreOpaqueAndCaseSensitive() {
        history();
        assertThat(apply(patch("P01", "C2", "c2", "").build())).isInstanceOf(Applied.class);
        assertThat(apply(patch("p1", "c2", "Zweig|%7C 3", "+Q=1").build())).isInstanceOf(Applied.class);
        assertThat(apply(patch("P|%", "Zweig|%7C 3", "Zweig||", "").build())).isInstanceOf(Applied.class);
        assertThat(state("Zweig|%7C 3")).containsEntry("Q", "1");
        assertThat(state("Zweig||")).containsEntry("Q", "1");
        assertThat(checkpoints.reader().exists(key("Zweig|"))).isFalse();
    }

    @Test
    void namespacesAndContextsDoNotSeeEachOther() {
        assertThat(apply(patch("P1", "C0", "C1", "+A=1").in("n|a", "b").build()).rule())
                .isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P1", "C0", "C1", "+A=2").in("n", "a|b").build()).rule())
                .isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P1", "C0", "C1", "+A=3").in("n%7Ca", "b").build())
                        .rule())
                .isEqualTo(PatchRule.APPLIED);
        assertThat(checkpoints.reader().value(new CheckpointKey("n|a", "b", "C1"), "A"))
                .contains("1");
        assertThat(checkpoints.reader().value(new CheckpointKey("n", "a|b", "C1"), "A"))
                .contains("2");
        assertThat(checkpoints.reader().exists(key("C1"))).isFalse();
    }

    @Test
    void underThePolicyRejectAForkIsAViolationAndLeavesNoTrace() {
        checkpoints = with(TestCheckpointSettings.of(Branching.REJECT, 100, HOUR, 8L << 20, 1 << 20));
        history();
        String before = contents();
        PatchOutcome outcome = apply(patch("P9", "C1", "C7", "-A -B +Z=1").build());
        assertThat(outcome).isInstanceOfSatisfying(Rejected.class, rejected -> {
            assertThat(rejected.code()).isEqualTo(Code.CSP_FORK);
            assertThat(rejected.warnings()).containsExactly(Code.CSP_FULL_REWRITE);
            assertThat(rejected.rule()).isEqualTo(PatchRule.FORK_REJECTED);
        });
        assertThat(contents()).isEqualTo(before);
        assertThat(apply(patch("P9", "C1", "C7", "+A=1").build()).rule()).isEqualTo(PatchRule.MISMATCH);
        assertThat(apply(patch("P9", "C2", "C7", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
    }

    @Test
    void aRejectedForkNamesItsBase() {
        history();
        assertThat(apply(patch("P3", "C1", "C3", "").build()).rule()).isEqualTo(PatchRule.FORK);
        checkpoints = with(TestCheckpointSettings.of(Branching.REJECT, 100, HOUR, 8L << 20, 1 << 20));
        assertThat(apply(patch("P4", "C1", "C4", "").build()))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.detail())
                                .isEqualTo("base C1 has a child already, and forks are rejected"));
    }

    @Test
    void theFirstPatchOnEachBranchHeadIsNoFork() {
        assertThat(apply(patch("P1", "C0", "A1", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P2", "C0", "B1", "").build()).rule()).isEqualTo(PatchRule.FORK);
        assertThat(apply(patch("P3", "A1", "A2", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
        checkpoints = with(CheckpointSettings.DEFAULT);
        assertThat(apply(patch("P4", "B1", "B2", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P5", "B1", "B3", "").build()).rule()).isEqualTo(PatchRule.FORK);
        assertThat(apply(patch("P6", "A1", "A3", "").build()).rule()).isEqualTo(PatchRule.FORK);
        assertThat(apply(patch("P7", "A2", "A4", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P8", "B3", "B4", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P9", "A3", "A5", "").build()).rule()).isEqualTo(PatchRule.APPLIED);
        assertThat(apply(patch("P10", "C0", "D1", "").build()).rule()).isEqualTo(PatchRule.FORK);
    }

    @Test
    void aPatchOnTheLastCheckpointAddsOneEntryToTheIndex() {
        history();
        int before = entries();
        apply(patch("P3", "C2", "C3", "").build());
        assertThat(entries()).isEqualTo(before + 1);
    }

    private int entries() {
        List<String> keys = new ArrayList<>();
        index.scan("", (key, value) -> keys.add(key));
        return keys.size();
    }

    @Test
    void aConflictTellsWhoMadeTheCheckpoint() {
        history();
        assertThat(((Rejected) apply(patch("P9", "C1", "C0", "").build())).detail())
                .startsWith("C0 exists and is the root of its context;");
        assertThat(((Rejected) apply(patch("P9", "C1", "C2", "").build())).detail())
                .startsWith("C2 exists and was made by another patch, the record wire-0@0;");
    }

    @Test
    void aNameThatStandsTwiceIsTold() {
        assertThat(((Rejected) apply(patch("P9", "C0", "C1", "+A=1 +BB=2 +BB=3").build())).detail())
                .isEqualTo("'BB' appears in two operations of patch P9");
    }

    @Test
    void whenTheStoresHaveGoneBackNothingIsLeftInMemory() {
        apply(patch("P1", "C0", "C1", "+A=1").build());
        assertThat(release(key("C1"))).isEmpty();
        for (MemoryStore<?> store : List.of(nodes, index)) {
            List<String> keys = new ArrayList<>();
            store.scan("", (key, value) -> keys.add(key));
            keys.forEach(store::delete);
        }
        checkpoints = with(CheckpointSettings.DEFAULT);
        with(CheckpointSettings.DEFAULT).apply(patch("P4", "C1", "C4", "").build(), 0, Inbound::new);
        assertThat(checkpoints.reader().exists(key("C1"))).isFalse();
        assertThat(apply(patch("P1", "C0", "C1", "+A=2").build()).rule()).isEqualTo(PatchRule.APPLIED);
        assertThat(release(key("C1"))).hasSize(1);
    }

    @Test
    void aStateMayHaveAsManyBytesAsTheLimitAndNotOneMore() {
        checkpoints = with(TestCheckpointSettings.of(Branching.WARN, 100, HOUR, 10, 1 << 20));
        assertThat(apply(patch("P1", "C0", "C1", "+AB=12345678").build()).rule())
                .isEqualTo(PatchRule.APPLIED);
        String before = contents();
        assertThat(apply(patch("P2", "C1", "C2", "~AB=123456789").build()))
                .isInstanceOfSatisfying(Rejected.class, rejected -> {
                    assertThat(rejected.code()).isEqualTo(Code.CSP_STATE_TOO_LARGE);
                    assertThat(rejected.detail()).contains("11 bytes").contains("limit is 10");
                    assertThat(rejected.rule()).isEqualTo(PatchRule.STATE_TOO_LARGE);
                });
        assertThat(contents()).isEqualTo(before);
        assertThat(apply(patch("P2", "C1", "C2", "-AB +CD=12345678").build()).rule())
                .isEqualTo(PatchRule.APPLIED);
    }

    @Test
    void aParkedPatchIsReleasedWithItsInputRecord() {
        AgentMessage waiting = patch("P2", "C1", "C2", "+B=1").build();
        assertThat(apply(waiting)).isInstanceOf(Parked.class);
        Checkpoint made = ((Applied) apply(patch("P1", "C0", "C1", "+A=1").build())).checkpoint();
        List<ParkedPatch> free = release(key(made.getId()));
        assertThat(free).singleElement().satisfies(patch -> {
            assertThat(patch.getInbound().getValue()).isEqualTo(waiting.getRaw());
            assertThat(patch.getPatchHash()).isEqualTo(waiting.getSha256());
            assertThat(patch.getBase()).isEqualTo("C1");
            assertThat(patch.getArrival()).isZero();
            assertThat(Checkpoints.bytes(patch)).isEqualTo(waiting.getRaw().remaining());
        });
        assertThat(release(key("C1"))).isEmpty();
        assertThat(timeOut(Long.MAX_VALUE / 2)).isEmpty();
        assertThat(contents()).doesNotContain("parked").doesNotContain("hash|").doesNotContain("due|");
    }

    @Test
    void theSameBytesAsAParkedPatchAreADuplicateAsLongAsItWaits() {
        AgentMessage waiting = patch("P2", "C1", "C2", "+B=1").build();
        apply(waiting);
        assertThat(apply(waiting)).isEqualTo(new Duplicate(PatchRule.PARKED_ALREADY));
        assertThat(apply(waiting).warnings()).containsExactly(Code.CSP_DUPLICATE);
        assertThat(apply(patch("P2", "C1", "C2", "+B=2").build())).isInstanceOf(Parked.class);
        assertThat(timeOut(HOUR)).hasSize(2);
        assertThat(apply(waiting)).isInstanceOf(Parked.class);
    }

    @Test
    void aSimilarCheckpointIsNamedWhereABaseIsUnknown() {
        apply(patch("P1", "C0", "`C1`", "+A=1").build());
        assertThat(checkpoints.similar(key("C1"))).isEqualTo("; the similar '`C1`' exists");
        assertThat(checkpoints.similar(key("c1."))).isEmpty();
        apply(patch("P2", "C0", "C2", "+A=1").build());
        for (String base : new String[] {"c2", "C2;", "“C2”", "(C2)"}) {
            assertThat(checkpoints.similar(key(base))).as(base).isEqualTo("; the similar 'C2' exists");
        }
        assertThat(checkpoints.similar(key("C3"))).isEmpty();
        assertThat(checkpoints.similar(key("."))).isEmpty();

        checkpoints = with(TestCheckpointSettings.of(Branching.WARN, 1, HOUR, 8L << 20, 1 << 20));
        apply(patch("P3", "C2;", "C3", "").build());
        assertThat(apply(patch("P4", "C2;", "C4", "").build())).isInstanceOfSatisfying(Rejected.class, rejected -> {
            assertThat(rejected.detail()).endsWith("csp.parking.max is reached; the similar 'C2' exists");
        });
    }

    @Test
    void atTheLimitAPatchIsRejectedAtOnceForThisBaseAlone() {
        checkpoints = with(TestCheckpointSettings.of(Branching.WARN, 2, HOUR, 8L << 20, 1 << 20));
        AgentMessage first = patch("P2", "C1", "C2", "").build();
        assertThat(apply(first)).isInstanceOf(Parked.class);
        assertThat(apply(patch("P3", "C1", "C3", "").build())).isInstanceOf(Parked.class);
        assertThat(apply(patch("P4", "C1", "C4", "").build())).isInstanceOfSatisfying(Rejected.class, rejected -> {
            assertThat(rejected.code()).isEqualTo(Code.CSP_UNKNOWN_BASE);
            assertThat(rejected.detail())
                    .isEqualTo("base C1 is unknown, and the patch cannot be parked: csp.parking.max is reached");
        });
        assertThat(apply(first)).isInstanceOf(Duplicate.class);
        assertThat(apply(patch("P5", "C11", "C12", "").build())).isInstanceOf(Parked.class);
        assertThat(apply(patch("P2", "C1", "C2", "").in("default", "other").build()))
                .isInstanceOf(Parked.class);
    }

    @Test
    void aPatchWaitsUntilItsTimeIsOver() {
        apply(patch("P2", "C1", "C2", "").build(), 5_000);
        apply(patch("P3", "C3", "C4", "").build(), 4_000);
        apply(patch("P4", "C1", "C5", "").build(), 9_000);
        assertThat(timeOut(HOUR + 3_999)).isEmpty();
        assertThat(timeOut(HOUR + 8_999))
                .extracting(ParkedPatch::getBase, ParkedPatch::getParkedAt)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("C3", 4_000L),
                        org.assertj.core.groups.Tuple.tuple("C1", 5_000L));
        assertThat(release(key("C1")))
                .singleElement()
                .satisfies(patch -> assertThat(patch.getArrival()).isEqualTo(1));
        assertThat(timeOut(Long.MAX_VALUE / 2)).isEmpty();
    }

    @Test
    void theCascadeFollowsEachReleaseToItsEndBeforeTheNext() {
        // 2 and 5 wait for C1, in this order; 3 and 4 for C2; 6 for C5; 7 for nothing that comes.
        List<String> order = new ArrayList<>();
        for (AgentMessage message : List.of(
                patch("P6", "C5", "C6", "").build(),
                patch("P3", "C2", "C3", "").build(),
                patch("P2", "C1", "C2", "+B=1").build(),
                patch("P5", "C1", "C5", "").build(),
                patch("P4", "C2", "C4", "-X").build(),
                patch("P8", "C4", "C8", "").build())) {
            assertThat(apply(message)).isInstanceOf(Parked.class);
            pending.put(message.getSha256(), message);
        }
        ReleasedPatchQueue queue = new ReleasedPatchQueue(checkpoints);
        queue.add(((Applied) apply(patch("P1", "C0", "C1", "+A=1").build())).checkpoint());
        for (Optional<ParkedPatch> next = queue.next(); next.isPresent(); next = queue.next()) {
            AgentMessage message = pending.get(next.get().getPatchHash());
            PatchOutcome outcome = apply(message);
            order.add(message.getCsp().getId() + " " + outcome.rule().name());
            if (outcome instanceof Applied applied) {
                queue.add(applied.checkpoint());
            }
        }
        assertThat(order).containsExactly("P2 APPLIED", "P3 APPLIED", "P4 MISMATCH", "P5 FORK", "P6 APPLIED");
        assertThat(timeOut(HOUR)).extracting(ParkedPatch::getBase).containsExactly("C4");
    }

    private final Map<java.nio.ByteBuffer, AgentMessage> pending = new java.util.HashMap<>();

    @Test
    void withoutItsMemoryTheMachineGoesOnWhereItsStoresStand() {
        history();
        apply(patch("P8", "C7", "C8", "").build(), 1);
        checkpoints = with(CheckpointSettings.DEFAULT);
        assertThat(state("C2")).containsKeys("A", "C");
        assertThat(apply(patch("P9", "C1", "C6", "").build()).rule()).isEqualTo(PatchRule.FORK);
        Checkpoint made = ((Applied) apply(patch("P7", "C2", "C7", "").build())).checkpoint();
        assertThat(made.getOrdinal()).isEqualTo(4);
        assertThat(release(key("C7"))).hasSize(1);
    }

    @Test
    void aPatchIsNotChangedByBeingApplied() {
        history();
        AgentMessage message = patch("P9", "C2", "C7", "+D=1 ~A=2 -C").build();
        String before = message.toString();
        Applied applied = (Applied) apply(message);
        assertThat(message).hasToString(before);
        message.getCsp().setOperations(List.of());
        assertThat(applied.checkpoint().getOperations()).hasSize(3);
    }

    private Checkpoints with(CheckpointSettings settings) {
        return new Checkpoints(nodes, index, lot, settings);
    }

    private PatchOutcome apply(AgentMessage message) {
        return apply(message, 0);
    }

    private PatchOutcome apply(AgentMessage message, long now) {
        return checkpoints.apply(
                message, now, () -> new Inbound(message.getSource(), null, message.getRaw(), List.of(), null, null));
    }

    private Map<String, String> state(String id) {
        return checkpoints.reader().state(key(id)).orElseThrow();
    }

    private static CheckpointKey key(String id) {
        return new CheckpointKey("default", "ctx", id);
    }

    private static String codesOf(PatchOutcome outcome) {
        List<Code> codes = new ArrayList<>();
        if (outcome instanceof Rejected rejected) {
            assertThat(rejected.detail()).isNotBlank();
            codes.add(rejected.code());
        }
        codes.addAll(outcome.warnings());
        return String.join(" ", codes.stream().map(Code::name).toList());
    }

    private String contents() {
        StringBuilder text = new StringBuilder();
        nodes.scan(
                "", (key, value) -> text.append(key).append(value).append('\n').length() > 0);
        index.scan(
                "", (key, value) -> text.append(key).append(value).append('\n').length() > 0);
        lot.scan("", (key, value) -> text.append(key).append(value).append('\n').length() > 0);
        return text.toString();
    }

    private List<ParkedPatch> release(CheckpointKey base) {
        List<ParkedPatch> taken = new ArrayList<>();
        for (var patch = checkpoints.parking().poll(base);
                patch.isPresent();
                patch = checkpoints.parking().poll(base)) {
            taken.add(patch.get());
        }
        checkpoints.save();
        return taken;
    }

    private List<ParkedPatch> timeOut(long now) {
        List<ParkedPatch> taken = checkpoints.due(now, 100).stream()
                .map(checkpoints::expire)
                .flatMap(Optional::stream)
                .toList();
        checkpoints.save();
        return taken;
    }
}
