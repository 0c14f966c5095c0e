package dev.parley.benchmarks.pauses;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Inbound;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Prints the longest time for which the pipeline blocks its stream thread, during which it judges no other record and
 * commits nothing. The topology runs over RocksDB, without brokers.
 */
public final class Pauses {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration TICK = Duration.ofMillis(100);
    private static final int CONVERSATIONS = 1_000_000;
    private static final int PATCHES = 40_000;

    private Pauses() {}

    /** Runs the named parts: idle, star, chain; all by default. */
    public static void main(String[] arguments) throws IOException {
        List<String> parts = arguments.length == 0 ? List.of("idle", "star", "chain") : List.of(arguments);
        for (String part : parts) {
            Path directory = Files.createTempDirectory("parley-pauses");
            try (Bench bench = new Bench(directory)) {
                switch (part) {
                    case "idle" -> bench.idle();
                    case "star" -> bench.cascade("a star of %,d patches", false);
                    case "chain" -> bench.cascade("a chain of %,d patches", true);
                    default -> throw new IllegalArgumentException(part + " must be idle, star or chain");
                }
            } finally {
                delete(directory);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The pipeline, and the duration of its longest call. */
    private static final class Bench implements AutoCloseable {
        private final AvroSerdes serdes;
        private final TopologyTestDriver driver;
        private final TestInputTopic<byte[], byte[]> wire;
        private final TestOutputTopic<byte[], byte[]> audit;
        private Instant time = START;
        private long longest;
        private long total;

        Bench(Path directory) {
            ParleyConfig config = ServerConfig.of(settings(directory));
            serdes = AvroSerdes.fromConfig(config.registrySettings());
            driver = new TopologyTestDriver(
                    new ParleyTopology(
                                    new Topics(serdes),
                                    new PipelineStores(serdes),
                                    serdes.values(Inbound.class),
                                    PipelineSettings.of(config),
                                    PipelineListener.NONE)
                            .build(),
                    ParleyTopology.config(config),
                    START);
            wire = driver.createInputTopic(Topics.WIRE, new ByteArraySerializer(), new ByteArraySerializer());
            audit = driver.createOutputTopic(Topics.AUDIT, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        private static Map<String, Object> settings(Path directory) {
            Map<String, Object> settings = new HashMap<>();
            settings.put(ParleyConfig.BOOTSTRAP_SERVERS, "unused:1");
            settings.put(ParleyConfig.REGISTRY_URL, "mock://" + UUID.randomUUID());
            settings.put(ParleyConfig.STATE_DIR, directory.toString());
            settings.put(ParleyConfig.PARKING_MAX, PATCHES);
            settings.put("csp.parking.ms", Duration.ofDays(10).toMillis());
            if (ServerConfig.definition().names().contains("csp.parking.context.max")) {
                settings.put("csp.parking.context.max", PATCHES);
            }
            return settings;
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
            print(String.format(Locale.ROOT, "closing %,d idle conversations", CONVERSATIONS));
        }

        void cascade(String name, boolean chain) {
            for (int i = PATCHES; i > 0; i--) {
                send(patch("P" + i, chain ? "C" + i : "C1", "C" + (i + 1), "+ DEF N" + i + " = 1"), "ctx");
            }
            reset();
            send(patch("P", "C0", "C1", "+ DEF A = 1"), "ctx");
            long judged = audit.readKeyValuesToList().size();
            while (judged <= PATCHES) {
                advance();
                judged += audit.readKeyValuesToList().size();
            }
            print(String.format(Locale.ROOT, name, PATCHES));
        }

        private static String patch(String id, String base, String target, String operation) {
            return "CSP/1\nFROM MAIN\nTO MEM\nCTX " + base + "\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base + "\n"
                    + operation + "\nAPPLY -> " + target;
        }

        private void send(String value, String key) {
            time = time.plusMillis(1);
            TestRecord<byte[], byte[]> record =
                    new TestRecord<>(key == null ? null : key.getBytes(UTF_8), value.getBytes(UTF_8), time);
            measured(() -> wire.pipeInput(record));
        }

        private void advance() {
            measured(() -> driver.advanceWallClockTime(TICK));
        }

        private void measured(Runnable call) {
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

        private void print(String name) {
            System.out.println(
                    String.format(Locale.ROOT, "| %s | %,d | %,.1f |", name, Math.round(longest / 1e6), total / 1e9));
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
