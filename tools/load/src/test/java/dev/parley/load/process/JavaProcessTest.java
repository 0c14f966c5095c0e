package dev.parley.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaProcessTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private JavaProcess start(String statements) throws Exception {
        Path program = Files.writeString(
                directory.resolve("Program.java"),
                "class Program { public static void main(String[] arguments) throws Exception {" + statements + "} }");
        return JavaProcess.start(
                List.of("-XX:TieredStopAtLevel=1", program.toString()), directory.resolve("program.log"));
    }

    @Test
    void theLastLineOfAProcessIsFound() throws Exception {
        try (JavaProcess process = start("System.out.println(\"a\"); System.out.println(\"port 7\");")) {
            assertThat(process.await(Pattern.compile("port (\\d+)\\s"), TIMEOUT).group(1))
                    .isEqualTo("7");
        }
    }

    @Test
    void aProcessThatEndsWithoutTheLineFailsAtOnce() throws Exception {
        try (JavaProcess process = start("System.out.println(\"port\");")) {
            assertThatThrownBy(() -> process.await(Pattern.compile("port (\\d+)"), Duration.ofDays(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(process.log().toString());
        }
    }

    @Test
    void aClosedProcessHasEnded() throws Exception {
        JavaProcess process = start("System.out.println(\"started\"); Thread.sleep(Long.MAX_VALUE);");
        process.await(Pattern.compile("started"), TIMEOUT);
        process.close();
        assertThat(process.isAlive()).isFalse();
    }
}
