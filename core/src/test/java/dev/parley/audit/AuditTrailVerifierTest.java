package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checks across chains: repeated inputs and signatures. */
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
        assertThat(trail.record(Links.chain("other", 2).get(1), RecordLocation.of("audit-0", 0)))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.RECORD_MISSING);
        assertThat(trail.finish()).isEmpty();
        assertThat(trail.begunLate()).isEqualTo(1);
    }
}
