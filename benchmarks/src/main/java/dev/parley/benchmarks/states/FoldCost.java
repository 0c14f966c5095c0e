package dev.parley.benchmarks.states;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.benchmarks.load.Base62;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.state.PointInTime;
import dev.parley.state.Replay;
import dev.parley.state.SlipChanges;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Measures folding a conversation, including reading its records. */
final class FoldCost {

    private FoldCost() {}

    static void print() {
        StatesCost.print("| messages of a SLIP conversation | ms for its board | µs for a message |");
        StatesCost.print("|---|---|---|");
        AvroBytes<AuditRecord> wire = new AvroBytes<>(AuditRecord.getClassSchema());
        List<byte[]> records = conversation(100_000, wire);
        for (int warm = 0; warm < 10; warm++) {
            fold(records.subList(0, 10_000), wire);
        }
        for (int messages : new int[] {100, 1_000, 10_000, 100_000}) {
            CpuSamples times = new CpuSamples(11);
            for (int i = 0; i < 11; i++) {
                long since = CpuSamples.now();
                fold(records.subList(0, messages), wire);
                times.add(since);
            }
            double median = times.quantile(0.5);
            StatesCost.print("| %,d | %.1f | %.1f |", messages, median / 1_000, median / messages);
        }
    }

    private static void fold(List<byte[]> records, AvroBytes<AuditRecord> wire) {
        Iterable<AuditRecord> read = () -> records.stream().map(wire::read).iterator();
        if (Replay.at(SlipChanges.MODEL, PointInTime.parse("latest"), read)
                .entries()
                .isEmpty()) {
            throw new IllegalStateException("nothing was folded");
        }
    }

    private static List<byte[]> conversation(int messages, AvroBytes<AuditRecord> wire) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            String text = "@a1|f2|c1|S2|d0|T" + Base62.of(i + 1L) + "|g1c|k" + Base62.of(i % 50)
                    + "|r1|u\"in_progress\"|t\"step_" + i + "\"#";
            Source source = new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null);
            pipeline.accept(
                    new WireRecord(source, null, text.getBytes(StandardCharsets.UTF_8), name -> null),
                    List.of(),
                    judged -> {},
                    record -> records.add(wire.write(record)));
        }
        return records;
    }
}
