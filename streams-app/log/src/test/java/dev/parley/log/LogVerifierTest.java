package dev.parley.log;

import static dev.parley.log.FaultCode.CHAIN_CUT;
import static dev.parley.log.FaultCode.HEAD_MISMATCH;
import static dev.parley.log.FaultCode.HEAD_REPLAYED;
import static dev.parley.log.FaultCode.HEAD_SPLIT;
import static dev.parley.log.FaultCode.LOG_CUT;
import static dev.parley.log.FaultCode.LOG_GAP;
import static dev.parley.log.FaultCode.LOG_MISSING;
import static dev.parley.log.FaultCode.LOG_OMITTED;
import static dev.parley.log.FaultCode.LOG_REPEATED;
import static dev.parley.log.FaultCode.NOT_CONTINUED;
import static dev.parley.log.FaultCode.NOT_COVERED;
import static dev.parley.log.FaultCode.STATEMENT_MISSING;
import static dev.parley.log.FaultCode.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.audit.Links;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.OmittedRecords;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.WitnessPolicy;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that a verifier finds every change of the logs, and what it states as covered. */
class LogVerifierTest {
    private static final String ONE = "default|SLIP|1";
    private static final String TWO = "default|SLIP|2";
    private static final int LENGTH = 20;
    private static final long SEED = Long.getLong("parley.seed", 11_2026L);

    private final NoteSigner key = Trail.key();
    private final Trail trail = Trail.of(key, Map.of(ONE, 0, TWO, 0, "default|CSP|x", 1), LENGTH);
    private final List<AuditHead> notes = new ArrayList<>(trail.notes());
    private final List<OmittedRecords> omitted = new ArrayList<>();
    private final List<AuditHead> stored = new ArrayList<>();
    private final List<AuditHead> expired = new ArrayList<>();
    private final List<AuditHead> cosigned = new ArrayList<>();
    private final NoteSigner w1 = NoteSigner.cosigner("w1", KeyFiles.newPair());
    private final NoteSigner w2 = NoteSigner.cosigner("w2", KeyFiles.newPair());
    private WitnessPolicy policy = WitnessPolicy.NONE;
    private final List<AuditFault> notices = new ArrayList<>();
    private AuditTrailVerifier verifier;

    private List<AuditFault> verify(List<AuditRecord> records, boolean whole, Map<Integer, Long> uncoveredAllowed) {
        verifier = new AuditTrailVerifier(new LogNoteReader(policy, TrustedKey.present(List.of(key.verifierKey()))));
        List<AuditFault> faults = new ArrayList<>();
        stored.forEach(note -> faults.addAll(verifier.logs().stored(note, RecordLocation.inFile("stored", 1))));
        expired.forEach(note -> faults.addAll(verifier.logs().accept(note, RecordLocation.inFile("expired", 1))));
        long offset = 0;
        for (AuditHead note : cosigned) {
            faults.addAll(verifier.logs().cosigned(note, RecordLocation.of("cosigned-0", offset++)));
        }
        offset = 0;
        for (AuditHead note : notes) {
            faults.addAll(verifier.note(note, RecordLocation.of("heads-0", offset++)));
        }
        omitted.forEach(subtree -> faults.addAll(verifier.logs().omitted(subtree, RecordLocation.NONE)));
        offset = 0;
        for (AuditRecord link : records) {
            faults.addAll(
                    verifier.record(new RecordVerifier().check(link), RecordLocation.of("audit-0", offset++), false));
        }
        faults.addAll(verifier.finish(whole, uncoveredAllowed));
        notices.clear();
        faults.stream().filter(fault -> fault.code().isNotice()).forEach(notices::add);
        faults.removeAll(notices);
        return faults;
    }

    private List<FaultCode> codes(List<AuditRecord> records) {
        return verify(records, true, Map.of()).stream().map(AuditFault::code).toList();
    }

    /** The records of the trail without a range of log 0. */
    private List<AuditRecord> without(int from, int to) {
        return trail.records.stream()
                .filter(link -> link.getLog().getPartition() != 0
                        || link.getLog().getIndex() < from
                        || link.getLog().getIndex() >= to)
                .toList();
    }

    @Test
    void anIntactTrailIsCoveredToItsEnd() {
        assertThat(codes(trail.records)).isEmpty();
        assertThat(verifier.logs().partitions()).isEqualTo(2);
        assertThat(verifier.logs().coverage())
                .containsExactly(
                        new LogVerifier.Coverage(0, 40, 40, 0, 40, 40, true),
                        new LogVerifier.Coverage(1, 20, 20, 0, 20, 20, true));
        assertThat(verifier.logs().completeTo()).contains(Instant.ofEpochMilli(Trail.TIME));
    }

    @Test
    void recordsOfALogMayComeInAnyOrderThatKeepsChains() {
        List<AuditRecord> records = new ArrayList<>(trail.chain(TWO));
        records.addAll(trail.chain("default|CSP|x"));
        records.addAll(trail.chain(ONE));
        assertThat(codes(records)).isEmpty();
    }

    @Test
    void anyHeadsOfALogAreCompared() {
        for (int size = 0; size <= 2 * LENGTH; size++) {
            notes.add(1 + size, trail.head(0, size));
        }
        assertThat(codes(trail.records)).isEmpty();
    }

    /** Heads are published for ever, so their number must not decide the memory of a verifier. */
    @Test
    void ofTooManyHeadsSomeAreDroppedButNotTheLastOnes() {
        LogNoteReader reader = new LogNoteReader(List.of(key.verifierKey()));
        for (boolean changed : new boolean[] {false, true}) {
            LogVerifier logs = new LogVerifier(reader, 1 << 20, 8);
            List<AuditFault> faults = new ArrayList<>();
            for (AuditHead statement : List.of(notes.get(0), notes.get(2))) {
                logs.note(reader.read(statement, RecordLocation.NONE, faults), faults);
            }
            for (int size = 1; size <= 2 * LENGTH; size++) {
                logs.note(reader.read(trail.head(0, size), RecordLocation.NONE, faults), faults);
                // Three are never dropped.
                assertThat(logs.sizes()).isLessThanOrEqualTo(18);
            }
            if (changed) {
                trail.startAnotherHistory();
            }
            RecordVerifier alone = new RecordVerifier();
            trail.records.forEach(link -> faults.addAll(logs.record(alone.check(link), RecordLocation.NONE)));
            faults.addAll(logs.finish(true, Map.of()));
            assertThat(faults)
                    .extracting(AuditFault::code)
                    .containsExactlyElementsOf(changed ? List.of(HEAD_MISMATCH) : List.of());
            assertThat(logs.coverage().get(0).covered()).isEqualTo(changed ? 0 : 40);
        }
    }

    @Test
    void aChangedRecordIsFoundDespiteRecomputedHashes() {
        trail.log(0).get(9).setDetail("another");
        trail.reseal();
        assertThat(verify(trail.records, true, Map.of()))
                .extracting(AuditFault::code, fault -> fault.location().toString())
                .containsExactly(tuple(HEAD_MISMATCH, "heads-0@1"));
    }

    @Test
    void aMismatchNamesTheRecordsSinceTheLastMatchingHead() {
        notes.add(1, trail.head(0, 7));
        trail.log(0).get(9).setDetail("another");
        trail.reseal();
        assertThat(verify(trail.records, true, Map.of()))
                .extracting(AuditFault::detail)
                .singleElement()
                .asString()
                .contains("partition 0 from index 7 to 39");
        assertThat(verifier.logs().coverage().get(0).covered()).isEqualTo(7);
    }

    @Test
    void aRemovedRecordIsAGap() {
        assertThat(codes(without(9, 10))).containsExactly(FaultCode.RECORD_MISSING, LOG_GAP);
        assertThat(codes(without(38, 40))).containsExactly(LOG_CUT);
        assertThat(codes(without(0, 40))).containsExactly(LOG_CUT);
    }

    @Test
    void aCutLogWithItsHeadIsFoundByAStoredHead() {
        stored.add(trail.head(0, 36));
        rollBack(30);
        assertThat(codes(without(30, 40))).containsExactly(NOT_CONTINUED);
        stored.set(0, trail.head(0, 30));
        assertThat(codes(without(30, 40))).isEmpty();
    }

    /** Replaces statement and head by those of an earlier size of log 0. */
    private void rollBack(int size) {
        notes.set(0, trail.statement(key, 2, Map.of(0, size, 1, LENGTH)));
        notes.set(1, trail.head(0, size));
    }

    @Test
    void aCutLogWithItsHeadIsFoundByTheStatement() {
        for (int size : new int[] {0, 1, 30, 39}) {
            notes.set(1, trail.head(0, size));
            assertThat(verify(without(size, 40), true, Map.of()))
                    .as("size %d", size)
                    .singleElement()
                    .satisfies(fault -> {
                        assertThat(fault.code()).isEqualTo(LOG_CUT);
                        assertThat(fault.location()).hasToString("heads-0@0");
                        assertThat(fault.detail())
                                .isEqualTo("the log of partition 0 ends with " + size
                                        + " records and an older head, but the stated head of partition 0 at size 40:"
                                        + " later records were removed");
                    });
        }
    }

    @Test
    void logsThatAreAllCutToTheirFirstHeadsAreFound() {
        notes.set(1, trail.head(0, 0));
        notes.set(2, trail.head(1, 0));
        assertThat(codes(List.of())).containsExactly(LOG_CUT, LOG_CUT);
    }

    @Test
    void aLogNeedsAHeadThatReachesTheStatement() {
        notes.set(1, trail.head(0, 30));
        assertThat(codes(trail.records)).containsExactly(LOG_CUT);
    }

    @Test
    void aStatementMayBeOlderThanTheHeadsAndListNotAllLogs() {
        for (Map<Integer, Integer> listed :
                List.of(Map.<Integer, Integer>of(), Map.of(0, 1), Map.of(1, 20), Map.of(0, 39, 1, 3))) {
            notes.set(0, trail.statement(key, 2, listed));
            assertThat(codes(trail.records)).as("%s", listed).isEmpty();
        }
        // One that was replayed after a newer one weakens nothing.
        notes.add(trail.statement(2));
        notes.add(trail.statement(key, 2, Map.of(0, 30)));
        notes.set(1, trail.head(0, 30));
        assertThat(codes(without(30, 40))).containsExactly(LOG_CUT);
    }

    /** A log whose task stalls must not be called complete because others go on. */
    @Test
    void theTrailIsCompleteUpToTheSmallestTimeThatIsStated() {
        SortedMap<Integer, TreeHead> heads = new TreeMap<>(
                PartitionStatement.of(trail.statement(2)).orElseThrow().heads());
        heads.computeIfPresent(
                0, (log, head) -> LogNotes.timed(head.origin(), head.size(), head.root(), Trail.TIME + 500));
        notes.add(new LogNotes(Trail.ORIGIN, List.of(key)).statement(2, heads, Instant.ofEpochMilli(Trail.TIME)));
        assertThat(codes(trail.records)).isEmpty();
        assertThat(verifier.logs().completeTo()).contains(Instant.ofEpochMilli(Trail.TIME));
        notes.remove(notes.size() - 1);
        notes.set(0, trail.statement(key, 2, Map.of(0, 40)));
        assertThat(codes(trail.records)).isEmpty();
        assertThat(verifier.logs().completeTo())
                .as("a log that no statement lists")
                .isEmpty();
    }

    @Test
    void aReplayedStatementMakesTheTrailNoOlder() {
        notes.set(0, trail.statement(key, 2, Map.of(0, 40, 1, 20), Trail.TIME + 500));
        notes.add(trail.statement(2));
        assertThat(codes(trail.records)).isEmpty();
        assertThat(verifier.logs().completeTo()).contains(Instant.ofEpochMilli(Trail.TIME + 500));
    }

    /** An insider adds an old input again, or dates a record back. */
    @Test
    void timesThatGoBackByWeeksAreNotices() {
        long month = 31L * 86_400_000;
        trail.log(0)
                .forEach(link -> link.getSource()
                        .setTimestamp(Instant.ofEpochMilli(link.getLog().getIndex() == 7 ? 0 : month)));
        trail.reseal();
        notes.clear();
        notes.addAll(trail.notes());
        List<AuditRecord> records = new ArrayList<>(trail.chain(TWO));
        records.addAll(trail.chain("default|CSP|x"));
        records.addAll(trail.chain(ONE));
        assertThat(verify(records, true, Map.of())).isEmpty();
        assertThat(notices).singleElement().satisfies(notice -> {
            assertThat(notice.code()).isEqualTo(FaultCode.TIME_REVERSED);
            assertThat(notice.detail()).startsWith("index 7 of the log of partition 0 is of 1970-01-01T00:00:00Z");
        });
    }

    @Test
    void aStatementOfAnotherHistoryIsFound() {
        AuditHead earlier = trail.statement(key, 2, Map.of(0, 30));
        AuditHead same = trail.statement(2);
        trail.startAnotherHistory();
        notes.set(0, earlier);
        notes.set(1, trail.head(0));
        assertThat(codes(trail.records)).containsExactly(HEAD_MISMATCH);
        notes.set(0, same);
        assertThat(verify(trail.records, true, Map.of())).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(HEAD_SPLIT);
            assertThat(fault.detail()).contains(same.getNote(), trail.head(0).getNote());
        });
        notes.set(0, trail.statement(2));
        notes.add(same);
        assertThat(codes(trail.records)).containsExactly(HEAD_SPLIT);
    }

    /** Whatever their order, whether a newer statement lists the log, and whether hashes hide the records. */
    @Test
    void everyStatedRootIsComparedWithTheHeadOfItsSize() {
        AuditHead other = trail.statement(key, 2, Map.of(0, 10));
        trail.startAnotherHistory();
        AuditHead head = trail.head(0, 10);
        List<AuditHead> all = List.of(trail.statement(2), head, trail.head(0), trail.head(1));
        for (List<AuditHead> sound : List.of(all, all.subList(1, 4))) {
            for (int at = 0; at <= sound.size(); at++) {
                for (boolean hidden : new boolean[] {false, true}) {
                    notes.clear();
                    notes.addAll(sound);
                    notes.add(at, other);
                    // Repeated, it is no second fault.
                    notes.add(other);
                    omitted.clear();
                    if (hidden) {
                        omitted.addAll(trail.omitted(0, 0, 10));
                        omitted.addAll(trail.omitted(0, 10, 40));
                    }
                    assertThat(verify(hidden ? without(0, 40) : trail.records, false, Map.of()))
                            .as("%d notes, other history at %d, hidden: %s", sound.size(), at, hidden)
                            .singleElement()
                            .satisfies(fault -> {
                                assertThat(fault.code()).isEqualTo(HEAD_SPLIT);
                                assertThat(fault.detail()).contains(head.getNote(), other.getNote());
                            });
                }
            }
        }
    }

    @Test
    void aRootThatOnlyAnEarlierStatementListsIsCompared() {
        AuditHead other = trail.statement(key, 2, Map.of(0, 10));
        AuditHead otherHead = trail.head(0, 10);
        trail.startAnotherHistory();
        notes.clear();
        notes.addAll(trail.notes());
        notes.add(other);
        assertThat(codes(trail.records)).as("with the records").containsExactly(HEAD_MISMATCH);

        AuditHead same = trail.statement(key, 2, Map.of(0, 10));
        notes.set(notes.size() - 1, same);
        assertThat(codes(trail.records)).isEmpty();
        notes.add(other);
        assertThat(verify(trail.records, true, Map.of())).singleElement().satisfies(fault -> {
            assertThat(fault.code()).as("with another statement").isEqualTo(HEAD_SPLIT);
            assertThat(fault.detail()).contains(same.getNote(), other.getNote());
        });

        notes.remove(other);
        cosigned.add(otherHead);
        assertThat(codes(trail.records)).as("with a cosigned head").contains(HEAD_SPLIT);
    }

    @Test
    void aNoteWithAForgedSignatureTakesPartInNothing() {
        AuditHead forged = trail.head(0, 12);
        forged.setNote(forged.getNote().replace("\n12\n", "\n100000\n"));
        forged.setSize(100_000L);
        notes.add(forged);
        assertThat(codes(trail.records)).isEmpty();
        assertThat(notices).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_FORGED);
    }

    /** One write of any writer of the topic of heads must not make the trail look cut, or its heads replayed. */
    @Test
    void notesThatNoGivenKeySignedTakePartInNothing() {
        notes.add(1, new LogNotes(Trail.ORIGIN, List.of()).head(0, 100_000, new byte[32], Instant.EPOCH));
        notes.add(2, trail.head(Trail.key(), 0, 12));
        notes.add(trail.statement(null, 7, Map.of(0, 40)));
        notes.add(AuditHead.newBuilder(trail.head(1)).setNote("no note").build());
        assertThat(verify(trail.records, true, Map.of())).isEmpty();
        assertThat(notices).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(FaultCode.NOTE_IGNORED);
            assertThat(fault.location()).hasToString("heads-0@1");
            assertThat(fault.detail())
                    .startsWith(
                            "no given key signed this note and 3 more, so they count for nothing; other keys signed:"
                                    + " example.com/audit+")
                    .endsWith("; some notes are not signed");
        });
        assertThat(verifier.logs().partitions()).isEqualTo(2);
        assertThat(verifier.logs().coverage().get(0).size()).isEqualTo(40);
    }

    @Test
    void aStatementOfAnotherKeyListsNothing() {
        notes.set(1, trail.head(0, 30));
        notes.set(0, trail.statement(key, 2, Map.of(0, 30)));
        notes.add(trail.statement(Trail.key(), 2, Map.of(0, 40)));
        notes.add(trail.statement(null, 2, Map.of(0, 40)));
        assertThat(codes(without(30, 40))).isEmpty();
    }

    @Test
    void hashesMustNotHideTheRootThatTheStatementLists() {
        notes.set(0, trail.statement(key, 2, Map.of(0, 30)));
        omitted.addAll(trail.omitted(0, 0, 40));
        assertThat(verify(without(0, 40), false, Map.of()))
                .extracting(AuditFault::code)
                .contains(UNREADABLE);
        omitted.clear();
        omitted.addAll(trail.omitted(0, 0, 30));
        omitted.addAll(trail.omitted(0, 30, 40));
        assertThat(verify(without(0, 40), false, Map.of())).isEmpty();
    }

    @Test
    void aTrailMustContinueTheHeadsOfAStoredStatement() {
        stored.addAll(trail.notes());
        assertThat(codes(trail.records)).isEmpty();
        rollBack(30);
        assertThat(codes(without(30, 40)))
                .as("one fault for statement and head")
                .containsExactly(NOT_CONTINUED);
        stored.subList(1, 3).clear();
        assertThat(codes(without(30, 40))).containsExactly(NOT_CONTINUED);
    }

    @Test
    void aSecondHistoryWithTheKeyIsFoundByAStoredHead() {
        stored.add(trail.head(0, 10));
        trail.startAnotherHistory();
        notes.set(0, trail.statement(2));
        notes.set(1, trail.head(0));
        assertThat(codes(trail.records)).containsExactly(NOT_CONTINUED);
    }

    @Test
    void twoHeadsOfOneSizeAreEvidenceOfASplitView() {
        AuditHead first = notes.get(1);
        trail.startAnotherHistory();
        notes.add(trail.head(0));
        assertThat(verify(trail.records, true, Map.of()))
                .filteredOn(fault -> fault.code() == HEAD_SPLIT)
                .singleElement()
                .satisfies(fault -> assertThat(fault.detail())
                        .contains(first.getNote(), trail.head(0).getNote()));
    }

    /** Both witnesses are required. */
    private void requireWitnesses() {
        policy = new WitnessPolicy(List.of(w1.verifierKey(), w2.verifierKey()), 2);
    }

    @Test
    void withAQuorumOnlyCosignedHeadsCoverRecords() {
        requireWitnesses();
        assertThat(verify(trail.records, true, Map.of()))
                .extracting(AuditFault::code, AuditFault::detail)
                .containsExactly(
                        tuple(
                                NOT_COVERED,
                                "no head that a given key signed with cosignatures of at least 2 of the 2 witnesses w1, w2 covers"
                                        + " the last 40 of 40 records of partition 0, the last 20 of 20 records of partition 1"));

        notes.set(1, Trail.cosigned(trail.head(0), w1, w2));
        notes.set(2, Trail.cosigned(trail.head(1), w2, w2));
        assertThat(codes(trail.records)).containsExactly(NOT_COVERED);
        notes.set(2, Trail.cosigned(trail.head(1), w2, NoteSigner.cosigner("w1", KeyFiles.newPair())));
        assertThat(codes(trail.records)).containsExactly(NOT_COVERED);
        notes.set(2, Trail.cosigned(trail.head(1), w2, w1));
        assertThat(codes(trail.records)).isEmpty();
    }

    @Test
    void cosignedCopiesOfHeadsCoverRecordsWhateverTheirOrder() {
        requireWitnesses();
        notes.add(1, trail.head(0, 30));
        cosigned.add(Trail.cosigned(trail.head(0, 40), w1, w2));
        cosigned.add(Trail.cosigned(trail.head(0, 30), w1, w2));
        cosigned.add(Trail.cosigned(trail.head(1, 7), w1, w2));
        assertThat(codes(trail.records)).containsExactly(NOT_COVERED);
        assertThat(verifier.logs().coverage())
                .extracting(LogVerifier.Coverage::covered)
                .containsExactly(40L, 7L);
        assertThat(verify(trail.records, true, Map.of(1, 13L))).isEmpty();

        // A head of an earlier origin is not of this log.
        cosigned.add(new LogNotes("example.com/before", List.of(key)).head(0, 90, new byte[32], Instant.EPOCH));
        assertThat(verify(trail.records, true, Map.of(1, 13L))).isEmpty();
    }

    @Test
    void aCosignedHeadOfAnotherHistoryIsFound() {
        requireWitnesses();
        AuditHead same = Trail.cosigned(trail.head(0, 40), w1, w2);
        AuditHead earlier = Trail.cosigned(trail.head(0, 10), w1, w2);
        trail.startAnotherHistory();
        notes.set(0, trail.statement(2));
        notes.set(1, Trail.cosigned(trail.head(0), w1, w2));
        notes.set(2, Trail.cosigned(trail.head(1), w1, w2));
        cosigned.add(same);
        assertThat(codes(trail.records)).containsExactly(HEAD_SPLIT);
        cosigned.set(0, earlier);
        assertThat(codes(trail.records)).containsExactly(HEAD_MISMATCH);

        AuditHead published = trail.head(0, 10);
        notes.add(1, published);
        assertThat(verify(trail.records, true, Map.of())).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(HEAD_SPLIT);
            assertThat(fault.detail()).contains(published.getNote(), earlier.getNote());
        });
    }

    @Test
    void aCosignedHeadWithoutTheQuorumIsIgnored() {
        requireWitnesses();
        notes.set(1, Trail.cosigned(trail.head(0), w1, w2));
        notes.set(2, Trail.cosigned(trail.head(1), w1, w2));
        trail.startAnotherHistory();
        AuditHead otherKey = Trail.cosigned(trail.head(Trail.key(), 0, 40), w1, w2);
        cosigned.addAll(List.of(otherKey, Trail.cosigned(trail.head(0), w1), trail.head(0)));
        trail.log(0).get(3).setDetail("a sentence");
        trail.reseal();
        assertThat(codes(trail.records)).isEmpty();
    }

    @Test
    void aForgedCosignatureIsAForgedHead() {
        requireWitnesses();
        NoteSigner impostor = NoteSigner.cosigner("w2", KeyFiles.newPair());
        NoteSignature line = impostor.cosign(trail.head(0).getNote().split("\n\n", 2)[0] + "\n", 1);
        cosigned.add(AuditHead.newBuilder(trail.head(0))
                .setNote(Trail.cosigned(trail.head(0), w1).getNote()
                        + new NoteSignature("w2", w2.verifierKey().keyId(), line.bytes()).line())
                .build());
        assertThat(codes(trail.records)).containsExactly(NOT_COVERED);
        assertThat(notices).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_FORGED);
    }

    @Test
    void anOlderHeadAfterANewerOneIsAReplay() {
        notes.add(trail.head(0, 12));
        assertThat(codes(trail.records)).containsExactly(HEAD_REPLAYED);
        notes.add(1, trail.head(0, 12));
        assertThat(codes(trail.records)).containsExactly(HEAD_REPLAYED);
    }

    @Test
    void aReplayedHeadOfAnotherHistoryIsASplitWithBothNotes() {
        AuditHead first = trail.head(0, 12);
        AuditHead last = notes.get(1);
        trail.startAnotherHistory();
        AuditHead other = trail.head(0, 12);

        verifier = new AuditTrailVerifier(new LogNoteReader(List.of(key.verifierKey())));
        assertThat(verifier.note(first, RecordLocation.of("heads-0", 1))).isEmpty();
        assertThat(verifier.note(last, RecordLocation.of("heads-0", 2))).isEmpty();
        assertThat(verifier.note(other, RecordLocation.of("heads-0", 3)))
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.code()).isEqualTo(HEAD_SPLIT);
                    assertThat(fault.detail()).contains("at heads-0@1", first.getNote(), other.getNote());
                });
        assertThat(verifier.finish(true, Map.of()))
                .extracting(AuditFault::code)
                .doesNotContain(HEAD_SPLIT, HEAD_REPLAYED);
    }

    @Test
    void onlySomeNotesAreKeptAsEvidence() {
        AuditHead first = trail.head(0, 5);
        AuditHead second = trail.head(0, 12);
        LogNoteReader reader = new LogNoteReader(List.of(key.verifierKey()));
        LogVerifier logs = new LogVerifier(reader, first.getNote().length(), LogVerifier.MAX_SIZES);
        List<AuditFault> faults = new ArrayList<>();
        logs.note(reader.read(first, RecordLocation.of("heads-0", 1), faults), faults);
        logs.note(reader.read(second, RecordLocation.of("heads-0", 2), faults), faults);
        trail.startAnotherHistory();
        AuditHead otherFirst = trail.head(0, 5);
        AuditHead otherSecond = trail.head(0, 12);
        logs.note(reader.read(otherFirst, RecordLocation.of("heads-0", 3), faults), faults);
        logs.note(reader.read(otherSecond, RecordLocation.of("heads-0", 4), faults), faults);
        assertThat(faults).extracting(AuditFault::code).containsExactly(HEAD_SPLIT, HEAD_SPLIT);
        assertThat(faults.get(0).detail()).contains(first.getNote(), otherFirst.getNote());
        assertThat(faults.get(1).detail())
                .contains("at heads-0@2", otherSecond.getNote())
                .doesNotContain(second.getNote());
    }

    @Test
    void aStoredHeadOfAnotherHistoryIsASplit() {
        AuditHead first = trail.head(0);
        stored.addAll(List.of(first, trail.head(1, 7)));
        trail.log(0).get(3).setDetail("another");
        trail.log(1).get(3).setDetail("another");
        trail.reseal();
        stored.add(trail.head(1, 7));
        notes.set(0, trail.statement(2));
        notes.set(1, trail.head(0));
        notes.set(2, trail.head(1));
        assertThat(verify(trail.records, true, Map.of()))
                .extracting(AuditFault::code, fault -> fault.location().toString())
                .containsExactly(
                        tuple(HEAD_SPLIT, "stored:1"),
                        tuple(HEAD_SPLIT, "heads-0@0"),
                        tuple(NOT_CONTINUED, "stored:1"));
        stored.clear();
        stored.add(first);
        cosigned.add(trail.head(0));
        assertThat(verify(trail.records, true, Map.of()))
                .extracting(AuditFault::code, fault -> fault.location().toString())
                .containsExactly(tuple(HEAD_SPLIT, "cosigned-0@0"));
    }

    @Test
    void aHeadRepeatedWithTheSignatureOfAGivenKeyProves() {
        notes.set(1, trail.head(Trail.key(), 0, 40));
        notes.add(trail.head(0));
        assertThat(codes(trail.records)).isEmpty();
    }

    @Test
    void aRepeatedOrInventedIndexIsFound() {
        AuditRecord invented = Links.chain("default|SLIP|9", 1).get(0);
        invented.getSource().setPartition(9);
        trail.records.add(invented);
        for (long index : new long[] {0, 39, -1, Long.MIN_VALUE}) {
            invented.getLog().setPartition(0);
            invented.getLog().setIndex(index);
            Links.sealed(invented);
            assertThat(codes(trail.records)).as("index %d", index).containsExactly(LOG_REPEATED);
        }
    }

    @Test
    void noRecordFollowsATreeOfTheMaximumSize() {
        for (long first : new long[] {0, 1L << 61}) {
            omitted.add(new OmittedRecords(2, first, 61, ByteBuffer.allocate(32)));
        }
        AuditRecord invented = Links.chain("default|SLIP|9", 1).get(0);
        invented.getSource().setPartition(9);
        invented.getLog().setPartition(2);
        invented.getLog().setIndex(MerkleHasher.MAX_SIZE);
        trail.records.add(Links.sealed(invented));
        assertThat(verify(trail.records, false, Map.of()))
                .extracting(AuditFault::code)
                .contains(UNREADABLE);
    }

    @Test
    void recordsAfterTheLastHeadMayBeAsManyAsAllowed() {
        rollBack(37);
        assertThat(codes(trail.records)).containsExactly(NOT_COVERED);
        assertThat(verify(trail.records, true, Map.of(0, 2L))).hasSize(1);
        assertThat(verify(trail.records, true, Map.of(0, 3L))).isEmpty();
        assertThat(verifier.logs().coverage().get(0).covered()).isEqualTo(37);
    }

    @Test
    void onlyGivenKeysCoverAndTheirAbsenceIsOneFault() {
        NoteSigner retired = Trail.key();
        notes.set(0, trail.statement(key, 2, Map.of(0, 25, 1, LENGTH)));
        notes.set(1, trail.head(retired, 0, 40));
        assertThat(codes(trail.records)).containsExactly(LOG_MISSING, NOT_COVERED);
        notes.set(0, trail.statement(key, 2, Map.of(1, LENGTH)));
        assertThat(verify(trail.records, true, Map.of())).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(NOT_COVERED);
            assertThat(fault.detail()).contains("the last 40 of 40 records", "other keys signed: example.com/audit+");
        });
        notes.add(1, trail.head(0, 25));
        assertThat(verify(trail.records, true, Map.of()))
                .singleElement()
                .satisfies(fault -> assertThat(fault.detail()).contains("the last 15 of 40 records"));
    }

    @Test
    void everyPartitionOfTheStatementHasAHead() {
        notes.remove(2);
        assertThat(codes(trail.log(0))).containsExactly(LOG_MISSING);
        notes.remove(0);
        assertThat(codes(trail.log(0))).containsExactly(STATEMENT_MISSING);
        notes.add(new LogNotes(Trail.ORIGIN, List.of()).statement(1, Collections.emptySortedMap(), Instant.EPOCH));
        assertThat(codes(trail.log(0))).containsExactly(STATEMENT_MISSING);
    }

    @Test
    void aStatementOfTwoBillionPartitionsCostsNothing() {
        notes.set(0, trail.statement(Integer.MAX_VALUE));
        assertThat(codes(trail.records)).isEmpty();
        assertThat(verifier.logs().partitions()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void manyMissingLogsAreReportedInPart() {
        SortedMap<Integer, TreeHead> heads = new TreeMap<>();
        IntStream.range(0, 1_000).forEach(i -> heads.put(i, LogNotes.timed("x", 1 + i, new byte[32], 0)));
        notes.clear();
        notes.add(new LogNotes(Trail.ORIGIN, List.of(key)).statement(1_000, heads, Instant.EPOCH));
        assertThat(codes(List.of())).hasSize(20).containsOnly(LOG_MISSING);
    }

    @Test
    void recordsOfALogWithoutAHeadAreNotCovered() {
        AuditRecord invented = Links.chain("default|SLIP|9", 1).get(0);
        invented.getSource().setPartition(9);
        trail.records.add(invented);
        for (int partition : new int[] {2, -1, Integer.MAX_VALUE}) {
            invented.getLog().setPartition(partition);
            Links.sealed(invented);
            assertThat(codes(trail.records)).as("partition %d", partition).containsExactly(NOT_COVERED);
        }
    }

    @Test
    void hashesStandForAnyOmittedRecords() {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            int from = random.nextInt(2 * LENGTH);
            int to = from + 1 + random.nextInt(2 * LENGTH - from);
            omitted.clear();
            omitted.addAll(trail.omitted(0, from, to));
            assertThat(verify(without(from, to), false, Map.of()))
                    .as("seed %d, round %d: %d to %d", SEED, round, from, to)
                    .isEmpty();
            assertThat(verifier.logs().coverage().get(0).omitted()).isEqualTo(to - from);
            assertThat(verifier.logs().leavesOut(0, -1, 2 * LENGTH)).isTrue();
            assertThat(verifier.logs().leavesOut(0, to - 1, 2 * LENGTH)).isFalse();
            ByteBuffer hash = omitted.get(random.nextInt(omitted.size())).getHash();
            int at = random.nextInt(32);
            hash.put(at, (byte) (hash.get(at) ^ 1));
            assertThat(verify(without(from, to), false, Map.of()))
                    .as("seed %d, round %d: %d to %d", SEED, round, from, to)
                    .extracting(AuditFault::code)
                    .containsExactly(HEAD_MISMATCH);
        }
    }

    @Test
    void omittedRecordsOfAWholeTrailMustBeAcceptedAsExpired() {
        omitted.addAll(trail.omitted(0, 0, 13));
        assertThat(verify(without(0, 13), true, Map.of())).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(LOG_OMITTED);
            assertThat(fault.detail()).contains("index 0 to 12 of the log of partition 0");
        });
        expired.add(trail.head(0, 12));
        assertThat(verify(without(0, 13), true, Map.of()))
                .singleElement()
                .satisfies(fault -> assertThat(fault.detail()).contains("index 12 to 12"));
        expired.set(0, trail.head(0, 13));
        assertThat(codes(without(0, 13))).isEmpty();
        assertThat(verifier.begunLate()).isEqualTo(2);
        assertThat(verifier.logs().leavesOut(0, -1, 40)).isFalse();
    }

    @Test
    void aHeadOfAnotherHistoryAcceptsNothing() {
        omitted.addAll(trail.omitted(0, 0, 13));
        List<AuditRecord> kept = without(0, 13);
        Trail other = Trail.of(key, Map.of(ONE, 0, TWO, 0), LENGTH);
        other.records.get(0).setDetail("another");
        other.reseal();
        expired.add(other.head(0, 13));
        assertThat(codes(kept)).containsExactly(NOT_CONTINUED);
    }

    @Test
    void manyOmittedRunsAreReportedInPart() {
        IntStream.range(0, LENGTH).forEach(i -> omitted.addAll(trail.omitted(0, 2 * i, 2 * i + 1)));
        IntStream.range(0, LENGTH).filter(i -> i % 2 == 0).forEach(i -> omitted.addAll(trail.omitted(1, i, i + 1)));
        assertThat(codes(trail.chain(TWO))).hasSizeLessThanOrEqualTo(40).contains(LOG_OMITTED);
    }

    @Test
    void aHashForRecordsThatArePresentIsFound() {
        omitted.addAll(trail.omitted(0, 8, 16));
        assertThat(codes(trail.records)).contains(LOG_REPEATED);
    }

    @Test
    void omittedRecordsMustBeASubtreeThatNoOtherOverlaps() {
        ByteBuffer hash = ByteBuffer.allocate(32);
        for (OmittedRecords subtree : List.of(
                new OmittedRecords(0, 1L, 1, hash),
                new OmittedRecords(0, -2L, 1, hash),
                new OmittedRecords(0, 0L, -1, hash),
                new OmittedRecords(0, 0L, 62, hash),
                new OmittedRecords(0, 0L, 63, hash),
                new OmittedRecords(0, 0L, 64, hash),
                new OmittedRecords(0, 0L, Integer.MIN_VALUE, hash),
                new OmittedRecords(0, 1L << 62, 0, hash),
                new OmittedRecords(0, Long.MAX_VALUE, 0, hash),
                new OmittedRecords(0, 0L, 1, ByteBuffer.allocate(31)))) {
            AuditTrailVerifier each = new AuditTrailVerifier(new LogNoteReader(List.of()));
            assertThat(each.logs().omitted(subtree, RecordLocation.NONE))
                    .as(subtree.toString())
                    .extracting(AuditFault::code)
                    .containsExactly(UNREADABLE);
        }
        AuditTrailVerifier both = new AuditTrailVerifier(new LogNoteReader(List.of()));
        assertThat(both.logs().omitted(new OmittedRecords(0, 4L, 2, hash), RecordLocation.NONE))
                .isEmpty();
        for (OmittedRecords subtree : List.of(
                new OmittedRecords(0, 4L, 2, hash),
                new OmittedRecords(0, 0L, 3, hash),
                new OmittedRecords(0, 6L, 1, hash),
                new OmittedRecords(0, 7L, 0, hash))) {
            assertThat(both.logs().omitted(subtree, RecordLocation.NONE)).hasSize(1);
        }
    }

    @Test
    void theSignedEndOfAChainIsCompared() {
        notes.add(trail.chainEnd(ONE));
        assertThat(codes(trail.records)).isEmpty();
        assertThat(verifier.provesEnd(ONE)).isTrue();
        assertThat(verifier.provesEnd(TWO)).isFalse();

        int last = (int) trail.chain(ONE).get(LENGTH - 1).getLog().getIndex();
        omitted.addAll(trail.omitted(0, last, last + 1));
        assertThat(verify(without(last, last + 1), false, Map.of()))
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.code()).isEqualTo(CHAIN_CUT);
                    assertThat(fault.chain()).isEqualTo(ONE);
                    assertThat(fault.sequence()).isEqualTo(LENGTH - 2);
                });
    }

    @Test
    void aShuffledTrailIsNeverAcceptedWithoutARecord() {
        Random random = new Random(SEED);
        for (int round = 0; round < 100; round++) {
            List<AuditRecord> records = new ArrayList<>(trail.records);
            records.remove(random.nextInt(records.size()));
            Collections.shuffle(records, random);
            assertThat(codes(records)).as("seed %d, round %d", SEED, round).containsAnyOf(LOG_GAP, LOG_CUT);
        }
    }
}
