package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.JournalState;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checks across chains: repeated inputs, journals and signatures. */
class AuditTrailVerifierTest {
    private final List<AuditRecord> links = Links.chain("default|SLIP|1", 9);
    private final KeyPair pair = KeyFiles.newPair();

    @Test
    void theInputsOfAnIntactTrailAreRecordedOnce() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
        links.forEach(
                link -> assertThat(trail.record(link, RecordLocation.NONE)).isEmpty());
        assertThat(trail.finish()).isEmpty();
        assertThat(trail.inputs().keySet())
                .extracting(InputPartition::toString)
                .containsExactlyInAnyOrder("parley.wire-0", "parley.wire-1", "parley.wire-2");
        assertThat(trail.inputs().get(new InputPartition("parley.wire", 1)).has(104))
                .isTrue();
        assertThat(trail.chains().records()).isEqualTo(9);
        assertThat(trail.begunLate()).isZero();
    }

    @Test
    void aTrailThatEndsBeforeAHeadIsCut() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
        trail.head(Links.head(links), RecordLocation.NONE);
        trail.head(Links.head(Links.chain("other", 1)), RecordLocation.NONE);
        links.subList(0, 5).forEach(link -> trail.record(link, RecordLocation.NONE));
        assertThat(trail.finish())
                .extracting(AuditFault::code)
                .containsExactlyInAnyOrder(FaultCode.TAIL_CUT, FaultCode.CHAIN_MISSING);
        assertThat(trail.begunLate()).isZero();
    }

    @Test
    void anInputInTwoChainsIsFoundAtTheSecond() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
        links.forEach(link -> trail.record(link, RecordLocation.NONE));
        AuditRecord again = Links.chain("default|SLIP|2", 1).get(0);
        assertThat(trail.record(again, RecordLocation.of("audit-0", 9)))
                .singleElement()
                .satisfies(auditFault -> {
                    assertThat(auditFault.code()).isEqualTo(FaultCode.INPUT_REPEATED);
                    assertThat(auditFault.location()).hasToString("audit-0@9");
                    assertThat(auditFault.chain()).isEqualTo("default|SLIP|2");
                    assertThat(auditFault.detail()).contains("parley.wire-0@100");
                });
    }

    @Test
    void anImpossibleOffsetIsOneFault() {
        for (long offset : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            AuditTrailVerifier trail =
                    new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
            links.get(0).getSource().setOffset(offset);
            Links.sealed(links.get(0));
            assertThat(trail.record(links.get(0), RecordLocation.NONE))
                    .extracting(AuditFault::code)
                    .containsExactly(FaultCode.UNREADABLE);
        }
    }

    @Test
    void aRepeatedRecordIsOneFaultNotTwo() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
        trail.record(links.get(0), RecordLocation.NONE);
        assertThat(trail.record(links.get(0), RecordLocation.NONE))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.RECORD_REPEATED);
    }

    @Test
    void aChangedRecordThatRepeatsAnInputIsTwoFaults() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
        trail.record(links.get(0), RecordLocation.NONE);
        links.get(1).setSource(links.get(0).getSource());
        assertThat(trail.record(links.get(1), RecordLocation.NONE))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.CONTENT_CHANGED, FaultCode.RECORD_CHANGED, FaultCode.INPUT_REPEATED);
    }

    @Test
    void signedHeadsAreCountedAndVerified() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of(pair.getPublic())));
        AuditHead head = Links.head(links);
        new HeadSigner(pair).sign(head);
        links.forEach(link -> trail.record(link, RecordLocation.NONE));
        assertThat(trail.head(head, RecordLocation.NONE)).isEmpty();
        assertThat(trail.signedHeads()).isEqualTo(1);
    }

    @Test
    void anUnsignedHeadIsAFaultAndStillCompared() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of(pair.getPublic())));
        AuditHead head = Links.head(links);
        head.setHash(ByteBuffer.wrap(new byte[32]));
        links.forEach(link -> trail.record(link, RecordLocation.NONE));
        assertThat(trail.head(head, RecordLocation.NONE))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.HEAD_MISMATCH, FaultCode.HEAD_UNSIGNED);
        assertThat(trail.signedHeads()).isZero();
    }

    @Test
    void aForgedHeadIsFoundAndIgnored() {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of(pair.getPublic())));
        AuditHead head = Links.head(links);
        new HeadSigner(pair).sign(head);
        head.setSequence(99L);
        trail.manifest(signedManifest(journaled(links)), RecordLocation.NONE);
        links.forEach(link -> trail.record(link, RecordLocation.NONE));
        assertThat(trail.head(head, RecordLocation.of("heads-0", 3)))
                .extracting(
                        AuditFault::code, auditFault -> auditFault.location().toString())
                .containsExactly(tuple(FaultCode.HEAD_FORGED, "heads-0@3"));
        assertThat(trail.finish()).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_MISSING);
    }

    @Test
    void chainsWithoutTheirFirstRecordsAreCounted() {
        AuditTrailVerifier trail = new AuditTrailVerifier(
                new ChainVerifier.Extent() {
                    @Override
                    public boolean mayBeginLate(RecordLocation location) {
                        return location.in().equals("audit-1");
                    }

                    @Override
                    public boolean mayEndEarly() {
                        return false;
                    }
                },
                HeadSignatureVerifier.of(List.of()));
        assertThat(trail.record(links.get(3), RecordLocation.of("audit-1", 0))).isEmpty();
        AuditRecord withoutFirst = Links.chain("other", 2).get(1);
        withoutFirst.setJournal(new JournalPosition(0, 1L));
        assertThat(trail.record(withoutFirst, RecordLocation.of("audit-0", 0)))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.RECORD_MISSING);
        assertThat(trail.finish()).isEmpty();
        assertThat(trail.begunLate()).isEqualTo(1);
    }

    private AuditTrailVerifier keyed() {
        return new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of(pair.getPublic())));
    }

    private static AuditTrailVerifier unkeyed() {
        return new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
    }

    private AuditHead signedHead(List<AuditRecord> chain) {
        AuditHead head = Links.head(chain);
        new HeadSigner(pair).sign(head);
        return head;
    }

    /** Puts records in journal 0 and returns its state after them. */
    private static JournalState journaled(List<AuditRecord> chain) {
        Journal journal = new Journal(0, null);
        for (AuditRecord link : chain) {
            link.setJournal(journal.next());
            journal.add(link);
        }
        return journal.state();
    }

    private AuditManifest signedManifest(JournalState journal) {
        AuditManifest manifest = Manifests.next(0, journal, null, Instant.EPOCH);
        new HeadSigner(pair).sign(manifest);
        return manifest;
    }

    /** The faults of these records, each at its sequence. */
    private static List<AuditFault> faultsOf(AuditTrailVerifier trail, List<AuditRecord> records) {
        return records.stream()
                .flatMap(link -> trail.record(link, RecordLocation.of("audit-0", link.getSequence())).stream())
                .toList();
    }

    @Test
    void aRepeatedOrdinalIsAFaultOfTheSecondRecord() {
        journaled(links);
        links.get(5).setJournal(links.get(2).getJournal());
        assertThat(faultsOf(unkeyed(), links))
                .containsExactly(new AuditFault(
                        FaultCode.JOURNAL_REPEATED,
                        RecordLocation.of("audit-0", 5),
                        "default|SLIP|1",
                        5,
                        "journal 0 already has a record with ordinal 3"));
    }

    @Test
    void unreadInputsAreCountedAndAreNotInputs() {
        AuditTrailVerifier trail = unkeyed();
        links.get(0).setUnread(5L);
        Links.sealed(links.get(0));
        assertThat(faultsOf(trail, links.subList(0, 1))).isEmpty();
        assertThat(trail.deleted()).isEqualTo(5);
        assertThat(trail.inputs()).isEmpty();
        links.get(1).setUnread(-3L);
        links.get(1).setPreviousHash(links.get(0).getHash());
        Links.sealed(links.get(1));
        links.get(1).setDetail("changed");
        assertThat(faultsOf(trail, links.subList(1, 2)))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.CONTENT_CHANGED);
        assertThat(trail.deleted()).isEqualTo(5);
    }

    @Test
    void withoutKeysEveryHeadWithASignatureCounts() {
        AuditTrailVerifier trail = unkeyed();
        links.forEach(link -> trail.record(link, RecordLocation.NONE));
        assertThat(trail.head(Links.head(links), RecordLocation.NONE)).isEmpty();
        assertThat(trail.signedHeads()).isZero();
        AuditHead forged = signedHead(links);
        forged.setSignature(ByteBuffer.wrap(new byte[64]));
        assertThat(trail.head(forged, RecordLocation.NONE)).isEmpty();
        assertThat(trail.signedHeads()).isEqualTo(1);
        assertThat(trail.finish()).isEmpty();
    }

    @Test
    void withKeysAChainNeedsAValidHead() {
        for (int length : new int[] {1, 9}) {
            AuditTrailVerifier trail = keyed();
            trail.manifest(signedManifest(journaled(links.subList(0, length))), RecordLocation.NONE);
            AuditHead unsigned = Links.head(links.subList(0, length));
            assertThat(trail.head(unsigned, RecordLocation.NONE))
                    .extracting(AuditFault::code)
                    .containsExactly(FaultCode.HEAD_UNSIGNED);
            assertThat(faultsOf(trail, links.subList(0, length))).isEmpty();
            assertThat(trail.finish())
                    .containsExactly(new AuditFault(
                            FaultCode.HEAD_MISSING,
                            RecordLocation.of("audit-0", length - 1),
                            "default|SLIP|1",
                            length - 1,
                            "the chain has no valid published head"));
        }
    }

    @Test
    void aPartOfATrailNeedsNoHeads() {
        AuditTrailVerifier trail = new AuditTrailVerifier(
                new ChainVerifier.Extent() {
                    @Override
                    public boolean mayBeginLate(RecordLocation location) {
                        return false;
                    }

                    @Override
                    public boolean mayEndEarly() {
                        return true;
                    }
                },
                HeadSignatureVerifier.of(List.of(pair.getPublic())));
        trail.manifest(signedManifest(journaled(links)), RecordLocation.NONE);
        assertThat(faultsOf(trail, links)).isEmpty();
        assertThat(trail.finish()).isEmpty();
    }

    @Test
    void aHeadMustCoverTheRecordsThatAManifestCovers() {
        AuditManifest manifest = signedManifest(journaled(links.subList(0, 5)));
        journaled(links);
        AuditTrailVerifier covered = keyed();
        assertThat(covered.manifest(manifest, RecordLocation.NONE)).isEmpty();
        covered.head(signedHead(links.subList(0, 5)), RecordLocation.NONE);
        assertThat(faultsOf(covered, links)).isEmpty();
        assertThat(covered.finish()).isEmpty();
        assertThat(covered.journals().manifests()).isEqualTo(1);
        assertThat(covered.journals().uncovered()).isEqualTo(4);

        AuditTrailVerifier behind = keyed();
        behind.manifest(manifest, RecordLocation.NONE);
        behind.head(signedHead(links.subList(0, 4)), RecordLocation.NONE);
        assertThat(faultsOf(behind, links)).isEmpty();
        assertThat(behind.finish())
                .containsExactly(new AuditFault(
                        FaultCode.HEAD_MISSING,
                        RecordLocation.of("audit-0", 8),
                        "default|SLIP|1",
                        8,
                        "the valid published head is at sequence 3, but later records require one"));
    }

    @Test
    void aForgedManifestIsAFaultWhetherStoredOrPublished() {
        AuditManifest manifest = signedManifest(journaled(links));
        manifest.setChains(2L);
        AuditFault forged = new AuditFault(
                FaultCode.MANIFEST_FORGED,
                RecordLocation.of("manifests-0", 3),
                "",
                -1,
                "the signature of manifest 1 of journal 0 is invalid");
        AuditTrailVerifier trail = keyed();
        assertThat(trail.stored(manifest, RecordLocation.of("manifests-0", 3))).containsExactly(forged);
        assertThat(trail.journals().manifests()).isZero();
        assertThat(trail.manifest(manifest, RecordLocation.of("manifests-0", 3)))
                .containsExactly(forged);
        assertThat(trail.journals().manifests()).isEqualTo(1);
    }
}
