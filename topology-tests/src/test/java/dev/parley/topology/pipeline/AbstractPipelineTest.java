package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.ChainVerifier;
import dev.parley.avro.AuditRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test its own pipeline, and verifies its chains afterwards. */
abstract class AbstractPipelineTest {

    @TempDir
    private Path directory;

    protected PipelineDriver pipeline;

    protected final void start(Map<String, ?> changes) {
        pipeline = PipelineDriver.in(directory, changes);
    }

    protected final void start() {
        start(Map.of());
    }

    @AfterEach
    final void everyChainVerifies() {
        try {
            ChainVerifier verifier = new ChainVerifier();
            for (AuditRecord link : pipeline.audit()) {
                assertThat(verifier.check(link)).isEmpty();
            }
        } finally {
            pipeline.close();
        }
    }

    protected static Map<String, String> texts(Headers headers) {
        return List.of(headers.toArray()).stream()
                .collect(Collectors.toMap(Header::key, header -> new String(header.value(), UTF_8)));
    }
}
