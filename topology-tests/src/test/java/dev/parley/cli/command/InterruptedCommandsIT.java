package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that write files, as processes that a signal ends in the middle: the Schema Registry never answers. */
@Tag("long")
class InterruptedCommandsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Map<String, Integer> SIGNALS = Map.of("TERM", 143, "INT", 130);

    @TempDir
    private Path directory;

    @Test
    void anInterruptedCommandLeavesNothing() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory);
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ParleyConfig config = environment.config(Map.of(AuditKeys.HEADS_INTERVAL_MS, 1_000));
            try (Application application = Application.start(config)) {
                RunningParley.feed(config, new ApiClient(application.uri()), TIMEOUT);
            }
            for (Map.Entry<String, List<String>> command : commands().entrySet()) {
                for (Map.Entry<String, Integer> signal : SIGNALS.entrySet()) {
                    List<String> arguments =
                            CommandResult.arguments(config, command.getValue().toArray(String[]::new));
                    arguments.addAll(
                            List.of("--set", ParleyConfig.REGISTRY_URL + "=http://127.0.0.1:" + silent.getLocalPort()));
                    interrupt(command.getKey(), arguments, signal.getKey(), signal.getValue());
                }
            }
            // The export never comes.
            String pipe = directory.resolve("pipe").toString();
            assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
            for (Map.Entry<String, Integer> signal : SIGNALS.entrySet()) {
                List<String> arguments = List.of("evidence", pipe, "--out", out("evidence"));
                interrupt("evidence", arguments, signal.getKey(), signal.getValue());
            }
        }
    }

    /** Commands by the start of the name of what they write. */
    private Map<String, List<String>> commands() {
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put("export.jsonl.part", List.of("export", "--out", out("export.jsonl")));
        commands.put("export.parquet.part", List.of("export", "--format", "parquet", "--out", out("export.parquet")));
        commands.put("parley-sql-", List.of("sql", "SELECT * FROM audit"));
        return commands;
    }

    private Path written() throws IOException {
        return Files.createDirectories(directory.resolve("written"));
    }

    private String out(String name) {
        return directory.resolve("written").resolve(name).toString();
    }

    private void interrupt(String file, List<String> arguments, String signal, int exit) throws Exception {
        try (ChildProcess child = ChildProcess.startInterruptible(directory, written(), arguments)) {
            await().atMost(TIMEOUT).until(() -> {
                assertThat(child.process().isAlive()).as(child::said).isTrue();
                return files().stream().anyMatch(name -> name.startsWith(file));
            });
            child.signal(signal);
            assertThat(child.exitStatus()).as(child::said).isEqualTo(exit);
        }
        assertThat(files()).as("%s after SIG%s", arguments.get(0), signal).isEmpty();
    }

    /** What the commands have written, without the directory of performance data of the JVM. */
    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(written())) {
            return new ArrayList<>(files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("hsperfdata"))
                    .toList());
        }
    }
}
