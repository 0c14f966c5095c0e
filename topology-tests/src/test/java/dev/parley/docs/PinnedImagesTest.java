package dev.parley.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** deploy/pin-images replaces the tags of docker-compose.yml by digests, all or none. Docker is a script here. */
class PinnedImagesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().normalize();
    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    /**
     * A run of the script.
     *
     * @param status its exit status
     * @param output what it printed
     */
    private record Run(int status, String output) {}

    @Test
    void everyImageFromARegistryIsAVariableAndIsPinned() throws IOException, InterruptedException {
        Run run = run("case $1 in image) echo \"apache/kafka@" + DIGEST + "\" ;; esac");

        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output().lines().filter(line -> !line.startsWith("#")))
                .hasSize(5)
                .allMatch(line -> line.matches("[A-Z_]+_IMAGE=[\\w./-]+:[\\w.-]+@" + DIGEST))
                .anyMatch(line -> line.startsWith("KAFKA_IMAGE=apache/kafka:"))
                .anyMatch(line -> line.startsWith("BASE_IMAGE="))
                .noneMatch(line -> line.contains("localhost/"));
        assertThat(Files.readAllLines(ROOT.resolve("docker-compose.yml")).stream()
                        .map(String::strip)
                        .filter(line -> line.startsWith("image:") || line.startsWith("BASE:")))
                .allMatch(line -> line.matches("(image|BASE): \\$\\{[A-Z_]+_IMAGE:-[^}]+}"));
    }

    @Test
    void withoutADigestNothingIsPinned() throws IOException, InterruptedException {
        assertThat(run("exit 0").output()).contains("has no digest").doesNotContain("_IMAGE=");
        assertThat(run("exit 1").output()).contains("cannot be pulled").doesNotContain("_IMAGE=");
        assertThat(run("exit 1").status()).isEqualTo(1);
    }

    private Run run(String docker) throws IOException, InterruptedException {
        Path command = directory.resolve("docker");
        Files.writeString(command, "#!/bin/sh\n" + docker + "\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        ProcessBuilder script = new ProcessBuilder(
                List.of("bash", ROOT.resolve("deploy/pin-images").toString()));
        script.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
        script.environment().keySet().removeIf(name -> name.endsWith("_IMAGE"));
        Process process = script.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Run(process.waitFor(), output);
    }
}
