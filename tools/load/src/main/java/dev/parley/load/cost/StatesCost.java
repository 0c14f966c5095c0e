package dev.parley.load.cost;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.serde.AvroSerdes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Prints the cost of states as the tables of docs/benchmarks.md. Times are processor time of the working thread. */
public final class StatesCost {
    private static final int OPERATIONS = 10;

    private StatesCost() {}

    /** Runs the named parts: apply, store, rebuild, fold; all by default. */
    public static void main(String[] arguments) throws Exception {
        AvroSerdes.trustRecords();
        List<String> parts = arguments.length == 0 ? List.of("apply", "store", "rebuild", "fold") : List.of(arguments);
        for (String part : parts) {
            switch (part) {
                case "apply" -> applying();
                case "store" -> storage();
                case "rebuild" -> rebuilding();
                case "fold" -> FoldCost.print();
                default -> throw new IllegalArgumentException(part + " must be apply, store, rebuild, or fold");
            }
        }
    }

    static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** A context with its checkpoints, in memory. */
    private static final class Bench {
        final MemoryStore<Checkpoint> nodes = new MemoryStore<>();
        final MemoryStore<String> index = new MemoryStore<>();
        final Checkpoints checkpoints = new Checkpoints(nodes, index, new MemoryStore<>(), CheckpointSettings.DEFAULT);
        final Patches patches = new Patches();

        void apply(AgentMessage patch) {
            if (!(checkpoints.apply(patch, 0, Inbound::new) instanceof PatchOutcome.Applied)) {
                throw new IllegalStateException(patch + " was not applied");
            }
        }

        void grow(int definitions) {
            for (int from = 0; from < definitions; from += 1_000) {
                apply(patches.add(from, Math.min(definitions, from + 1_000)));
            }
        }
    }

    /**
     * Applies the same patches to contexts of four sizes in turn. A round is long enough for snapshots in the largest
     * context.
     */
    private static void applying() {
        int[] sizes = {100, 1_000, 10_000, 100_000};
        List<Bench> benches = new ArrayList<>();
        for (int size : sizes) {
            Bench bench = new Bench();
            bench.grow(size);
            benches.add(bench);
        }
        int rounds = 60;
        int patches = 500;
        CpuSamples[] times = new CpuSamples[sizes.length];
        for (int round = -20; round < rounds; round++) {
            for (int i = 0; i < sizes.length; i++) {
                Bench bench = benches.get(i);
                List<AgentMessage> messages = new ArrayList<>();
                for (int n = 0; n < patches; n++) {
                    messages.add(bench.patches.change(OPERATIONS, sizes[i]));
                }
                if (round <= 0) {
                    times[i] = new CpuSamples(rounds);
                }
                long since = CpuSamples.now();
                messages.forEach(bench::apply);
                times[i].add(since);
            }
        }
        print("| definitions | µs for a patch, mean | median of rounds | mean over that on 100 | median over that on"
                + " 100 |");
        print("|---|---|---|---|---|");
        for (int i = 0; i < sizes.length; i++) {
            print(
                    "| %,d | %.1f | %.1f | %.2f | %.2f |",
                    sizes[i],
                    times[i].mean() / patches,
                    times[i].quantile(0.5) / patches,
                    times[i].mean() / times[0].mean(),
                    times[i].quantile(0.5) / times[0].quantile(0.5));
        }
        print("");
    }

    private static void storage() {
        print("| 10,000 patches of | bytes of the patches | checkpoints stored, times | with the index, times |"
                + " setters alone, times |");
        print("|---|---|---|---|---|");
        storage("1 change in 10 definitions", 10, 1);
        storage("1 change in 1,000 definitions", 1_000, 1);
        storage("10 changes in 1,000 definitions", 1_000, 10);
        storage("10 changes in 20,000 definitions", 20_000, 10);
        storage("10 new definitions each", 0, 10);
        print("");
    }

    private static void storage(String what, int definitions, int operations) {
        Bench bench = new Bench();
        bench.grow(definitions);
        for (int i = 0; i < 10_000; i++) {
            bench.apply(
                    definitions == 0
                            ? bench.patches.add(i * operations, (i + 1) * operations)
                            : bench.patches.change(operations, definitions));
        }
        long[] bytes = new long[3];
        AvroBytes<Checkpoint> wire = new AvroBytes<>(Checkpoint.getClassSchema());
        bench.nodes.scan("", (key, node) -> {
            bytes[0] += key.length() + wire.write(node).length;
            List<Long> setters = node.getSetters();
            if (setters != null) {
                long with = wire.write(node).length;
                node.setSetters(null);
                bytes[2] += with - wire.write(node).length;
                node.setSetters(setters);
            }
            return true;
        });
        bench.index.scan("", (key, value) -> {
            bytes[1] += key.length() + value.length();
            return true;
        });
        double patches = bench.patches.bytes();
        print(
                "| %s | %,.0f | %.2f | %.2f | %.2f |",
                what, patches, bytes[0] / patches, (bytes[0] + bytes[1]) / patches, bytes[2] / patches);
    }

    private static void rebuilding() throws Exception {
        int count = 10_000;
        Path directory = Files.createTempDirectory("states-cost");
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB store = RocksDB.open(options, directory.toString())) {
            Bench bench = new Bench();
            for (int i = 0; i < count; i++) {
                // Half of the patches add, so that late states are larger than early ones.
                bench.apply(i % 2 == 0 ? bench.patches.add(i / 2, i / 2 + 1) : bench.patches.change(5, i / 2 + 1));
            }
            AvroBytes<Checkpoint> wire = new AvroBytes<>(Checkpoint.getClassSchema());
            bench.nodes.scan("", (key, node) -> {
                put(store, key, wire.write(node));
                return true;
            });
            Random random = new Random(11);
            CpuSamples all = new CpuSamples(100_000);
            print("| checkpoints | definitions | state, µs: median | 99 %% | most | blame, µs: median | 99 %% |");
            print("|---|---|---|---|---|---|---|");
            for (int warm = 0; warm < 1_500; warm++) {
                rebuild(store, wire, 1 + random.nextInt(count));
            }
            for (int part = 0; part < 10; part++) {
                CpuSamples states = new CpuSamples(2_000);
                CpuSamples blames = new CpuSamples(2_000);
                long definitions = 0;
                for (int i = 0; i < 400; i++) {
                    CheckpointKey key = key(part * count / 10 + 1 + random.nextInt(count / 10));
                    long since = CpuSamples.now();
                    definitions += reader(store, wire).state(key).orElseThrow().size();
                    states.add(since);
                    all.add(since);
                    since = CpuSamples.now();
                    definitions +=
                            reader(store, wire).definitions(key).orElseThrow().size();
                    blames.add(since);
                }
                print(
                        "| %,d to %,d | %,d | %.0f | %.0f | %.0f | %.0f | %.0f |",
                        part * count / 10 + 1,
                        (part + 1) * count / 10,
                        definitions / 800,
                        states.quantile(0.5),
                        states.quantile(0.99),
                        states.quantile(1),
                        blames.quantile(0.5),
                        blames.quantile(0.99));
            }
            print("");
            print("Any of them: median %.2f ms, 99 %% %.2f ms.", all.quantile(0.5) / 1_000, all.quantile(0.99) / 1_000);
            print("");
        }
    }

    private static void rebuild(RocksDB store, AvroBytes<Checkpoint> wire, int number) {
        if (reader(store, wire).state(key(number)).isEmpty()) {
            throw new IllegalStateException("C" + number + " is not there");
        }
    }

    private static CheckpointKey key(int number) {
        return new CheckpointKey("default", Patches.CONTEXT, "C" + number);
    }

    /** A reader for one request, without a cache. */
    private static CheckpointReader reader(RocksDB store, AvroBytes<Checkpoint> wire) {
        return new CheckpointReader(key -> Optional.ofNullable(get(store, key)).map(wire::read), 0);
    }

    private static byte[] get(RocksDB store, String key) {
        return unchecked(() -> store.get(key.getBytes(StandardCharsets.UTF_8)));
    }

    private static void put(RocksDB store, String key, byte[] value) {
        unchecked(() -> {
            store.put(key.getBytes(StandardCharsets.UTF_8), value);
            return value;
        });
    }

    private interface Call<T> {
        T call() throws RocksDBException;
    }

    private static <T> T unchecked(Call<T> call) {
        try {
            return call.call();
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }
}
