package dev.parley.load.cost;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.load.Base62;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.OfflinePipeline;
import dev.parley.state.PointInTime;
import dev.parley.state.Replay;
import dev.parley.state.SlipChanges;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Utils;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the cost of states as tables. Times are processor time of this thread, which excludes other programs. */
@Command(
        name = "states",
        mixinStandardHelpOptions = true,
        description = "Measures applying patches, storing checkpoints, rebuilding states and folding conversations.")
public final class StatesCost implements Callable<Integer> {
    private static final int OPERATIONS = 10;

    /** What is measured. */
    enum Part {
        APPLY,
        STORE,
        REBUILD,
        FOLD
    }

    @Parameters(arity = "0..*", description = "Parts: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Part> parts = List.of(Part.values());

    @Override
    public Integer call() throws Exception {
        AvroSerdes.trustRecords();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://states"))) {
            for (Part part : parts) {
                switch (part) {
                    case APPLY -> apply();
                    case STORE -> store(serdes.values(Checkpoint.class));
                    case REBUILD -> rebuild(serdes.values(Checkpoint.class));
                    case FOLD -> fold(serdes.values(AuditRecord.class));
                }
                print("");
            }
        }
        return 0;
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** Samples of processor time, in microseconds. */
    private static final class Samples {
        private final List<Double> micros = new ArrayList<>();

        void measure(Runnable work) {
            long since = now();
            work.run();
            micros.add((now() - since) / 1_000.0);
        }

        private static long now() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        double quantile(double share) {
            List<Double> sorted = micros.stream().sorted().toList();
            return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(share * sorted.size())));
        }
    }

    /** Applies the same patches to contexts of four sizes in turn, with snapshots. */
    private static void apply() {
        Map<Integer, Patches> contexts = new TreeMap<>();
        Map<Integer, Samples> times = new TreeMap<>();
        for (int size : new int[] {100, 1_000, 10_000, 100_000}) {
            contexts.put(size, new Patches());
            contexts.get(size).grow(size);
        }
        int patches = 500;
        for (int round = -20; round < 60; round++) {
            boolean first = round <= 0;
            contexts.forEach((size, context) -> {
                List<AgentMessage> messages = Stream.generate(() -> context.change(OPERATIONS, size))
                        .limit(patches)
                        .toList();
                Samples samples = first ? new Samples() : times.get(size);
                samples.measure(() -> messages.forEach(context::apply));
                times.put(size, samples);
            });
        }
        print("| definitions | µs for a patch, median of rounds | over that on 100 |\n|---|---|---|");
        times.forEach((size, samples) -> print(
                "| %,d | %.1f | %.2f |",
                size, samples.quantile(0.5) / patches, samples.quantile(0.5) / times.get(100).quantile(0.5)));
    }

    private static void store(Serde<Checkpoint> serde) {
        print("| 10,000 patches of | bytes of the patches | checkpoints stored, times | with the index, times |\n"
                + "|---|---|---|---|");
        store(serde, "1 change in 10 definitions", 10, 1);
        store(serde, "1 change in 1,000 definitions", 1_000, 1);
        store(serde, "10 changes in 1,000 definitions", 1_000, 10);
        store(serde, "10 changes in 20,000 definitions", 20_000, 10);
        store(serde, "10 new definitions each", 0, 10);
    }

    private static void store(Serde<Checkpoint> serde, String what, int definitions, int operations) {
        Patches context = new Patches();
        context.grow(definitions);
        for (int i = 0; i < 10_000; i++) {
            context.apply(
                    definitions == 0
                            ? context.add(i * operations, (i + 1) * operations)
                            : context.change(operations, definitions));
        }
        long[] bytes = new long[2];
        context.nodes.scan("", (key, node) -> {
            bytes[0] += key.length() + serde.serializer().serialize("", node).length;
            return true;
        });
        context.index.scan("", (key, value) -> {
            bytes[1] += key.length() + value.length();
            return true;
        });
        double patches = context.bytes();
        print(
                "| %s | %,.0f | %.2f | %.2f |",
                what, patches, bytes[0] / patches, (bytes[0] + bytes[1]) / patches);
    }

    /** Rebuilds states of a long context from a store of RocksDB, each from nothing, as for one request. */
    private static void rebuild(Serde<Checkpoint> serde) throws Exception {
        int count = 10_000;
        Path directory = Files.createTempDirectory("states-cost");
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB store = RocksDB.open(options, directory.toString())) {
            Patches context = new Patches();
            for (int i = 0; i < count; i++) {
                // Half of the patches add, so that late states are larger than early ones.
                context.apply(i % 2 == 0 ? context.add(i / 2, i / 2 + 1) : context.change(5, i / 2 + 1));
            }
            context.nodes.scan("", (key, node) -> {
                put(store, key, serde.serializer().serialize("", node));
                return true;
            });
            Random random = new Random(11);
            Supplier<CheckpointReader> reader =
                    () -> new CheckpointReader(key -> get(store, key, serde.deserializer()), 0);
            for (int warm = 0; warm < 1_500; warm++) {
                reader.get().state(key(1 + random.nextInt(count))).orElseThrow();
            }
            print("| checkpoints | state, µs: median | 99 %% | blame, µs: median | 99 %% |\n|---|---|---|---|---|");
            int part = count / 10;
            for (int from = 1; from < count; from += part) {
                Samples states = new Samples();
                Samples blames = new Samples();
                for (int i = 0; i < 400; i++) {
                    CheckpointKey key = key(from + random.nextInt(part));
                    states.measure(() -> reader.get().state(key).orElseThrow());
                    blames.measure(() -> reader.get().definitions(key).orElseThrow());
                }
                print(
                        "| %,d to %,d | %.0f | %.0f | %.0f | %.0f |",
                        from,
                        from + part - 1,
                        states.quantile(0.5),
                        states.quantile(0.99),
                        blames.quantile(0.5),
                        blames.quantile(0.99));
            }
        } finally {
            Utils.delete(directory.toFile());
        }
    }

    private static CheckpointKey key(int number) {
        return new CheckpointKey("default", Patches.CONTEXT, "C" + number);
    }

    private static Optional<Checkpoint> get(RocksDB store, String key, Deserializer<Checkpoint> values) {
        try {
            return Optional.ofNullable(store.get(key.getBytes(UTF_8))).map(bytes -> values.deserialize("", bytes));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void put(RocksDB store, String key, byte[] value) {
        try {
            store.put(key.getBytes(UTF_8), value);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Folds a conversation into its state, including the decoding of its records. */
    private static void fold(Serde<AuditRecord> serde) {
        List<byte[]> records = new ArrayList<>();
        OfflinePipeline pipeline = new OfflinePipeline(
                DecodeOptions.LENIENT, DialogueSettings.DEFAULT, CheckpointSettings.DEFAULT, Map.of());
        for (int i = 0; i < 100_000; i++) {
            String text = "@a1|f0|c1|S2|d0|T" + Base62.of(i + 1L) + "|g1c|k" + Base62.of(i % 50)
                    + "|r1|u\"in_progress\"|t\"step_" + i + "\"#";
            Source source = new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null);
            pipeline.accept(
                    new WireRecord(source, null, text.getBytes(UTF_8), name -> null),
                    List.of(),
                    judged -> {},
                    record -> records.add(serde.serializer().serialize("", record)));
        }
        print("| messages of a SLIP conversation | ms for its state | µs for a message |\n|---|---|---|");
        for (int messages : new int[] {10_000, 100, 1_000, 10_000, 100_000}) {
            Iterable<AuditRecord> read = () -> records.subList(0, messages).stream()
                    .map(bytes -> serde.deserializer().deserialize("", bytes))
                    .iterator();
            Samples times = new Samples();
            for (int i = 0; i < 11; i++) {
                times.measure(() -> Replay.at(SlipChanges.MODEL, PointInTime.parse("latest"), read));
            }
            double median = times.quantile(0.5);
            print("| %,d | %.1f | %.1f |", messages, median / 1_000, median / messages);
        }
    }
}
