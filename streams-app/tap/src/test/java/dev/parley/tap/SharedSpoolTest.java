package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers of one configuration share a spool. Locks are those of processes, so this needs two. */
class SharedSpoolTest {
    @TempDir
    private Path directory;

    private Process tap(String url) throws IOException {
        return TapProcess.start(
                directory.resolve("errors"),
                "mcp",
                "--url=" + url,
                "--flush=60",
                "--spool=" + directory.resolve("spool"),
                "--state=" + directory.resolve("state"),
                "--",
                "cat");
    }

    private List<Path> files() throws IOException {
        Path spool = directory.resolve("spool");
        if (!Files.exists(spool)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(spool)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Test
    void aTapLeavesTheDirectoryOfALivingOneAlone() throws Exception {
        try (WireEndpoint away = new WireEndpoint();
                WireEndpoint parley = new WireEndpoint()) {
            away.status = 503;
            Process first = tap(away.url());
            try (OutputStream input = first.getOutputStream()) {
                input.write("{\"first\":1}\n".getBytes(UTF_8));
                input.flush();
                assertThat(first.getInputStream().readNBytes(12)).hasSize(12);
                await().until(() -> files().size() > 1);
                List<Path> before = files();

                Process second = tap(parley.url());
                second.getOutputStream().close();
                assertThat(second.waitFor()).isZero();

                assertThat(parley.records).isEmpty();
                assertThat(files()).containsAll(before);
            }
            away.status = 202;
            assertThat(first.waitFor()).isZero();
            assertThat(away.values(Direction.CLIENT_TO_SERVER)).hasSize(1);
            assertThat(files()).isEmpty();
        }
    }
}
