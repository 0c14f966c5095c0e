package dev.parley.load.cost;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Random;

/** Consecutive, realistic patches of one context. Not thread-safe. */
final class Patches {
    static final String CONTEXT = "bench";

    private final MessageDecoder decoder = new MessageDecoder(DecodeOptions.LENIENT, Map.of());
    private final Random random = new Random(7);
    private int made;
    private long bytes;

    /** Bytes of all patches so far. */
    long bytes() {
        return bytes;
    }

    /** Number of patches so far: the last target is "C" and this number. */
    int made() {
        return made;
    }

    /** A patch that defines names in a range of numbers. */
    AgentMessage add(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("+ DEF NAME_").append(i).append(" = ").append(value()).append('\n');
        }
        return patch(lines);
    }

    /** A patch that changes that many of the first {@code of} definitions. */
    AgentMessage change(int operations, int of) {
        StringBuilder lines = new StringBuilder();
        int first = random.nextInt(of);
        int step = Math.max(1, of / operations);
        for (int i = 0; i < Math.min(operations, of); i++) {
            lines.append("~ DEF NAME_")
                    .append((first + i * step) % of)
                    .append(" := ")
                    .append(value())
                    .append('\n');
        }
        return patch(lines);
    }

    private String value() {
        return "src/part" + random.nextInt(1_000) + "/file" + random.nextInt(1_000) + ".ts";
    }

    private AgentMessage patch(StringBuilder lines) {
        String base = "C" + made;
        made++;
        String wire = "CSP/1\nFROM MAIN\nTO MEM\nCTX " + base + "\nINTENT PATCH\n\nPATCH P" + made + "\nBASE " + base
                + "\n" + lines + "APPLY -> C" + made;
        byte[] value = wire.getBytes(StandardCharsets.UTF_8);
        bytes += value.length;
        Source source = new Source("parley.wire", 0, (long) made, Instant.ofEpochMilli(made), null);
        RecordDecodeResult result =
                decoder.decode(new WireRecord(source, CONTEXT.getBytes(StandardCharsets.UTF_8), value, name -> null));
        if (result instanceof RecordDecodeResult.Message message) {
            return message.message();
        }
        throw new IllegalStateException("no message: " + result);
    }
}
