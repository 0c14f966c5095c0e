package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beginnings and ends of servers and clients that are not those of a well-behaved one. */
class StdioEdgesTest {
    @TempDir
    private Path directory;

    private final WireEndpoint parley = new WireEndpoint();
    private final List<Process> processes = new ArrayList<>();

    StdioEdgesTest() throws IOException {}

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        parley.close();
    }

    private Process tap(String script) throws IOException {
        Process process = TapProcess.start(
                directory.resolve("errors"),
                "mcp",
                "--url=" + parley.url(),
                "--flush=60",
                "--state=" + directory.resolve("state"),
                "--",
                "sh",
                "-c",
                script);
        processes.add(process);
        return process;
    }

    /** Without the tap, the system keeps what the server has written until the client reads it. */
    @Test
    void theLastOutputOfAServerWaitsForItsClient() throws Exception {
        int count = 190_000;
        Process tap = tap("head -c " + count + " /dev/zero; touch " + directory.resolve("ended"));
        await().until(() -> Files.exists(directory.resolve("ended")));

        // Longer than any pause after which the tap could think that nothing passes any more.
        boolean isOver = tap.waitFor(3, TimeUnit.SECONDS);
        byte[] output = tap.getInputStream().readAllBytes();

        assertThat(isOver).isFalse();
        assertThat(output).hasSize(count);
        assertThat(tap.waitFor()).isZero();
    }

    @Test
    void aSessionWhoseFirstMessageIsLostHasNoStart() throws Exception {
        Process tap = tap("cat >/dev/null");
        try (OutputStream input = tap.getOutputStream()) {
            input.write(("x".repeat(1_200_000) + "\n{\"id\":1}\n").getBytes(UTF_8));
        }
        assertThat(tap.waitFor()).isZero();

        assertThat(parley.marks()).startsWith("gap").doesNotContain("start");
    }

    @Test
    void emptyLinesAreNoMessagesWhateverTheirEnd() throws Exception {
        Process tap = tap("cat >/dev/null");
        try (OutputStream input = tap.getOutputStream()) {
            input.write("\r\n\n{}\r\n\r\n{\"a\":1}".getBytes(UTF_8));
        }
        assertThat(tap.waitFor()).isZero();

        assertThat(parley.values(Direction.CLIENT_TO_SERVER))
                .extracting(value -> new String(value, UTF_8).strip())
                .containsExactly("{}", "{\"a\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "read x; echo got; exec 1>&-; read y; exit 5 | got | 5",
                "cat >/dev/null; echo late; exit 3 | late | 3",
                "exec 0<&-; echo deaf; exit 4 | deaf | 4",
                "sleep 60 2>&- & echo child; exit 6 | child | 6",
                "printf tail; kill -SEGV $$ | tail | 139"
            })
    void eitherSideMayEndItsHalfFirst(String script, String output, int status) throws Exception {
        Process tap = tap(script);
        try (OutputStream input = tap.getOutputStream()) {
            input.write("hi\nho\n".getBytes(UTF_8));
        } catch (IOException e) {
            assertThat(script).contains("exit 4").as("only the deaf one closes it");
        }

        assertThat(new String(tap.getInputStream().readAllBytes(), UTF_8).strip())
                .isEqualTo(output);
        assertThat(tap.waitFor()).isEqualTo(status);
        assertThat(parley.marks()).endsWith("end");
    }
}
