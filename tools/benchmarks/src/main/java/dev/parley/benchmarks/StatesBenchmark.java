package dev.parley.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.decode.WireRecord;
import dev.parley.load.sample.Patches;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.state.PointInTime;
import dev.parley.state.Replay;
import dev.parley.state.SlipChanges;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.Serde;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Applying patches, rebuilding the states of checkpoints, and folding conversations, in memory. */
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms2g", "-Xmx2g"})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StatesBenchmark {
    private static final int PATCHES = 500;

    /** A context with that many definitions, and patches of ten changes. */
    @State(Scope.Thread)
    public static class Context {
        @Param({"100", "10000", "100000"})
        int definitions;

        private Patches context;
        private final Deque<AgentMessage> patches = new ArrayDeque<>();

        /** Creates the context. */
        @Setup
        public void setUp() {
            context = new Patches(definitions);
        }

        /** Creates the patches of an iteration. */
        @Setup(Level.Iteration)
        public void createPatches() {
            patches.clear();
            for (int i = 0; i < PATCHES; i++) {
                patches.add(context.change(10, definitions));
            }
        }
    }

    /** Applies a patch, snapshots included. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 20, batchSize = PATCHES)
    @Measurement(iterations = 60, batchSize = PATCHES)
    public void apply500(Context of) {
        of.context.apply(of.patches.remove());
    }

    /** A context of 10,000 patches as stored records; every second patch adds a definition. */
    @State(Scope.Thread)
    public static class Checkpoints {
        /** The last of the thousand checkpoints from which one is chosen and rebuilt. */
        @Param({"1000", "5000", "10000"})
        int upTo;

        private final Map<String, byte[]> store = new HashMap<>();
        private final Random random = new Random(11);
        private Serde<Checkpoint> serde;

        /** Creates the context. */
        @Setup
        public void setUp() {
            serde = serdes().values(Checkpoint.class);
            Patches context = new Patches(0);
            for (int i = 0; i < 10_000; i++) {
                context.apply(i % 2 == 0 ? context.add(i / 2, i / 2 + 1) : context.change(5, i / 2 + 1));
            }
            context.nodes().scan("", (key, node) -> {
                store.put(key, serde.serializer().serialize("", node));
                return true;
            });
        }
    }

    private static AvroSerdes serdes() {
        AvroSerdes.trustRecords();
        return AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://states"));
    }

    /** Rebuilds a state from nothing, as for one request, including the decoding of its records. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @Warmup(iterations = 3, time = 2)
    @Measurement(iterations = 3, time = 3)
    public Object rebuild(Checkpoints of) {
        CheckpointReader reader = new CheckpointReader(
                key -> Optional.ofNullable(of.store.get(key))
                        .map(bytes -> of.serde.deserializer().deserialize("", bytes)),
                0);
        return reader.state(Patches.key(of.upTo - of.random.nextInt(1_000))).orElseThrow();
    }

    /** The audit records of an nSLIP conversation. */
    @State(Scope.Thread)
    public static class Conversation {
        @Param({"1000", "100000"})
        int messages;

        private final List<byte[]> records = new ArrayList<>();
        private Serde<AuditRecord> serde;

        /** Creates the records. */
        @Setup
        public void setUp() {
            serde = serdes().values(AuditRecord.class);
            OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
            for (int i = 0; i < messages; i++) {
                String text = "@a1|f0|c1|S2|d0|T" + SlipCodec.digits(i + 1L) + "|k" + SlipCodec.digits(i % 50)
                        + "|t\"step_" + i + "\"#";
                Source source = new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null);
                pipeline.accept(
                        new WireRecord(source, null, text.getBytes(UTF_8), RecordHeaders.NONE),
                        List.of(),
                        judged -> {},
                        record -> records.add(serde.serializer().serialize("", record)));
            }
        }
    }

    /** Folds a conversation into its state, including the decoding of its records. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @Warmup(iterations = 3, time = 2)
    @Measurement(iterations = 5, time = 2)
    public Object fold(Conversation of) {
        return Replay.at(
                SlipChanges.MODEL,
                new PointInTime.Latest(),
                () -> of.records.stream()
                        .map(bytes -> of.serde.deserializer().deserialize("", bytes))
                        .iterator());
    }
}
