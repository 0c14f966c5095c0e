package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.InnerMessage;
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

class RedactionsTest {
    private final AuditRecord link = Links.messages("default|SLIP|1", 2).get(1);
    private final Redaction redaction = Links.redactionOf(link);
    private final AuditRecord event = Links.redacting(redaction, link);

    @Test
    void aRedactedCopyHasTheMetadataAndTheHashesButNoContent() {
        link.setInnerMessages(List.of(new InnerMessage("SLIP", 0, 1)));
        AuditRecord copy = Redactions.redact(link, redaction);

        assertThat(copy.getMessage()).isNull();
        assertThat(copy.getDetail()).isNull();
        assertThat(copy.getInnerMessages()).isEmpty();
        assertThat(copy.getRedacted()).isEqualTo(redaction);
        assertThat(copy.getHash()).isEqualTo(link.getHash());
        assertThat(copy.getContentHash()).isEqualTo(link.getContentHash());
        assertThat(copy.getCode()).isEqualTo(link.getCode());
        assertThat(link.getMessage()).as("the record itself").isNotNull();
    }

    @Test
    void aRecordWithContentIsNoRedactedCopy() {
        AuditRecord copy = Redactions.redact(link, redaction);
        assertThat(Redactions.isRedactedCopy(copy)).isTrue();
        assertThat(Redactions.isMetadataOnly(copy)).isTrue();
        assertThat(Redactions.isMetadataOnly(link)).isFalse();

        link.setRedacted(redaction);
        assertThat(Redactions.isRedactedCopy(link)).as("with its message").isFalse();
        copy.setClaims(new Claims("SLIP", "mine", "7", "S"));
        assertThat(Redactions.isRedactedCopy(copy)).as("with claims").isFalse();
        copy.setClaims(null);
        copy.setInnerMessages(List.of(new InnerMessage("SLIP", 0, 1)));
        assertThat(Redactions.isRedactedCopy(copy)).as("with inner messages").isFalse();
        copy.setInnerMessages(List.of());
        copy.setRedacted(null);
        assertThat(Redactions.isRedactedCopy(copy)).as("without a redaction").isFalse();
        assertThat(Redactions.isMetadataOnly(copy)).isTrue();
    }

    static Stream<Arguments> otherRecords() {
        return Stream.of(
                change("chain", request -> request.setChain("default|SLIP|2")),
                change("sequence", request -> request.setSequence(0L)),
                change("offset", request -> request.getSource().setOffset(7L)),
                change("hash", request -> request.setRecordHash(ByteBuffer.allocate(AuditChain.HASH_BYTES))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherRecords")
    void aRedactionConcernsOnlyTheRecordThatItNames(String what, Consumer<Redaction> change) {
        Redaction other = Links.redactionOf(Links.messages("default|SLIP|1", 2).get(1));
        assertThat(Redactions.concerns(other, link)).isTrue();

        change.accept(other);
        assertThat(Redactions.concerns(other, link)).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherRecords")
    void anApprovalConcernsOnlyTheChangedDefinitionThatItNames(String what, Consumer<Redaction> change) {
        Redaction approval = Links.redactionOf(link);
        approval.setSource(Links.messages("default|SLIP|1", 2).get(1).getSource());
        approval.setApproves(true);
        assertThat(Redactions.approves(approval, link))
                .as("without the warning")
                .isFalse();
        link.setWarnings(List.of("SLIP_RANGE", "MCP_DEFINITION_CHANGED"));
        assertThat(Redactions.approves(approval, link)).isTrue();
        assertThat(Redactions.approves(redaction, link)).as("a redaction").isFalse();
        assertThat(Redactions.concerns(approval, link)).as("removes nothing").isFalse();

        change.accept(approval);
        assertThat(Redactions.approves(approval, link)).isFalse();
    }

    @Test
    void theRecordOfARedactionCannotBeRedacted() {
        assertThat(Redactions.concerns(Links.redactionOf(event), event)).isFalse();
    }

    static Stream<Arguments> otherEvents() {
        return Stream.of(
                event("no redaction", record -> record.setRedaction(null)),
                event("a rejected redaction", record -> record.setVerdict(Verdict.REJECTED.name())),
                event("a redacted record", record -> record.setRedacted(record.getRedaction())),
                event(
                        "a record of another chain",
                        record -> record.getRedaction().setChain("default|SLIP|2")),
                event("itself", record -> record.getRedaction().setSequence(record.getSequence())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherEvents")
    void onlyAnAcceptedRedactionOfAnEarlierRecordOfTheChainTakesEffect(String what, Consumer<AuditRecord> change) {
        assertThat(Redactions.isEvent(event)).isTrue();

        change.accept(event);
        assertThat(Redactions.isEvent(event)).isFalse();
    }

    private static Arguments change(String what, Consumer<Redaction> change) {
        return Arguments.of(what, change);
    }

    private static Arguments event(String what, Consumer<AuditRecord> change) {
        return Arguments.of(what, change);
    }
}
