package dev.parley.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.load.CspPatchText;
import dev.parley.load.Markdown;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.apache.kafka.streams.test.TestRecord;
import picocli.CommandLine.Command;

/**
 * Prints the longest time for which the pipeline blocks its stream thread, during which it judges no other record and
 * commits nothing. The topology runs over RocksDB, without brokers.
 */
@Command(
        name = "pauses",
        mixinStandardHelpOptions = true,
        description = "Measures the longest pause of a stream thread while it closes idle conversations and applies "
                + "long cascades.")
final class Pauses implements Callable<Integer> {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration TICK = Duration.ofMillis(100);
    private static final int CONVERSATIONS = 1_000_000;
    private static final int PATCHES = 40_000;

    @Override
    public Integer call() throws IOException {
        System.out.print(Markdown.head("", "longest pause, ms", "all, s"));
        run(Pipeline::idle);
        run(pipeline -> pipeline.cascade("a star of %,d patches that wait for one base", false));
        run(pipeline -> pipeline.cascade("a chain of %,d patches, each the base of the next", true));
        return 0;
    }

    private static void run(Consumer<Pipeline> work) throws IOException {
        Path directory = Files.createTempDirectory("parley-pauses");
        try (Pipeline pipeline = new Pipeline(directory)) {
            work.accept(pipeline);
        } finally {
            Utils.delete(directory.toFile());
        }
    }

    /** The pipeline, and the duration of its longest call. */
    private static final class Pipeline implements AutoCloseable {
        private final AvroSerdes serdes;
        private final TopologyTestDriver driver;
        private final TestInputTopic<byte[], byte[]> wire;
        private final TestOutputTopic<byte[], byte[]> audit;
        private Instant time = START;
        private long longest;
        private long total;

        Pipeline(Path directory) {
            ParleyConfig config = ServerConfig.of(Map.of(
                    ParleyConfig.BOOTSTRAP_SERVERS,
                    "unused:1",
                    ParleyConfig.REGISTRY_URL,
                    "mock://pauses",
                    ParleyConfig.STATE_DIR,
                    directory.toString(),
                    ParleyConfig.PARKING_MAX,
                    PATCHES,
                    "csp.parking.context.max",
                    PATCHES,
                    "csp.parking.ms",
                    Duration.ofDays(10).toMillis()));
            serdes = AvroSerdes.fromConfig(config.registrySettings());
            driver = new TopologyTestDriver(
                    new ParleyTopology(
                                    new Topics(config.topics(), serdes),
                                    serdes,
                                    PipelineSettings.of(config),
                                    PipelineListener.NONE)
                            .build(),
                    ParleyTopology.config(config),
                    START);
            wire = driver.createInputTopic(
                    config.topics().wire(), new ByteArraySerializer(), new ByteArraySerializer());
            audit = driver.createOutputTopic(
                    config.topics().audit(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        /** Expires every conversation of a full store. */
        void idle() {
            send("@a3|f0|c1|S0|d1|T1|k1#", null);
            KeyValueStore<Bytes, byte[]> store = bytesOf(PipelineStores.CONVERSATIONS);
            driver.getKeyValueStore(PipelineStores.CONVERSATIONS).flush();
            byte[] open;
            try (var all = store.all()) {
                open = all.next().value;
            }
            for (int i = 0; i < CONVERSATIONS; i++) {
                store.put(Bytes.wrap(String.format("default|SLIP|%08d", i).getBytes(UTF_8)), open);
            }
            reset();
            time = time.plus(Duration.ofDays(30));
            send("@a3|f0|c2|S0|d1|T1|k1#", null);
            for (int tick = 0; tick < 5_000; tick++) {
                long before = total;
                advance();
                // A tick without expired conversations takes microseconds.
                if (tick > 20 && total - before < 100_000) {
                    break;
                }
            }
            print("closing %,d idle conversations", CONVERSATIONS);
        }

        void cascade(String name, boolean chain) {
            for (int i = PATCHES; i > 0; i--) {
                send(CspPatchText.of("P" + i, chain ? "C" + i : "C1", "C" + (i + 1), "+ DEF N" + i + " = 1"), "ctx");
            }
            reset();
            send(CspPatchText.of("P", "C0", "C1", "+ DEF A = 1"), "ctx");
            long judged = audit.readKeyValuesToList().size();
            while (judged <= PATCHES) {
                advance();
                judged += audit.readKeyValuesToList().size();
            }
            print(name, PATCHES);
        }

        private void send(String value, String key) {
            time = time.plusMillis(1);
            TestRecord<byte[], byte[]> record =
                    new TestRecord<>(key == null ? null : key.getBytes(UTF_8), value.getBytes(UTF_8), time);
            measure(() -> wire.pipeInput(record));
        }

        private void advance() {
            measure(() -> driver.advanceWallClockTime(TICK));
        }

        private void measure(Runnable call) {
            long start = System.nanoTime();
            call.run();
            long taken = System.nanoTime() - start;
            longest = Math.max(longest, taken);
            total += taken;
        }

        private void reset() {
            longest = 0;
            total = 0;
        }

        private void print(String name, int count) {
            System.out.print(Markdown.row(
                    String.format(Locale.ROOT, name, count), Math.round(longest / 1e6), Markdown.cell(total / 1e9, 1)));
        }

        @SuppressWarnings("unchecked")
        private KeyValueStore<Bytes, byte[]> bytesOf(String name) {
            StateStore store = driver.getAllStateStores().get(name);
            while (store instanceof WrappedStateStore<?, ?, ?> wrapped) {
                store = wrapped.wrapped();
            }
            return (KeyValueStore<Bytes, byte[]>) store;
        }

        @Override
        public void close() throws IOException {
            driver.close();
            serdes.close();
        }
    }
}
