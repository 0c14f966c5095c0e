package dev.parley.load.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.load.CspPatchText;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A context in memory that grows by realistic patches, each on the checkpoint of the previous one. */
public final class Patches {
    private final MemoryStore<Checkpoint> nodes = new MemoryStore<>();
    private final MemoryStore<String> index = new MemoryStore<>();
    private final Checkpoints checkpoints =
            new Checkpoints(nodes, index, new MemoryStore<>(), CheckpointSettings.DEFAULT);
    private final MessageDecoder decoder = ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of());
    private final Random random = new Random(7);
    private int made;
    private long bytes;

    /** Creates a context with definitions, a thousand per patch. */
    public Patches(int definitions) {
        for (int from = 0; from < definitions; from += 1_000) {
            apply(add(from, Math.min(definitions, from + 1_000)));
        }
    }

    /** The key of the checkpoint that a patch has created, from 1. */
    public static CheckpointKey key(int number) {
        return new CheckpointKey("default", "bench", "C" + number);
    }

    /** Bytes of all patches so far. */
    public long bytes() {
        return bytes;
    }

    /** The stored checkpoints. */
    public MemoryStore<Checkpoint> nodes() {
        return nodes;
    }

    /** The index of the checkpoints. */
    public MemoryStore<String> index() {
        return index;
    }

    /** Applies a patch. */
    public void apply(AgentMessage patch) {
        if (!(checkpoints.apply(patch, 0, Inbound::new) instanceof PatchOutcome.Applied)) {
            throw new IllegalStateException(patch + " was not applied");
        }
    }

    /** A patch that defines names in a range of numbers. */
    public AgentMessage add(int from, int to) {
        return patch(IntStream.range(from, to).mapToObj(i -> "+ DEF NAME_" + i + " = "));
    }

    /** A patch that changes that many of the first {@code of} definitions. */
    public AgentMessage change(int operations, int of) {
        int first = random.nextInt(of);
        int step = Math.max(1, of / operations);
        return patch(IntStream.range(0, Math.min(operations, of))
                .mapToObj(i -> "~ DEF NAME_" + (first + i * step) % of + " := "));
    }

    private AgentMessage patch(Stream<String> operations) {
        String lines = operations
                .map(line -> line + "src/part" + random.nextInt(1_000) + "/file" + random.nextInt(1_000) + ".ts")
                .collect(Collectors.joining("\n"));
        String base = "C" + made++;
        byte[] wire = CspPatchText.of("P" + made, base, "C" + made, lines).getBytes(UTF_8);
        bytes += wire.length;
        Source source = new Source("parley.wire", 0, (long) made, Instant.ofEpochMilli(made), null);
        RecordDecodeResult result =
                decoder.decode(new WireRecord(source, "bench".getBytes(UTF_8), wire, RecordHeaders.NONE));
        if (result instanceof RecordDecodeResult.Message message) {
            return message.message();
        }
        throw new IllegalStateException("no message: " + result);
    }
}
