package dev.parley.cli.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.Parley;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A command in another process, which a test can kill.
 *
 * @param process the process
 * @param output its standard output and error
 */
public record ChildProcess(Process process, Path output) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(240);

    /** Starts it with these arguments; what it says goes into a new file in that directory. */
    public static ChildProcess start(Path directory, List<String> arguments) throws IOException {
        return start(directory, List.of(), arguments);
    }

    /** Starts it with a prefix of the command, such as {@code env} with variables, and these arguments. */
    public static ChildProcess start(Path directory, List<String> prefix, List<String> arguments) throws IOException {
        Path output = Files.createTempFile(directory, "child", ".txt");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // The configuration of the product, not of the tests.
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Parley.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new ChildProcess(process, output);
    }

    /**
     * Starts it with a directory for its temporary files, and with the default action of SIGINT, which a process in the
     * background of a shell ignores.
     */
    public static ChildProcess startInterruptible(Path directory, Path temporary, List<String> arguments)
            throws IOException {
        return start(
                directory,
                List.of("env", "--default-signal=INT", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + temporary),
                arguments);
    }

    public String said() {
        try {
            return Files.readString(output, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has said this; it must be alive. */
    public boolean hasSaid(String text) {
        assertThat(process.isAlive()).as(this::said).isTrue();
        return said().contains(text);
    }

    /** Kills it as kill -9 does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Sends it a signal by its name without SIG. */
    public void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    public int exitStatus() throws InterruptedException {
        try {
            assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as(this::said)
                    .isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
