package dev.parley.log.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.Links;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.Redaction;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.LogNoteReader;
import dev.parley.log.Trail;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportItem;
import dev.parley.log.export.ExportItems;
import dev.parley.log.export.ExportReader;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.export.RecordedRedactions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests redacted exports and their verification. */
class RedactionExportTest {
    private static final int LENGTH = 5;
    private static final String CHAIN = "default|SLIP|1";

    @TempDir
    private Path directory;

    private final Trail trail = Trail.of(Trail.key(), Map.of(CHAIN, 0), LENGTH);
    private final Redaction first = Links.redactionOf(trail.records.get(3));

    @Test
    void theFirstMatchingRedactionCountsAndNoLaterOneRestoresThePayload() throws Exception {
        Redaction wrong = Links.redactionOf(trail.records.get(3));
        wrong.setRecordHash(ByteBuffer.allocate(32));
        Redaction later = Links.redactionOf(trail.records.get(3));
        later.setBy("mallory");
        record(wrong);
        record(first);
        record(later);
        record(wrong);
        byte[] export = export();

        AuditRecord redacted = records(export).get(3);
        assertThat(redacted.getMessage()).isNull();
        assertThat(redacted.getRedacted()).isEqualTo(first);
        assertThat(records(export).get(4).getMessage()).isNotNull();
        List<AuditFault> told = new ArrayList<>();
        VerificationSummary verificationSummary = verify(export, told);
        assertThat(verificationSummary.isSound()).isTrue();
        assertThat(told).extracting(AuditFault::code).containsExactly(FaultCode.REDACTION_UNFOUNDED);
        assertThat(told).extracting(AuditFault::sequence).containsExactly((long) LENGTH);
    }

    @Test
    void aRedactionThatNamesItsRecordCausesNoNotice() throws Exception {
        record(first);
        List<AuditFault> told = new ArrayList<>();
        assertThat(verify(export(), told).isSound()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void anApprovalHidesNothingAndPreventsNoRedaction() throws Exception {
        Redaction approval = Links.redactionOf(trail.records.get(3));
        approval.setApproves(true);
        record(approval);
        assertThat(records(export()).get(3).getMessage()).isNotNull();
        record(first);
        byte[] export = export();

        assertThat(records(export).get(3).getRedacted()).isEqualTo(first);
        List<AuditFault> told = new ArrayList<>();
        VerificationSummary summary = verify(export, told);
        assertThat(summary.isSound()).isTrue();
        assertThat(summary.redactions()).isOne();
        assertThat(summary.approvals()).isOne();
        assertThat(told)
                .as("the record has no changed definition")
                .singleElement()
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(FaultCode.REDACTION_UNFOUNDED, (long) LENGTH);
    }

    @Test
    void aRedactionOfALaterRecordHidesNothing() throws Exception {
        AuditRecord later = Links.sealed(
                Links.unhashed(CHAIN, LENGTH + 1, trail.records.get(0).getHash()));
        record(Links.redactionOf(later));
        trail.append(0, later);
        trail.reseal();
        assertThat(records(export()).get(LENGTH + 1).getRaw()).isNotNull();
    }

    private void record(Redaction redaction) {
        AuditRecord event = Links.redacting(redaction, trail.records.get(trail.records.size() - 1));
        event.getSource().setTopic("parley.redaction.v1");
        trail.append(0, event);
        Links.sealed(event);
    }

    private byte[] export() throws Exception {
        RecordedRedactions redactions = new RecordedRedactions();
        trail.records.forEach(redactions::add);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ExportWriter writer = ExportFormat.JSONL.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            for (AuditHead note : trail.notes()) {
                exporter.note(note);
            }
            for (AuditRecord link : trail.records) {
                exporter.record(redactions.redacted(link));
            }
            exporter.end();
        }
        return out.toByteArray();
    }

    private static List<AuditRecord> records(byte[] export) throws Exception {
        List<AuditRecord> records = new ArrayList<>();
        try (ExportItems items = new ExportItems(new ExportReader(new ByteArrayInputStream(export)), false, 1)) {
            for (var item = items.next(); item.isPresent(); item = items.next()) {
                item.map(each -> ((ExportItem.Entry) each).entry().getRecord()).ifPresent(records::add);
            }
        }
        return records;
    }

    private VerificationSummary verify(byte[] export, List<AuditFault> told) throws Exception {
        Path file = Files.write(directory.resolve("export"), export);
        return new FileVerification(
                        new LogNoteReader(List.of()), StoredHeads.NONE, StoredHeads.NONE, 2, new ProgressListener() {
                            @Override
                            public void found(AuditFault auditFault) {
                                told.add(auditFault);
                            }

                            @Override
                            public void progress(long done, long total) {}
                        })
                .run(file)
                .summary();
    }
}
