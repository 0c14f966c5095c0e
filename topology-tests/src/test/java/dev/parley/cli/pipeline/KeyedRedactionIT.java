package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.protocol.TopicNames;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Input that is keyed by conversation, in several partitions: the partition of a conversation is not that of its
 * chain's key.
 */
@Tag("long")
class KeyedRedactionIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int CONVERSATIONS = 6;

    @TempDir
    private Path directory;

    @Test
    void redactionRequestReachesTheTaskOfItsChain() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = embeddedEnvironment.config(Map.of(ParleyConfig.KEYED, true));
            try (Application application = Application.start(config);
                    TranscriptProducer transcriptProducer = new TranscriptProducer(config)) {
                for (int i = 1; i <= CONVERSATIONS; i++) {
                    transcriptProducer.send(line(Integer.toString(i), "@a3|f0|c" + i + "|S0|d1|T1#"));
                    transcriptProducer.send(line(Integer.toString(i), "hello"));
                }
                transcriptProducer.flush();
                List<AuditRecord> audit = await().atMost(TIMEOUT)
                        .until(
                                () -> embeddedEnvironment.topics().audit(),
                                records -> records.size() == 2 * CONVERSATIONS);
                assertThat(audit)
                        .extracting(record -> record.getSource().getPartition())
                        .contains(0, 1);

                for (AuditRecord record : audit) {
                    CommandResult.redact(config, record);
                }

                List<AuditRecord> redactions = await()
                        .atMost(TIMEOUT)
                        .until(
                                () -> embeddedEnvironment.topics().audit(),
                                records -> records.size() == 4 * CONVERSATIONS)
                        .stream()
                        .filter(record -> record.getSource()
                                .getTopic()
                                .equals(embeddedEnvironment.names().redaction()))
                        .toList();
                assertThat(redactions)
                        .extracting(AuditRecord::getVerdict)
                        .hasSize(2 * CONVERSATIONS)
                        .containsOnly(Verdict.ACCEPTED.name());
                assertThat(redactions)
                        .extracting(record -> record.getRedaction().getSource())
                        .containsExactlyInAnyOrderElementsOf(
                                audit.stream().map(AuditRecord::getSource).toList());
                embeddedEnvironment.topics().everyChainVerifies();
            }
        }
    }

    private static Transcript.Line line(String key, String wire) {
        return new Transcript.Line(
                key.getBytes(UTF_8), Map.of(), wire.getBytes(UTF_8), TopicNames.DEFAULT.wire(), null, Optional.empty());
    }
}
