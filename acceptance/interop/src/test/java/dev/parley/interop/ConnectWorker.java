package dev.parley.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A standalone worker of Kafka Connect in a process of its own, with the files of deploy/connect. */
final class ConnectWorker implements AutoCloseable {
    private static final Path FILES = Path.of("deploy", "connect");
    private static final Path LIBRARIES = Path.of("acceptance", "interop", "worker", "target", "lib");
    private static final long TIMEOUT_SECONDS = 60;

    private final Path directory;
    private final Process process;

    private ConnectWorker(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /**
     * Starts a worker.
     *
     * @param directory a directory for its files; a later worker gets the same one
     * @param plugins directories of plugins, by their names
     * @param connector name of a file in deploy/connect
     * @param settings settings in place of those of the worker's file
     */
    static ConnectWorker start(
            Path directory,
            Map<String, Path> plugins,
            String connector,
            Map<String, String> settings,
            Map<String, String> environment)
            throws IOException {
        assertThat(LIBRARIES).as("libraries of the worker, which Maven copies").isDirectory();
        Path pluginPath = Files.createDirectories(directory.resolve("plugins"));
        for (Map.Entry<String, Path> plugin : plugins.entrySet()) {
            assertThat(plugin.getValue()).isDirectory();
            Path link = pluginPath.resolve(plugin.getKey());
            if (!Files.exists(link)) {
                Files.createSymbolicLink(
                        link, plugin.getValue().toAbsolutePath().normalize());
            }
        }
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(FILES.resolve("worker.properties"))) {
            properties.load(in);
        }
        properties.setProperty("plugin.path", pluginPath.toString());
        properties.setProperty(
                "offset.storage.file.filename", directory.resolve("offsets").toString());
        properties.setProperty("listeners", "http://127.0.0.1:0");
        // The group waits this long for a worker that was killed.
        properties.setProperty("consumer.session.timeout.ms", "6000");
        properties.setProperty("consumer.heartbeat.interval.ms", "2000");
        settings.forEach(properties::setProperty);
        Path worker = directory.resolve("worker.properties");
        try (var out = Files.newBufferedWriter(worker)) {
            properties.store(out, null);
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                LIBRARIES.toAbsolutePath() + "/*",
                "org.apache.kafka.connect.cli.ConnectStandalone",
                worker.toString(),
                FILES.resolve(connector).toAbsolutePath().toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("worker.log").toFile()));
        builder.environment().putAll(environment);
        return new ConnectWorker(directory, builder.start());
    }

    /** Its log, and that of the workers before it in the same directory. */
    String log() throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve("worker.log"))) {
            return String.join(
                    "\n", lines.filter(line -> !line.contains(" INFO ")).toList());
        }
    }

    /** Whether it has ended, or a task has failed permanently. */
    boolean isFailed() throws IOException {
        return !process.isAlive() || log().contains("Task threw an uncaught and unrecoverable exception");
    }

    /** Fails with its log if {@link #isFailed}. */
    void requireHealthy() throws IOException {
        assertThat(isFailed()).as(log()).isFalse();
    }

    /** Kills it as kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
