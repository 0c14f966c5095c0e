package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which redactions take effect, whatever the order of the records. */
class RedactionVerifierTest {
    private static final String CHAIN = "default|SLIP|1";

    private final List<AuditRecord> links = Links.chain(CHAIN, 9);
    private final AuditRecord original = links.get(4);
    private final Redaction redaction = Links.redactionOf(original);
    private final AuditRecord event = Links.redacting(redaction, links.get(8));
    private final RedactionVerifier redactions = new RedactionVerifier();

    private Redaction another() {
        Redaction other = Links.redactionOf(original);
        other.setReason("another");
        return other;
    }

    private void see(AuditRecord auditRecord, long offset) {
        redactions.see(auditRecord, at(offset), true);
    }

    private static RecordLocation at(long offset) {
        return RecordLocation.of("audit-0", offset);
    }

    static Stream<Arguments> changesOfAnEvent() {
        return Stream.of(
                change("none", true, auditRecord -> {}),
                change("the redaction taken away", false, auditRecord -> auditRecord.setRedaction(null)),
                change("rejected", false, auditRecord -> auditRecord.setVerdict(Verdict.REJECTED.name())),
                change("flagged", false, auditRecord -> auditRecord.setVerdict(Verdict.FLAGGED.name())),
                change("redacted itself", false, auditRecord -> auditRecord.setRedacted(auditRecord.getRedaction())),
                change("moved to another chain", false, auditRecord -> auditRecord.setChain("default|SLIP|2")),
                change("directly after the record it names", true, auditRecord -> auditRecord.setSequence(5L)),
                change("itself the record it names", false, auditRecord -> auditRecord.setSequence(4L)),
                change("before the record it names", false, auditRecord -> auditRecord.setSequence(3L)));
    }

    private static Arguments change(String what, boolean expected, Consumer<AuditRecord> change) {
        return Arguments.of(what, expected, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changesOfAnEvent")
    void onlyAnAcceptedRecordRedactsAnEarlierOneOfItsChain(
            String what, boolean expected, Consumer<AuditRecord> change) {
        change.accept(event);
        assertThat(Redactions.isEvent(event)).isEqualTo(expected);
        see(event, 9);
        assertThat(redactions.hasUnlocated()).isEqualTo(expected);
        assertThat(redactions.events()).isEqualTo(event.getRedaction() == null ? 0 : 1);
    }

    @Test
    void theRecordOfARedactionCannotBeRedacted() {
        Redaction second = Links.redactionOf(event);
        assertThat(Redactions.concerns(redaction, original)).isTrue();
        assertThat(Redactions.concerns(second, event)).isFalse();
    }

    @Test
    void aChangedRecordIsCountedButRedactsNothing() {
        redactions.see(event, at(9), false);
        assertThat(redactions.events()).isEqualTo(1);
        assertThat(redactions.hasUnlocated()).isFalse();
    }

    @Test
    void aRedactionNeedsNoRedactedCopy() {
        see(event, 9);
        assertThat(redactions.unproven()).isEmpty();
        assertThat(redactions.redacted()).isZero();
    }

    @Test
    void aCopyIsProvenByAnEventBeforeOrAfterIt() {
        AuditRecord copy = Redactions.redact(original, redaction);
        see(copy, 4);
        assertUnprovenAt(4);
        see(event, 9);
        assertThat(redactions.unproven()).isEmpty();
        see(copy, 10);
        assertThat(redactions.unproven()).isEmpty();
        assertThat(redactions.redacted()).isEqualTo(2);
    }

    @Test
    void aCopyBeforeTheEventMustNameIt() {
        see(Redactions.redact(original, another()), 4);
        see(event, 9);
        assertUnprovenAt(4);
    }

    @Test
    void aCopyAfterTheEventMustNameIt() {
        see(event, 9);
        see(Redactions.redact(original, another()), 10);
        assertUnprovenAt(10);
    }

    @Test
    void aCopyMustBeOfTheRecordThatItsRedactionNames() {
        see(event, 9);
        AuditRecord copy = Redactions.redact(links.get(5), redaction);
        see(copy, 5);
        assertThat(redactions.unproven())
                .extracting(AuditFault::code, AuditFault::location, AuditFault::sequence)
                .containsExactly(tuple(FaultCode.REDACTION_UNPROVEN, at(5), 5L));
    }

    private void assertUnprovenAt(long offset) {
        assertThat(redactions.unproven())
                .extracting(AuditFault::code, AuditFault::location, AuditFault::chain, AuditFault::sequence)
                .containsExactly(tuple(FaultCode.REDACTION_UNPROVEN, at(offset), CHAIN, 4L));
    }

    @Test
    void aRedactionIsFoundedOnceItsRecordIsLocated() {
        assertThat(redactions.hasUnlocated()).isFalse();
        see(event, 9);
        assertThat(redactions.hasUnlocated()).isTrue();
        assertThat(redactions.unlocatedChains()).containsExactly(CHAIN);
        redactions.locate(links.get(3));
        assertThat(redactions.hasUnlocated()).isTrue();
        redactions.locate(original);
        assertThat(redactions.hasUnlocated()).isFalse();
        assertThat(redactions.unlocatedChains()).isEmpty();
        assertThat(redactions.unfounded()).isEmpty();
    }

    @Test
    void aRedactionThatNamesNoRecordIsReportedWhereItIsRecordedFirst() {
        redaction.setRecordHash(ByteBuffer.allocate(32));
        see(event, 9);
        see(Links.redacting(redaction, event), 10);
        links.forEach(redactions::locate);
        assertThat(redactions.unfounded())
                .extracting(AuditFault::code, AuditFault::location, AuditFault::chain, AuditFault::sequence)
                .containsExactly(tuple(FaultCode.REDACTION_UNFOUNDED, at(9), CHAIN, 9L));
    }

    @Test
    void aRedactionOfTheRecordOfARedactionIsUnfounded() {
        AuditRecord second = Links.redacting(Links.redactionOf(event), event);
        see(event, 9);
        see(second, 10);
        links.forEach(redactions::locate);
        redactions.locate(event);
        redactions.locate(second);
        assertThat(redactions.unfounded()).extracting(AuditFault::location).containsExactly(at(10));
    }

    private Redaction approval(AuditRecord link) {
        Redaction approval = Links.redactionOf(link);
        approval.setApproves(true);
        return approval;
    }

    @Test
    void anApprovalIsFoundedByARecordWithAChangedDefinitionAlone() {
        AuditRecord changed = links.get(3);
        changed.setWarnings(List.of("MCP_DEFINITION_CHANGED"));
        Redaction forged = approval(changed);
        forged.setRecordHash(ByteBuffer.allocate(32));
        see(Links.redacting(approval(changed), links.get(8)), 9);
        see(Links.redacting(approval(original), links.get(8)), 10);
        see(Links.redacting(forged, links.get(8)), 11);
        assertThat(redactions.approvals()).isEqualTo(3);
        assertThat(redactions.events()).isZero();
        links.forEach(redactions::locate);
        assertThat(redactions.unfounded())
                .extracting(AuditFault::code, AuditFault::location)
                .containsExactlyInAnyOrder(
                        tuple(FaultCode.REDACTION_UNFOUNDED, at(10)), tuple(FaultCode.REDACTION_UNFOUNDED, at(11)));
    }

    @Test
    void anApprovalProvesNoRedactedCopy() {
        original.setWarnings(List.of("MCP_DEFINITION_CHANGED"));
        Redaction approval = approval(original);
        see(Redactions.redact(original, approval), 4);
        see(Links.redacting(approval, links.get(8)), 9);
        see(Redactions.redact(original, redaction), 10);
        assertThat(redactions.unproven())
                .extracting(AuditFault::code, AuditFault::location)
                .containsExactlyInAnyOrder(
                        tuple(FaultCode.REDACTION_UNPROVEN, at(4)), tuple(FaultCode.REDACTION_UNPROVEN, at(10)));
    }

    @Test
    void aRedactionOfAnExpiredRecordIsNotCompared() {
        see(event, 9);
        redactions.ignoreBefore(chain -> chain.equals(CHAIN) ? 4 : 100);
        assertThat(redactions.hasUnlocated()).isTrue();
        redactions.ignoreBefore(chain -> chain.equals(CHAIN) ? 5 : 0);
        assertThat(redactions.hasUnlocated()).isFalse();
    }
}
