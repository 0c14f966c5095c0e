package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.transcript.Transcript;
import dev.parley.server.ServerConfig;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agents choose how long their names and values are. What Parley remembers of them goes into single records, which must
 * not outgrow what a broker takes, or the pipeline would stop at the same message for ever.
 */
@Tag("long")
class LargeRecordsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int NAME_BYTES = 300_000;
    /** So many that together they are larger than the largest record. */
    private static final int MESSAGES = 45;

    @TempDir
    private Path directory;

    @Test
    void longNamesAndValuesInOneConversationDoNotStopThePipeline() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = withSmallRecords(embeddedEnvironment.config());
            assertThat((long) MESSAGES * NAME_BYTES).isGreaterThan(config.outputRecordBytes());
            try (Application application = Application.start(config)) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                List<Transcript.Line> lines = lines();
                RunningParley.send(config, lines);
                RunningParley.awaitAccounted(apiClient, lines.size(), TIMEOUT);
                assertThat(apiClient
                                .get("/v1/dead-letters?code=CSP_STATE_TOO_LARGE")
                                .path("items"))
                        .isNotEmpty();
                embeddedEnvironment
                        .topics()
                        .nothingIsLostAndNothingIsTwice()
                        .everyChainVerifies()
                        .everyDeadLetterIsItsInput();
            }
        }
    }

    private static List<Transcript.Line> lines() {
        List<Transcript.Line> lines = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            lines.add(line("tasks", "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK " + name(i) + "\nREQ x"));
            lines.add(line("terms", "{def:d" + i + "=" + name(i) + "}!Ik"));
            lines.add(line(
                    "patches",
                    "CSP/1\nFROM A\nTO B\nCTX C" + i + "\nINTENT PATCH\n\nPATCH P" + i + "\nBASE C" + Math.min(i, 10)
                            + "\n+ DEF D" + i + " = " + name(i) + "\nAPPLY -> C" + (i + 1)));
        }
        return lines;
    }

    private static String name(int number) {
        return "n" + number + "x".repeat(NAME_BYTES);
    }

    private static Transcript.Line line(String conversation, String wire) {
        return new Transcript.Line(
                conversation.getBytes(UTF_8), Map.of(), wire.getBytes(UTF_8), null, null, Optional.empty());
    }

    private static ParleyConfig withSmallRecords(ParleyConfig config) {
        Map<String, Object> values = new HashMap<>(config.originals());
        values.put(ParleyConfig.RECORD_BYTES, 1 << 20);
        return ServerConfig.of(values);
    }
}
