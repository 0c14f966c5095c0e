package dev.parley.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command of the container image, with a Java that prints its arguments. */
class ImageLauncherTest {
    private static final Path LAUNCHER =
            Path.of("deploy/containers/parley/launch").toAbsolutePath();
    private static final String SILENT = "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";

    @TempDir
    private Path home;

    @ParameterizedTest
    @CsvSource({"17.0.9,false", "21,false", "24.0.1,true", "25,true"})
    void aNewerJavaIsSilentAboutNativeLibrariesAndAnOlderOneStarts(String version, boolean silent) throws Exception {
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");

        assertThat(arguments().contains(SILENT)).isEqualTo(silent);
    }

    @Test
    void aJavaThatDoesNotTellItsVersionStarts() throws Exception {
        assertThat(arguments()).startsWith("-XX:MaxRAMPercentage").endsWith("-jar /opt/parley/parley.jar run");
    }

    @ParameterizedTest
    @CsvSource({"run,false", "verify,false", "judge,true", "--version,true"})
    void shortCommandsHaveNoOptimizingCompiler(String command, boolean isShort) throws Exception {
        assertThat(arguments(command).contains("-XX:TieredStopAtLevel=1 ")).isEqualTo(isShort);
    }

    private String arguments() throws IOException, InterruptedException {
        return arguments("run");
    }

    private String arguments(String command) throws IOException, InterruptedException {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        ProcessBuilder launcher = new ProcessBuilder("sh", LAUNCHER.toString(), command).redirectErrorStream(true);
        launcher.environment().put("PATH", java.getParent() + ":/usr/bin:/bin");
        launcher.environment().remove("PARLEY_OPTS");
        Process process = launcher.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
