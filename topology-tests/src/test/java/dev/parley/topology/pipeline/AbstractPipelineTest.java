package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.log.ChainVerifier;
import dev.parley.topology.kafka.SourceTopicMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test its own pipeline, and verifies its chains and its log afterwards. */
abstract class AbstractPipelineTest {

    @TempDir
    private Path directory;

    protected PipelineDriver pipeline;

    protected final void start(Map<String, ?> changes) {
        pipeline = PipelineDriver.in(directory, changes);
    }

    protected final void start(Map<String, ?> changes, SourceTopicMetadata sources) {
        pipeline = PipelineDriver.in(directory, changes, sources);
    }

    protected final void start(PipelineListener listener) {
        pipeline = PipelineDriver.in(directory, Map.of(), listener);
    }

    protected final void start() {
        start(Map.of());
    }

    @AfterEach
    final void chainsAndLogVerify() {
        try {
            ChainVerifier verifier = new ChainVerifier();
            for (AuditRecord link : pipeline.audit()) {
                assertThat(verifier.check(link)).isEmpty();
            }
            if (everyRecordIsWritten()) {
                LogTrees.verify(
                        pipeline.audit(),
                        pipeline.heads().stream().map(TestRecord::value).toList());
            }
        } finally {
            pipeline.close();
        }
    }

    /** Whether every record of the log can be written to the audit topic. */
    private boolean everyRecordIsWritten() {
        return pipeline.deadLetters(Stage.INTERNAL).isEmpty();
    }

    protected static Map<String, String> texts(Headers headers) {
        return List.of(headers.toArray()).stream()
                .collect(Collectors.toMap(Header::key, header -> new String(header.value(), UTF_8)));
    }
}
