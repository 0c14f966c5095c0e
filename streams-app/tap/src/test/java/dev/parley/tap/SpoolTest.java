package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpoolTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofMillis(10);
    private static final long MAX_BYTES = 64 << 20;
    private static final Map<String, String> HEADERS = Map.of("parley-protocol", "mcp");

    @TempDir
    private Path directory;

    private final ListReceiver receiver = new ListReceiver();
    private int processes;

    private Path disk() {
        return directory.resolve("spool");
    }

    private Spool spool(long maxBytes) throws IOException {
        return Spool.open(disk(), maxBytes, "tap-" + ++processes, HEADERS, () -> receiver);
    }

    private Outbox outbox(Spool spool) throws IOException {
        SessionFile file = SessionFile.create(directory.resolve("state"), "tap-" + processes);
        Outbox outbox = new Outbox(() -> spool, HEADERS, Map.of(), file, 4 << 20, false);
        outbox.deliverFrom(spool);
        outbox.connect();
        return outbox;
    }

    private static void offer(Outbox outbox, String session, byte[] value) {
        outbox.offer(session, Direction.CLIENT_TO_SERVER, value, () -> Map.of("mcp-name", "\u00e9"));
    }

    private List<File> files() throws IOException {
        try (Stream<Path> all = Files.walk(disk())) {
            return all.filter(Files::isRegularFile).map(Path::toFile).toList();
        }
    }

    private long bytes() throws IOException {
        return files().stream().mapToLong(File::length).sum();
    }

    private static byte[] numbered(int i, int length) {
        return String.format("%0" + length + "d", i).getBytes(UTF_8);
    }

    private static Batch batch(int from, int to, int length) {
        List<Captured> records = new ArrayList<>();
        for (int i = from; i < to; i++) {
            records.add(new Captured("s" + i % 3, numbered(i, length), Map.of("h", "v" + i), i, null));
        }
        return new Batch("b-" + from, records);
    }

    @Test
    void anOutageLongerThanTheMemoryLosesNothingAndKeepsTheOrder() throws Exception {
        receiver.isAway = true;
        Outbox outbox = outbox(spool(MAX_BYTES));
        for (int i = 0; i < 200; i++) {
            offer(outbox, "s" + i % 2, numbered(i, 100_000));
            if (i % 30 == 29) {
                int count = i + 1;
                await().pollInterval(SOON).until(() -> bytes() >= 100_000L * count);
            }
        }
        assertThat(files()).hasSizeGreaterThan(2).allSatisfy(file -> {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(file.toPath().getParent())))
                    .isEqualTo("rwx------");
        });

        receiver.isAway = false;
        outbox.close(LONG);

        assertThat(receiver.records)
                .hasSize(200)
                .allSatisfy(record -> assertThat(record.headers())
                        .containsEntry("mcp-name", "\u00e9")
                        .doesNotContainKey(Loss.HEADER));
        for (int i = 0; i < 200; i++) {
            assertThat(receiver.records.get(i).value()).isEqualTo(numbered(i, 100_000));
            assertThat(receiver.records.get(i).session()).isEqualTo("s" + i % 2);
        }
        assertThat(disk()).isEmptyDirectory();
    }

    @Test
    void whatIsLeftAtTheEndIsDeliveredByTheNextStartBeforeItsOwnRecords() throws Exception {
        receiver.isAway = true;
        Outbox first = outbox(spool(MAX_BYTES));
        offer(first, "s", numbered(1, 5));
        await().until(() -> bytes() > 0);
        first.close(Duration.ZERO);

        Outbox second = outbox(spool(MAX_BYTES));
        offer(second, "s", numbered(2, 5));
        await().until(() -> files().stream().filter(file -> file.length() > 0).count() == 2);
        receiver.isAway = false;
        second.close(LONG);

        assertThat(receiver.records)
                .extracting(record -> new String(record.value()))
                .containsExactly("00001", "00002");
        assertThat(disk()).isEmptyDirectory();
    }

    @Test
    void aBatchWhoseAnswerIsUnknownIsRepeatedWithItsName() throws Exception {
        List<Batch> taken = new ArrayList<>();
        Receiver silent = new Receiver() {
            @Override
            public List<Captured> deliver(Batch batch) throws IOException {
                synchronized (taken) {
                    taken.add(batch);
                }
                throw new IOException("silent");
            }

            @Override
            public void close() {}
        };
        Spool first = Spool.open(disk(), MAX_BYTES, "tap-0", HEADERS, () -> silent);
        first.start(refused -> {});
        first.deliver(batch(0, 10, 10));
        await().until(() -> {
            synchronized (taken) {
                return !taken.isEmpty();
            }
        });
        first.deliver(batch(10, 20, 10));
        first.finish(Duration.ZERO);

        Spool second = spool(MAX_BYTES);
        second.start(refused -> {});
        second.finish(LONG);

        assertThat(receiver.names).hasSize(2).first().isEqualTo(taken.get(0).name());
        assertThat(receiver.records).hasSize(20);
        assertThat(taken.get(0).records()).hasSize(10);
    }

    @Test
    void aFullSpoolHoldsItsBoundAndTheLossIsStated() throws Exception {
        receiver.isAway = true;
        Outbox outbox = outbox(spool(16 << 20));
        for (int i = 0; i < 300; i++) {
            offer(outbox, "s", numbered(i, 100_000));
            if (i % 15 == 14 && i < 165) {
                int count = i + 1;
                await().pollInterval(SOON).until(() -> bytes() >= 100_000L * count);
            }
        }
        await().until(() -> bytes() > 16_000_000);
        assertThat(bytes()).isLessThan(18 << 20);

        receiver.isAway = false;
        outbox.close(LONG);

        long lost = receiver.records.stream()
                .map(record -> record.headers().getOrDefault(Loss.HEADER, "records=0 "))
                .mapToLong(loss -> Long.parseLong(loss.substring(8, loss.indexOf(' '))))
                .sum();
        List<String> values = receiver.records.stream()
                .filter(record -> record.value() != null)
                .map(record -> new String(record.value()))
                .toList();
        assertThat(values).isSorted().doesNotHaveDuplicates();
        assertThat(lost).isPositive();
        assertThat(values.size() + lost).isEqualTo(300);
        assertThat(disk()).isEmptyDirectory();
    }

    @Test
    void aDiskThatTakesNothingLeavesTheMemory() throws Exception {
        Spool spool = spool(MAX_BYTES);
        for (File file : files()) {
            Files.delete(file.toPath());
            Files.delete(file.toPath().getParent());
        }
        Outbox outbox = outbox(spool);
        receiver.isAway = true;
        for (int i = 0; i < 10; i++) {
            offer(outbox, "s", numbered(i, 10));
        }
        receiver.isAway = false;
        outbox.close(LONG);

        assertThat(receiver.records).hasSize(10);
    }

    @Test
    void aRefusedRecordOnDiskIsAGap() throws Exception {
        Receiver refusing = new Receiver() {
            @Override
            public List<Captured> deliver(Batch batch) {
                receiver.records.addAll(batch.records());
                return batch.records().stream()
                        .filter(record -> record.value() != null)
                        .toList();
            }

            @Override
            public void close() {}
        };
        Outbox outbox = outbox(Spool.open(disk(), MAX_BYTES, "tap-1", HEADERS, () -> refusing));
        offer(outbox, "s", numbered(1, 7));
        await().until(() -> receiver.records.size() == 2);
        outbox.close(LONG);

        assertThat(receiver.records.get(1).headers().get(Loss.HEADER)).startsWith("records=1 bytes=7 ");
    }

    /** Any damage: no record is another one or out of order, and each session that lacks some has a gap there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void damagedFilesAreGaps(long seed) throws Exception {
        Random random = new Random(seed);
        receiver.isAway = true;
        Spool first = spool(MAX_BYTES);
        first.start(refused -> {});
        int count = 90;
        for (int i = 0; i < count; i += 10) {
            first.deliver(batch(i, i + 10, 6_000));
        }
        first.finish(Duration.ZERO);
        List<File> files = files().stream()
                .filter(found -> !found.getName().equals("lock"))
                .sorted()
                .toList();
        assertThat(files).hasSize(count / 10);
        File file = files.get(random.nextInt(files.size()));
        try (RandomAccessFile bytes = new RandomAccessFile(file, "rw")) {
            long at = random.nextInt((int) bytes.length());
            if (random.nextBoolean()) {
                bytes.setLength(at);
            } else {
                bytes.seek(at);
                int before = bytes.read();
                bytes.seek(at);
                bytes.write(before ^ 1 << random.nextInt(8));
            }
        }

        receiver.isAway = false;
        Spool second = spool(MAX_BYTES);
        second.start(refused -> {});
        second.finish(LONG);

        for (int s = 0; s < 3; s++) {
            String session = "s" + s;
            List<Captured> records = receiver.records.stream()
                    .filter(record -> record.session().equals(session))
                    .toList();
            int expected = s;
            boolean isGap = false;
            for (Captured record : records) {
                if (record.value() == null) {
                    isGap = true;
                    continue;
                }
                int number = (int) record.time();
                assertThat(record.value()).isEqualTo(numbered(number, 6_000));
                assertThat(record.headers()).containsEntry("h", "v" + number);
                assertThat(number).isGreaterThanOrEqualTo(expected);
                assertThat(number == expected || isGap)
                        .as("seed %s, record %s", seed, number)
                        .isTrue();
                expected = number + 3;
            }
            assertThat(expected >= count || isGap)
                    .as("seed %s, session %s", seed, s)
                    .isTrue();
        }
        assertThat(receiver.records.stream().filter(record -> record.session().equals("tap-1")))
                .isNotEmpty()
                .allMatch(record -> record.headers().containsKey(Loss.HEADER));
        assertThat(disk()).isEmptyDirectory();
    }

    @Test
    void aDirectoryThatOthersMayWriteIsRefused() throws Exception {
        Files.createDirectory(disk());
        Files.setPosixFilePermissions(disk(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> spool(MAX_BYTES)).hasMessageContaining("must be writable by its owner only");
    }

    @Test
    void aDirectoryOfALivingProcessIsLeftAlone() throws Exception {
        receiver.isAway = true;
        Spool first = spool(MAX_BYTES);
        first.start(refused -> {});
        first.deliver(batch(0, 10, 10));
        Spool second = spool(MAX_BYTES);
        second.start(refused -> {});
        second.finish(LONG);
        assertThat(receiver.records).isEmpty();

        receiver.isAway = false;
        first.finish(LONG);

        assertThat(receiver.records).hasSize(10);
    }
}
