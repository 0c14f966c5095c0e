package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.WireCodec;
import dev.parley.decode.WireProtocols;
import dev.parley.load.sample.SampleRecord;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Codecs under the common record type, and plans to build their records. */
final class Codecs {
    private Codecs() {}

    /** The codec of a protocol; benchmarks pass it only records that it created. */
    @SuppressWarnings("unchecked")
    static WireCodec<SpecificRecord> of(Protocol protocol) {
        return (WireCodec<SpecificRecord>)
                WireProtocols.STANDARD.named(protocol.name()).codec();
    }

    /** The messages of the sample conversation of a protocol. */
    static byte[][] wires(Protocol protocol) {
        return SampleRecord.conversation(protocol).stream()
                .map(record -> record.wire().value())
                .toArray(byte[][]::new);
    }

    /** Messages of MCP of about one kilobyte each: a call, and results with text, tools and structured content. */
    static byte[][] kilobytes() {
        InputStream file = Codecs.class.getResourceAsStream("/mcp-kilobyte.jsonl");
        try (Scanner lines = new Scanner(file, StandardCharsets.UTF_8).useDelimiter("\n")) {
            return lines.tokens()
                    .map(line -> line.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
        }
    }

    /** The same messages, decoded. */
    static SpecificRecord[] records(Protocol protocol) {
        return Stream.of(wires(protocol))
                .map(wire -> of(protocol).decode(wire, DecodeOptions.LENIENT))
                .map(result -> ((DecodeResult.Decoded<?>) result).message())
                .toArray(SpecificRecord[]::new);
    }

    /**
     * A plan to build a value from ready parts: every record object, every string from its UTF-8 bytes, every list at
     * its exact size, and every boxed number. Empty lists and shared values (enum constants, small boxed numbers) are
     * not built. Building allocates nothing else.
     *
     * @param boxed whether the record keeps a number as an object
     */
    static Supplier<Object> plan(Object value, boolean boxed) {
        if (value instanceof SpecificRecord record) {
            List<Schema.Field> fields = record.getSchema().getFields();
            List<Supplier<Object>> parts = fields.stream()
                    .map(field -> plan(record.get(field.pos()), field.schema().isUnion()))
                    .toList();
            return () -> {
                SpecificRecord built = (SpecificRecord) SpecificData.newInstance(record.getClass(), record.getSchema());
                for (int i = 0; i < parts.size(); i++) {
                    built.put(i, parts.get(i).get());
                }
                return built;
            };
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            List<Supplier<Object>> parts =
                    list.stream().map(part -> plan(part, false)).toList();
            return () -> {
                List<Object> built = new ArrayList<>(parts.size());
                for (int i = 0; i < parts.size(); i++) {
                    built.add(parts.get(i).get());
                }
                return built;
            };
        }
        if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            return () -> new String(utf8, StandardCharsets.UTF_8);
        }
        if (value instanceof Long number && boxed) {
            long primitive = number;
            return () -> primitive;
        }
        return () -> value;
    }
}
