package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley run} in a process of its own, stopped as systemd and Kubernetes stop it. */
@Tag("long")
class RunIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);

    @TempDir
    private Path directory;

    @Test
    void sigtermEndsItInOrderWithStatus0AndALineInEachFormat() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            List<String> run = CommandResult.arguments(embeddedEnvironment.config(), "run");
            String text = stopped(run, "text", "parley: ready");
            assertThat(text.lines())
                    .anyMatch(line -> line.startsWith("parley: HTTP API at http://127.0.0.1:"))
                    .last()
                    .asString()
                    .matches("parley: stopped after \\d+ ms");

            String json = stopped(run, "json", "\"event\":\"ready\"");
            List<String> events = new ArrayList<>();
            for (String line : json.lines().toList()) {
                for (JsonNode pair : new ObjectMapper().readTree(line).path("kvpList")) {
                    if (pair.has("event")) {
                        events.add(pair.path("event").asText());
                    }
                    if (pair.has("url")) {
                        assertThat(pair.path("url").asText()).startsWith("http://127.0.0.1:");
                    }
                }
            }
            assertThat(events).containsExactly("started", "ready", "stopped");
        }
    }

    @Test
    void sigtermWhileItWaitsForBrokersEndsItWithStatus0() throws Exception {
        List<String> run = List.of(
                "run",
                "--set",
                ParleyConfig.BOOTSTRAP_SERVERS + "=127.0.0.1:1",
                "--set",
                ParleyConfig.STATE_DIR + "=" + directory.resolve("state"));
        assertThat(stopped(run, "json", "127.0.0.1:1").lines())
                .allMatch(line -> line.startsWith("{"))
                .last()
                .asString()
                .contains("\"event\":\"stopped\"");
    }

    @Test
    void aWrongSettingIsJsonTooWhereTheLogIs() throws Exception {
        try (ChildProcess run = start(List.of("run", "--set", "http.prt=1"), "json")) {
            assertThat(run.exitStatus()).isEqualTo(2);
            JsonNode line = new ObjectMapper().readTree(run.said());
            assertThat(line.path("level").asText()).isEqualTo("ERROR");
            assertThat(line.path("formattedMessage").asText()).contains("http.prt");
        }
    }

    /** What it said until it had ended by SIGTERM, sent when it had said something. */
    private String stopped(List<String> arguments, String format, String when) throws Exception {
        try (ChildProcess run = start(arguments, format)) {
            await().atMost(TIMEOUT)
                    .until(() -> run.said().contains(when) || !run.process().isAlive());
            run.process().destroy();
            assertThat(run.exitStatus()).as(run.said()).isZero();
            return run.said();
        }
    }

    private ChildProcess start(List<String> arguments, String format) throws IOException {
        return ChildProcess.start(directory, List.of("env", "PARLEY_LOG_FORMAT=" + format), arguments);
    }
}
