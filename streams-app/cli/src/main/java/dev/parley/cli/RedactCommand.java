package dev.parley.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.cli.export.AuditRecordLookup;
import dev.parley.cli.io.ClusterErrors;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.Progress;
import dev.parley.logging.ControlCharacters;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.redaction.Redactor;
import dev.parley.server.redaction.SendResult;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
final class RedactCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--chain",
            required = true,
            paramLabel = "CHAIN",
            description = "The chain: namespace|protocol|conversation, as the audit records and the API name it.")
    private String chain;

    @Option(
            names = "--sequence",
            required = true,
            paramLabel = "N",
            description = "Sequence of the record in the chain.")
    private long sequence;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Reason. It is recorded, so it must not repeat the redacted content.")
    private String reason;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Name of the requester. Default: the user who runs the command.")
    private String by;

    @Override
    public Integer call() throws IOException {
        if (sequence < 0) {
            throw new ParameterException(spec.commandLine(), "--sequence must be at least 0, but was " + sequence);
        }
        required("--reason", reason);
        required("--by", by);
        ParleyConfig settings = config.read(spec);
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings())) {
            return redact(
                    new Topics(settings.topics(), serdes),
                    StreamsSettings.clientSettings(settings),
                    settings.getBoolean(ParleyConfig.KEYED));
        } catch (KafkaException e) {
            return failed(ClusterErrors.describe(e, settings));
        }
    }

    private int redact(Topics topics, Map<String, Object> clients, boolean keyed) {
        Optional<AuditRecordLookup.Hit> hit;
        try (Progress progress = Progress.of("find", -1);
                AuditRecordLookup search = new AuditRecordLookup(clients, topics)) {
            hit = search.find(chain, sequence, progress::stepTo);
        }
        if (hit.isEmpty()) {
            return failed("the chain " + chain + " has no record of sequence " + sequence + " in "
                    + topics.names().audit());
        }
        AuditRecord auditRecord = hit.get().auditRecord();
        if (auditRecord.getRedaction() != null) {
            return failed("the record of sequence " + sequence + " records a redaction and cannot be redacted");
        }
        if (hit.get().redaction().isPresent()) {
            // The first redaction is permanent, so nothing is sent.
            Redaction before = hit.get().redaction().get();
            spec.commandLine()
                    .getOut()
                    .println(JsonNodeFactory.instance
                            .objectNode()
                            .put("chain", chain)
                            .put("sequence", sequence)
                            .put("redactedAt", before.getTime().toString())
                            .put("redactedBy", before.getBy())
                            .put("reason", before.getReason()));
            return 0;
        }
        Redaction request = new Redaction(
                chain,
                sequence,
                auditRecord.getSource(),
                auditRecord.getPayloadHash(),
                reason.strip(),
                by,
                Instant.ofEpochMilli(Clock.systemUTC().millis()));
        Optional<String> bad = RedactionFields.check(request);
        if (bad.isPresent()) {
            return failed("the record cannot be redacted: " + bad.get());
        }
        try (Redactor redactor = new Redactor(topics.redaction(), clients, keyed, TIMEOUT)) {
            SendResult sendResult = redactor.redact(request);
            if (sendResult instanceof SendResult.Sent sent) {
                spec.commandLine()
                        .getOut()
                        .println(JsonNodeFactory.instance
                                .objectNode()
                                .put("chain", chain)
                                .put("sequence", sequence)
                                .put("sentTopic", sent.topic())
                                .put("sentPartition", sent.partition())
                                .put("sentOffset", sent.offset()));
                return 0;
            }
            return failed(((SendResult.Unavailable) sendResult).detail());
        }
    }

    private int failed(String why) {
        spec.commandLine().getErr().println("parley redact: " + ControlCharacters.escape(why));
        return 1;
    }

    private void required(String option, String text) {
        if (text.isBlank() || text.length() > Redactor.MAX_REASON_CHARACTERS) {
            throw new ParameterException(
                    spec.commandLine(), option + " must have 1 to " + Redactor.MAX_REASON_CHARACTERS + " characters");
        }
    }
}
