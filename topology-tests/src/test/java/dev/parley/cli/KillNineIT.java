package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo in a process of its own, broker and all, killed without a chance to say good-bye, and started again on what it left behind. */
class KillNineIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration OFTEN = Duration.ofMillis(5);

    @TempDir
    private Path directory;

    @Test
    void killedWhileItSendsAndWhileItJudgesTheSamplesItLosesNothingAndDoesNothingTwice() throws Exception {
        killWhen((demo, api) -> demo.hasSaid("sending"));
        killWhen((demo, api) -> demo.hasSaid("sending")
                && !api.get("/v1/conversations?limit=1").path("items").isEmpty());

        Demo again = Demo.start(directory, "--port", "0", "--exit");
        assertThat(again.exitStatus()).as(again.said()).isZero();
        assertThat(again.said()).contains(": balanced");
        try (House house = House.open(directory.resolve("data"))) {
            Evidence evidence = house.evidence();
            assertThat(evidence.inputCount()).isEqualTo(Samples.load().size());
            evidence.nothingIsLostAndNothingIsTwice().everyChainVerifies().everyDeadLetterIsItsInput();
        }
    }

    private void killWhen(BiPredicate<Demo, Api> moment) throws Exception {
        int port = freePort();
        Demo demo = Demo.start(directory, "--port", Integer.toString(port));
        try {
            Api api = new Api(URI.create("http://127.0.0.1:" + port));
            await().atMost(PATIENCE).pollInterval(OFTEN).until(() -> moment.test(demo, api));
        } finally {
            demo.kill();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    /** The demo in another process. */
    private record Demo(Process process, Path output) {

        static Demo start(Path directory, String... options) throws IOException {
            Path output = Files.createTempFile(directory, "demo", ".txt");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Parley.class.getName(),
                    "demo",
                    "--data",
                    directory.resolve("data").toString()));
            command.addAll(List.of(options));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new Demo(process, output);
        }

        String said() {
            try {
                return Files.readString(output, UTF_8);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        boolean hasSaid(String text) {
            assertThat(process.isAlive()).as(() -> said()).isTrue();
            return said().contains(text);
        }

        void kill() throws InterruptedException {
            process.destroyForcibly();
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        int exitStatus() throws InterruptedException {
            try {
                assertThat(process.waitFor(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(() -> said())
                        .isTrue();
                return process.exitValue();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
