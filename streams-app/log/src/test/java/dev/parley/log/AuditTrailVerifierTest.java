package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPartition;
import dev.parley.audit.Links;
import dev.parley.avro.AuditRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checks across chains; {@link LogVerifierTest} tests those of logs. */
class AuditTrailVerifierTest {
    private final List<AuditRecord> links = Links.chain("default|SLIP|1", 9);
    private final AuditTrailVerifier trail = new AuditTrailVerifier(new LogNoteReader(List.of()));

    @Test
    void theInputsOfAnIntactTrailAreRecordedOnce() {
        links.forEach(link -> assertThat(record(link, RecordLocation.NONE)).isEmpty());
        assertThat(trail.inputs().keySet())
                .extracting(InputPartition::toString)
                .containsExactlyInAnyOrder("parley.wire-0", "parley.wire-1", "parley.wire-2");
        assertThat(trail.inputs().get(new InputPartition("parley.wire", 1)).has(104))
                .isTrue();
        assertThat(trail.chains().records()).isEqualTo(9);
        assertThat(trail.begunLate()).isZero();
    }

    @Test
    void anInputInTwoChainsIsFoundAtTheSecond() {
        links.forEach(link -> record(link, RecordLocation.NONE));
        AuditRecord again = Links.chain("default|SLIP|2", 1).get(0);
        assertThat(record(again, RecordLocation.of("audit-0", 9)))
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
            AuditTrailVerifier each = new AuditTrailVerifier(new LogNoteReader(List.of()));
            links.get(0).getSource().setOffset(offset);
            Links.sealed(links.get(0));
            assertThat(each.record(new RecordVerifier().check(links.get(0)), RecordLocation.NONE, false))
                    .extracting(AuditFault::code)
                    .containsExactly(FaultCode.UNREADABLE);
        }
    }

    @Test
    void aRepeatedRecordIsOneFaultNotThree() {
        record(links.get(0), RecordLocation.NONE);
        assertThat(record(links.get(0), RecordLocation.NONE))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.RECORD_REPEATED);
    }

    @Test
    void aChangedRecordThatRepeatsAnInputIsTwoFaults() {
        record(links.get(0), RecordLocation.NONE);
        links.get(1).setSource(links.get(0).getSource());
        assertThat(record(links.get(1), RecordLocation.NONE))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.RECORD_CHANGED, FaultCode.INPUT_REPEATED);
    }

    @Test
    void unreadInputsAreCountedAndAreNotInputs() {
        links.get(0).setUnread(5L);
        Links.sealed(links.get(0));
        assertThat(record(links.get(0), RecordLocation.NONE)).isEmpty();
        assertThat(trail.deleted()).isEqualTo(5);
        assertThat(trail.inputs()).isEmpty();
        links.get(1).setUnread(-3L);
        links.get(1).setPreviousHash(links.get(0).getHash());
        Links.sealed(links.get(1));
        assertThat(record(links.get(1), RecordLocation.NONE)).isEmpty();
        assertThat(trail.deleted()).isEqualTo(5);
    }

    private List<AuditFault> record(AuditRecord auditRecord, RecordLocation location) {
        return trail.record(new RecordVerifier().check(auditRecord), location, false);
    }
}
