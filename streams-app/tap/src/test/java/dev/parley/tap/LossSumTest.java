package dev.parley.tap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the receiver does, each message is delivered once, or counted in one gap of its session. */
class LossSumTest {
    private static final Pattern LOSS = Pattern.compile("records=(\\d+) bytes=(\\d+) .*");
    private static final int MAX_MESSAGE = 60_000;

    @TempDir
    private Path directory;

    /** Messages of a session, and their bytes. */
    private record Sum(long records, long bytes) {
        Sum plus(long moreRecords, long moreBytes) {
            return new Sum(records + moreRecords, bytes + moreBytes);
        }
    }

    /** Is away, refuses messages and takes the others, as a random number says. */
    private static final class Unreliable implements Receiver {
        final List<Captured> taken = new ArrayList<>();
        private final Random random;
        volatile boolean isReliable;

        Unreliable(long seed) {
            random = new Random(seed);
        }

        @Override
        public synchronized List<Captured> deliver(Batch batch) throws IOException {
            int luck = isReliable ? 0 : random.nextInt(4);
            if (luck == 3) {
                throw new IOException("away");
            }
            if (luck == 2) {
                throw new IllegalStateException("damaged");
            }
            List<Captured> refused = new ArrayList<>();
            for (Captured record : batch.records()) {
                boolean isRefused = luck == 1 && record.value() != null && random.nextInt(3) == 0;
                (isRefused ? refused : taken).add(record);
            }
            return refused;
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "4, true", "5, true", "6, true"})
    void eachMessageIsDeliveredOnceOrCountedInAGapOfItsSession(long seed, boolean spools) throws Exception {
        Unreliable receiver = new Unreliable(seed);
        SessionFile file = SessionFile.create(directory.resolve("state"), "tap-1");
        Spool spool =
                spools ? Spool.open(directory.resolve("spool"), 16 << 20, "tap-1", Map.of(), () -> receiver) : null;
        Outbox outbox = new Outbox(() -> spools ? spool : receiver, Map.of(), Map.of(), file, 4 << 20, false);
        if (spools) {
            outbox.deliverFrom(spool);
        }
        outbox.connect();
        Map<String, Sum> offered = new HashMap<>();
        Random random = new Random(seed);
        for (int i = 0; i < 1_500; i++) {
            String session = "s" + random.nextInt(20);
            byte[] value = new byte[Integer.BYTES + random.nextInt(MAX_MESSAGE)];
            ByteBuffer.wrap(value).putInt(i);
            if (random.nextInt(50) == 0) {
                outbox.lose(session, 1, value.length);
            } else {
                outbox.offer(session, Direction.SERVER_TO_CLIENT, value, Map::of);
            }
            offered.merge(session, new Sum(1, value.length), (one, other) -> one.plus(other.records(), other.bytes()));
        }
        receiver.isReliable = true;
        outbox.close(Duration.ofSeconds(120));

        Map<String, Sum> found = new HashMap<>();
        Map<String, Integer> last = new HashMap<>();
        for (Captured record : receiver.taken) {
            Sum sum = found.getOrDefault(record.session(), new Sum(0, 0));
            if (record.value() == null) {
                Matcher loss = LOSS.matcher(record.headers().get(Loss.HEADER));
                assertThat(loss.matches()).isTrue();
                sum = sum.plus(Long.parseLong(loss.group(1)), Long.parseLong(loss.group(2)));
            } else {
                sum = sum.plus(1, record.length());
                int number = ByteBuffer.wrap(record.value()).getInt();
                Integer before = last.put(record.session(), number);
                assertThat(before == null || before < number)
                        .as("seed %s, record %s", seed, number)
                        .isTrue();
            }
            found.put(record.session(), sum);
        }
        assertThat(found).as("seed %s", seed).isEqualTo(offered);
    }
}
