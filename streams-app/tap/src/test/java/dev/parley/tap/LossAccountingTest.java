package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No loss is forgotten, whatever the receiver answers and whenever the tap ends. */
class LossAccountingTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration NONE = Duration.ZERO;

    @TempDir
    private Path directory;

    /** Refuses some records, and keeps the others. */
    private static final class Refusing implements Receiver {
        private final Predicate<Captured> refused;
        final List<Captured> records = new CopyOnWriteArrayList<>();
        volatile int batches;

        Refusing(Predicate<Captured> refused) {
            this.refused = refused;
        }

        @Override
        public synchronized List<Captured> deliver(Batch batch) {
            batches++;
            batch.records().stream().filter(refused.negate()).forEach(records::add);
            return batch.records().stream().filter(refused).toList();
        }

        @Override
        public void close() {}
    }

    private Path state() {
        return directory.resolve("state");
    }

    private Outbox outbox(String process, Receiver.Opener opener, long maxBytes) throws IOException {
        return new Outbox(opener, Map.of(), Map.of(), SessionFile.create(state(), process), maxBytes, false);
    }

    private static void offer(Outbox outbox, String session, String value) {
        outbox.offer(session, Direction.CLIENT_TO_SERVER, value.getBytes(UTF_8), Map::of);
    }

    /** The file of a process that was killed. */
    private Path killed(String process, List<String> sessions) throws IOException {
        Files.createDirectories(state());
        return Files.writeString(
                state().resolve(process + ".sessions"), "1796040000000\n" + String.join("\n", sessions) + "\n");
    }

    private static boolean isGap(Captured record) {
        return record.headers().containsKey(Loss.HEADER);
    }

    @Test
    void theGapOfAKilledProcessWaitsForAReceiverEvenIfTheNextOneEndsWithoutTraffic() throws Exception {
        killed("tap-1", List.of("s"));
        ListReceiver receiver = new ListReceiver();
        receiver.isAway = true;
        Outbox second = outbox("tap-2", () -> receiver, 4 << 20);
        second.reportLeft();
        second.close(NONE);
        assertThat(receiver.records).isEmpty();

        receiver.isAway = false;
        Outbox third = outbox("tap-3", () -> receiver, 4 << 20);
        third.reportLeft();
        third.close(LONG);

        assertThat(receiver.records).singleElement().matches(LossAccountingTest::isGap);
        assertThat(state()).isEmptyDirectory();
    }

    @Test
    void theGapsOfKilledProcessesThatFindNoRoomWaitForTheNextStart() throws Exception {
        int files = 3;
        int sessions = 3_500;
        for (int f = 0; f < files; f++) {
            String process = "tap-" + f;
            killed(
                    process,
                    IntStream.range(0, sessions)
                            .mapToObj(s -> "http-" + process + "-" + "0".repeat(50) + s)
                            .toList());
        }
        ListReceiver receiver = new ListReceiver();
        for (int start = 0; start < files; start++) {
            Outbox outbox = outbox("tap-next-" + start, () -> receiver, 4 << 20);
            outbox.reportLeft();
            outbox.close(LONG);
        }

        assertThat(receiver.records.stream().map(Captured::session).distinct()).hasSize(files * sessions);
    }

    @Test
    void aRecordThatIsRefusedWhileTheSpoolEmptiesAtTheEndIsAGap() throws Exception {
        Thread test = Thread.currentThread();
        Refusing receiver = new Refusing(record -> {
            // The outbox is empty by then, and waits for its spool.
            if (!isGap(record)) {
                await().until(() -> test.getState() == Thread.State.TIMED_WAITING
                        && Stream.of(test.getStackTrace())
                                .anyMatch(frame -> frame.getClassName().equals(Spool.class.getName())));
            }
            return !isGap(record);
        });
        for (String process : List.of("tap-1", "tap-2")) {
            Spool spool = Spool.open(directory.resolve("spool"), 16 << 20, process, Map.of(), () -> receiver);
            Outbox outbox = outbox(process, () -> spool, 4 << 20);
            outbox.deliverFrom(spool);
            outbox.reportLeft();
            if (process.equals("tap-1")) {
                offer(outbox, "s", "{}");
            }
            outbox.close(LONG);
        }

        assertThat(receiver.records).extracting(Captured::session).contains("s");
    }

    @Test
    void aReceiverThatRefusesEverythingIsNotAskedWithoutEnd() throws Exception {
        Refusing receiver = new Refusing(record -> true);
        Outbox outbox = outbox("tap-1", () -> receiver, 4 << 20);
        offer(outbox, "s", "{}");
        outbox.connect();
        await().until(() -> receiver.batches > 0);

        // A refused gap is left for the next start.
        outbox.close(Duration.ofSeconds(2));

        assertThat(receiver.batches).isLessThan(100);
        assertThat(state().resolve("tap-1.sessions")).content().contains("s\t1\t2\t");
    }

    @Test
    void aLossOfBytesOnlyBeginsWithTheFirst() {
        Loss loss = Loss.at(1_000, 0, 10).plus(Loss.at(2_000, 0, 10));

        assertThat(loss.plus(loss).toString())
                .isEqualTo("records=0 bytes=40 from=1970-01-01T00:00:01Z to=1970-01-01T00:00:02Z");
    }

    @Test
    void aGapPrecedesLaterRecordsOfItsSessionEvenIfVeryManySessionsHaveOne() throws Exception {
        ListReceiver receiver = new ListReceiver();
        receiver.isAway = true;
        Outbox outbox = outbox("tap-1", () -> receiver, 4 << 20);
        for (int i = 0; i < 4; i++) {
            offer(outbox, "other", "x".repeat(1 << 20));
        }
        int sessions = 1_100;
        for (int s = 0; s < sessions; s++) {
            offer(outbox, "s" + s, "x".repeat(600_000));
        }
        receiver.isAway = false;
        outbox.connect();
        await().until(outbox::isIdle);
        for (int s = 0; s < sessions; s++) {
            offer(outbox, "s" + s, "{}");
        }
        outbox.close(LONG);

        List<String> unmarked = new ArrayList<>();
        for (int s = 0; s < sessions; s++) {
            String session = "s" + s;
            Captured first = receiver.records.stream()
                    .filter(record -> record.session().equals(session))
                    .findFirst()
                    .orElseThrow();
            if (!isGap(first) && first.length() == 2) {
                unmarked.add(session);
            }
        }
        assertThat(unmarked).isEmpty();
    }

    @Test
    void theFileOfALongLivingTapNamesTheSessionsThatAreInUse() throws Exception {
        SessionFile file = SessionFile.create(state(), "tap-1");
        String last = "";
        for (int s = 0; s < 5_000; s++) {
            last = "http-" + Exchange.hash("session " + s);
            file.add(last, Set::of);
            file.delivered();
        }

        assertThat(Files.readAllLines(state().resolve("tap-1.sessions")).contains(last))
                .isTrue();
        file.close(Map.of());
    }
}
