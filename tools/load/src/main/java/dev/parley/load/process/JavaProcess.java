package dev.parley.load.process;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java process whose output goes to a log. Closing it stops it. */
public final class JavaProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 120;
    private static final long POLL_MS = 20;

    private final Process process;
    private final Path log;
    private final long start = System.nanoTime();

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts the JVM of this process with these arguments. */
    public static JavaProcess start(List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(program("java")));
        command.addAll(arguments);
        return new JavaProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /**
     * Starts {@code parley run}.
     *
     * @param java arguments of the JVM, up to its program
     * @param config configuration by key
     */
    public static JavaProcess parley(List<String> java, Map<String, String> config, Path log) throws IOException {
        List<String> arguments = new ArrayList<>(java);
        arguments.add("run");
        config.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return start(arguments, log);
    }

    private static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /**
     * Waits for a line in the log, which the process may print as its last one.
     *
     * @param line pattern of the line
     * @return the first match
     * @throws IllegalStateException if the process ends without it or takes too long; the message names the log
     */
    public Matcher await(Pattern line, Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        StringWriter text = new StringWriter();
        try (Reader reader = new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8)) {
            while (true) {
                // Before reading: the log of a process that has ended is complete.
                boolean last = !isAlive() || System.nanoTime() >= deadline;
                reader.transferTo(text);
                Matcher found = line.matcher(text.getBuffer());
                if (found.find()) {
                    return found;
                }
                if (last) {
                    throw new IllegalStateException("No line '" + line + "' in " + log);
                }
                process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Time since its start, in nanoseconds. */
    public long nanos() {
        return System.nanoTime() - start;
    }

    /** Its processor time, in nanoseconds. */
    public long cpuNanos() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    /** Its resident memory in MiB on Linux, 0 elsewhere. */
    public double residentMiB() throws IOException {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                / 1024.0;
    }

    /** Runs a full garbage collection. */
    public void collectGarbage() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(program("jcmd"), Long.toString(process.pid()), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (jcmd.waitFor() != 0) {
            throw new IllegalStateException("jcmd could not reach the process; see " + log);
        }
    }

    /** The log. */
    public Path log() {
        return log;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
