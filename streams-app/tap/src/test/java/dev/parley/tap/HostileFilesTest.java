package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in the directories of the tap that it has not written, or not to their end. */
class HostileFilesTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String TIME = "1796040000000\n";

    @TempDir
    private Path directory;

    private final ListReceiver receiver = new ListReceiver();

    private Path state() throws IOException {
        return Files.createDirectories(directory.resolve("state"));
    }

    private Outbox outbox(Receiver.Opener opener) throws IOException {
        return new Outbox(opener, Map.of(), Map.of(), SessionFile.create(state(), "tap-1"), 8 << 20, false);
    }

    @Test
    void oneUnreadableFileHidesNoGapOfOthers() throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.writeString(state().resolve("tap-left" + i + ".sessions"), TIME + "s" + i + "\n");
            Files.createDirectory(state().resolve("tap-other" + i + ".sessions"));
        }
        Outbox outbox = outbox(() -> receiver);
        outbox.reportLeft();
        outbox.close(LONG);

        assertThat(receiver.records)
                .extracting(Captured::session)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "s" + i).toList());
    }

    @Test
    void aLinkIsNoFileOfATap() throws Exception {
        Path target = Files.writeString(directory.resolve("target"), TIME + "s\n");
        Files.createSymbolicLink(state().resolve("tap-0.sessions"), target);
        Outbox outbox = outbox(() -> receiver);
        outbox.reportLeft();
        outbox.close(LONG);

        assertThat(receiver.records).isEmpty();
        assertThat(target).exists();
    }

    /** A record cannot have the name, but it must not keep the others from the disk. */
    @Test
    void aGarbledFileDoesNotTurnTheSpoolOff() throws Exception {
        Files.writeString(state().resolve("tap-0.sessions"), TIME + "x".repeat(70_000) + "\n");
        receiver.isAway = true;
        Path disk = directory.resolve("spool");
        Spool spool = Spool.open(disk, 16 << 20, "tap-1", Map.of(), () -> receiver);
        Outbox outbox = outbox(() -> spool);
        outbox.deliverFrom(spool);
        outbox.reportLeft();
        outbox.offer("s", Direction.CLIENT_TO_SERVER, "{\"a\":1}".getBytes(UTF_8), Map::of);
        try {
            await().until(() -> {
                try (Stream<Path> files = Files.walk(disk)) {
                    return files.filter(file -> file.getFileName().toString().matches("\\d{18}"))
                            .anyMatch(file -> file.toFile().length() > 0);
                }
            });
        } finally {
            receiver.isAway = false;
            outbox.close(LONG);
        }

        assertThat(receiver.records).extracting(Captured::session).contains("s");
    }

    @Test
    void namesWithControlCharactersAreNoRecords() throws Exception {
        Files.write(state().resolve("tap-0.sessions"), (TIME + "a\u0001b\u001b[2J\nok\n").getBytes(UTF_8));
        Outbox outbox = outbox(() -> receiver);
        outbox.reportLeft();
        outbox.close(LONG);

        assertThat(receiver.records).extracting(Captured::session).containsExactly("ok");
    }
}
