package dev.parley.cli;

import dev.parley.audit.InputPosition;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.cli.export.AuditRecordLookup;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Progress;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.http.ProblemException;
import dev.parley.server.redaction.Redactor;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley redact}: redacts an audit record. */
@Command(
        name = "redact",
        description = "Redacts one audit record: queries and exports omit its content. The chain records who asked and"
                + " why, and still verifies.",
        footer = {
            "",
            "Input topics, output topics, dead letters, checkpoints and backups keep their copies; docs/audit.md lists"
                    + " them. Prints the position of the request. When the pipeline has recorded it, queries omit the"
                    + " content.",
            "",
            "Exit status: 0 if the request was sent, or the record is redacted already; 1 otherwise.",
            "",
            "Example:",
            "  parley redact --chain 'default|SLIP|1' --sequence 4 --reason 'ticket 4711'"
        })
final class RedactCommand extends ConfigCommand {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Mixin
    private RecordOptions record;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Name of the requester. Default: the user who runs the command.")
    private String by;

    /** The result for a record that is redacted already. */
    private record Redacted(String chain, long sequence, Instant redactedAt, String redactedBy, String reason) {}

    /** The position of the request. */
    private record Requested(String chain, long sequence, String sentTopic, int sentPartition, long sentOffset) {}

    @Override
    public Integer call() throws IOException {
        record.require();
        RecordOptions.requireText("--by", by);
        ParleyConfig settings = connected();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings())) {
            return redact(new Topics(settings.topics(), serdes), settings);
        }
    }

    private int redact(Topics topics, ParleyConfig settings) {
        String chain = record.chain;
        long sequence = record.sequence;
        Map<String, Object> clients = StreamsSettings.internalClients(settings);
        Optional<AuditRecordLookup.Hit> hit;
        try (Progress progress = Progress.of("find")) {
            hit = AuditRecordLookup.find(clients, topics.audit(), chain, sequence, progress::stepTo);
        }
        if (hit.isEmpty()) {
            return failed("the chain " + chain + " has no record of sequence " + sequence + " in "
                    + topics.names().audit());
        }
        AuditRecord auditRecord = hit.get().auditRecord();
        if (auditRecord.getRedaction() != null) {
            return failed(
                    "the record of sequence " + sequence + " records a redaction or approval and cannot be redacted");
        }
        if (hit.get().redaction().isPresent()) {
            // The first redaction is permanent, so nothing is sent.
            Redaction before = hit.get().redaction().get();
            JsonLines.print(new Redacted(chain, sequence, before.getTime(), before.getBy(), before.getReason()));
            return 0;
        }
        Redaction request = new Redaction(
                chain,
                sequence,
                auditRecord.getSource(),
                auditRecord.getHash(),
                record.reason.strip(),
                by,
                Instant.ofEpochMilli(Clock.systemUTC().millis()),
                false);
        Optional<String> bad = RedactionFields.check(request);
        if (bad.isPresent()) {
            return failed("the record cannot be redacted: " + bad.get());
        }
        try (Redactor redactor =
                new Redactor(topics.redaction(), clients, settings.getBoolean(ParleyConfig.KEYED), TIMEOUT)) {
            InputPosition sent = redactor.redact(request);
            JsonLines.print(new Requested(chain, sequence, sent.topic(), sent.partition(), sent.offset()));
            return 0;
        } catch (ProblemException e) {
            return failed(e.getMessage());
        }
    }
}
