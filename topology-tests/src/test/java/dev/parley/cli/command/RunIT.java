package dev.parley.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.Parley;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        Process process = start(List.of("run", "--set", "http.prt=1"), "json");
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        JsonNode line = new ObjectMapper().readTree(said());
        assertThat(line.path("level").asText()).isEqualTo("ERROR");
        assertThat(line.path("formattedMessage").asText()).contains("http.prt");
    }

    /** What it said until it had ended by SIGTERM, sent when it had said something. */
    private String stopped(List<String> arguments, String format, String when) throws Exception {
        Process process = start(arguments, format);
        try {
            await().atMost(TIMEOUT).until(() -> said().contains(when) || !process.isAlive());
            process.destroy();
            assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as("stopped")
                    .isTrue();
            assertThat(process.exitValue()).as(said()).isZero();
            return said();
        } finally {
            process.destroyForcibly();
        }
    }

    private String said() throws IOException {
        return Files.readString(directory.resolve("said"), UTF_8);
    }

    private Process start(List<String> arguments, String format) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Parley.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile());
        builder.environment().put("PARLEY_LOG_FORMAT", format);
        return builder.start();
    }
}
