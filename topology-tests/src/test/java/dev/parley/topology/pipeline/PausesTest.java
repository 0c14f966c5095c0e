package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures the longest time for which the pipeline blocks its stream thread, during which it judges no other record and
 * commits nothing. The topology runs over RocksDB, without brokers. {@code -Dparley.pauses=1000000} sets the number of
 * idle conversations, and 25 times the number of patches.
 */
@Tag("long")
class PausesTest {
    private static final int CONVERSATIONS = Integer.getInteger("parley.pauses", 200_000);
    private static final int PATCHES = CONVERSATIONS / 25;
    private static final Duration TICK = Duration.ofMillis(100);

    /** A fifth of the time that Kafka Streams allows for a transaction. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    /** A tick without expired conversations takes microseconds. */
    private static final Duration IDLE_TICK = Duration.ofNanos(100_000);

    @TempDir
    private Path directory;

    private PipelineDriver pipeline;
    private Duration longest;
    private Duration total;

    @BeforeEach
    void start() {
        pipeline = PipelineDriver.in(
                directory,
                Map.of(
                        ParleyConfig.PARKING_MAX,
                        PATCHES,
                        "csp.parking.context.max",
                        PATCHES,
                        ParleyConfig.PARKING_MS,
                        Duration.ofDays(1).toMillis()));
    }

    @AfterEach
    void stop() {
        pipeline.close();
    }

    @Test
    void idleConversationsAreClosed() {
        pipeline.send(InputRecord.slipRequest(1, 1));
        pipeline.conversationStore().flush();
        KeyValueStore<Bytes, byte[]> store = pipeline.bytesOf(PipelineStores.CONVERSATIONS);
        byte[] open = only(store);
        for (int i = 0; i < CONVERSATIONS; i++) {
            store.put(
                    Bytes.wrap(
                            String.format(Locale.ROOT, "default|SLIP|%08d", i).getBytes(UTF_8)),
                    open);
        }
        pipeline.later(Duration.ofDays(30));
        begin();
        measure(() -> pipeline.send(InputRecord.slipRequest(2, 1)));
        // The first ticks find the store, and close nothing yet.
        for (int tick = 0; tick < 20 || tick() > IDLE_TICK.toNanos(); tick++) {
            assertThat(tick).isLessThan(CONVERSATIONS);
        }
        report("closing %,d idle conversations", CONVERSATIONS);
        pipeline.conversationStore().flush();
        try (var all = store.all()) {
            assertThat(all).toIterable().noneMatch(entry -> Arrays.equals(entry.value, open));
        }
    }

    private static byte[] only(KeyValueStore<Bytes, byte[]> store) {
        try (var all = store.all()) {
            return all.next().value;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void longCascadesAreApplied(boolean chain) {
        for (int i = PATCHES; i > 0; i--) {
            pipeline.send(
                    InputRecord.patch("ctx", "P" + i, chain ? "C" + i : "C1", "C" + (i + 1), "+ DEF N" + i + " = 1"));
        }
        begin();
        measure(() -> pipeline.send(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1")));
        while (pipeline.auditRecords().size() <= PATCHES) {
            tick();
        }
        report(
                chain
                        ? "a chain of %,d patches, each the base of the next"
                        : "a star of %,d patches that wait for one base",
                PATCHES);
    }

    private void begin() {
        longest = Duration.ZERO;
        total = Duration.ZERO;
    }

    /** Returns the nanoseconds of a tick of the wall clock. */
    private long tick() {
        return measure(() -> pipeline.waitFor(TICK));
    }

    private long measure(Runnable call) {
        long start = System.nanoTime();
        call.run();
        long taken = System.nanoTime() - start;
        longest = taken > longest.toNanos() ? Duration.ofNanos(taken) : longest;
        total = total.plusNanos(taken);
        return taken;
    }

    private void report(String work, int count) {
        System.out.printf(
                Locale.ROOT,
                "PausesTest: " + work + ": longest pause %d ms, all %.1f s%n",
                count,
                longest.toMillis(),
                total.toNanos() / 1e9);
        assertThat(longest).isLessThan(MAX_PAUSE);
    }
}
