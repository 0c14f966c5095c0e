package dev.parley.log.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.Links;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RecordEncoder;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.LogNoteReader;
import dev.parley.log.Trail;
import dev.parley.log.export.EntryDecoder;
import dev.parley.log.export.ExportBatch;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportItem;
import dev.parley.log.export.ExportItems;
import dev.parley.log.export.ExportReader;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.NotAnExportException;
import dev.parley.log.export.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports that claim lengths which they do not have, or that would need unbounded memory or time. */
@Timeout(60)
class HostileExportTest {
    private static final byte[] SYNC = new byte[16];
    private static final String ENTRY = ExportEntry.getClassSchema().toString();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {-1, 1 << 20, 1L << 31, Long.MAX_VALUE})
    void aBlockThatClaimsMoreBytesThanTheFileHasIsDamaged(long bytes) throws IOException {
        ByteOutput file = header("null", ENTRY);
        file.number(1);
        file.number(bytes);
        file.raw(new byte[10], 0, 10);
        assertDamaged(file, "");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 2, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE})
    void aBlockThatClaimsOtherEntriesThanItHasIsDamaged(long entries) throws IOException {
        ByteOutput file = header("null", ENTRY);
        block(file, entries, entry());
        assertDamaged(file, "");
    }

    @Test
    void aStringThatClaimsMoreBytesThanTheBlockHasIsDamaged() throws IOException {
        ByteOutput content = new ByteOutput(64);
        content.octet(0);
        content.octet(2);
        content.number(1L << 30);
        ByteOutput file = header("null", ENTRY);
        block(file, 1, content.toBytes());
        assertDamaged(file, "1073741824 bytes");
    }

    static Stream<String> otherSchemas() {
        String record = "{\"type\":\"record\",\"name\":\"ExportEntry\",\"namespace\":\"dev.parley.avro\",\"fields\":[";
        String empty = "{\"name\":\"overruled\",\"type\":{\"type\":\"record\",\"name\":\"Overruled\",\"fields\":[]}}";
        return Stream.of(
                "[[",
                "[".repeat(100_000),
                "{\"type\":\"record\"}",
                "\"int\"",
                "\u0000",
                // An entry could have any number of items without bytes, or be nested without end.
                record + "{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":\"null\"}}]}",
                record + "{\"name\":\"deep\",\"type\":[\"null\",\"ExportEntry\"]}]}",
                // Other readers would read other values from the same bytes.
                ENTRY.replace("timestamp-millis", "timestamp-micros"),
                ENTRY.substring(0, ENTRY.length() - 2) + "," + empty + "]}",
                ENTRY.replace("\"name\":\"verdict\"", "\"name\":\"decision\""),
                ENTRY + "x");
    }

    @ParameterizedTest
    @MethodSource("otherSchemas")
    void onlyTheSchemaOfEntriesIsRead(String schema) throws IOException {
        ByteOutput file = header("null", schema);
        block(file, 1, entry());
        assertDamaged(file, "the schema in the header must be that of ExportEntry");
    }

    @Test
    void theSchemaMayHaveOtherDocumentation() throws IOException {
        ByteOutput file =
                header("null", new Schema.Parser().parse(ENTRY).toString().replace("\"doc\":\"", "\"doc\":\"x"));
        block(file, 1, entry());
        assertThat(verify(Files.write(directory.resolve("documented.avro"), file.toBytes()), 1))
                .isNotEmpty()
                .noneMatch(fault -> fault.code() == FaultCode.UNREADABLE);
    }

    @Test
    void aHeaderWithOtherOrRepeatedKeysIsDamaged() throws IOException {
        assertDamaged(header("null", ENTRY, "note", "audited"), "the header must have no keys except avro.schema and");
        assertDamaged(header("null", ENTRY, "avro.codec", "null"), "the header has a key twice");
    }

    @Test
    void faultsNameNoClass() throws IOException {
        byte[] content = entry();
        for (int length : new int[] {1, 3, content.length / 2, content.length - 1}) {
            ByteOutput file = header("null", ENTRY);
            block(file, 1, Arrays.copyOf(content, length));
            assertNoClass(file.toBytes());
        }
        for (String line :
                List.of("{", "{\"x\":1}{", "[".repeat(5_000), "{\"end\":{}}", "x", "", "\"\\u\"", "{\"a\":tru}")) {
            assertNoClass(("{\"start\":{}}\n" + line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void assertNoClass(byte[] export) throws IOException {
        assertThat(verify(Files.write(directory.resolve("named"), export), 1))
                .isNotEmpty()
                .allSatisfy(fault -> assertThat(fault.detail())
                        .doesNotContain("Exception", "com.fasterxml", "org.apache", "java.", "Source:", "`"));
    }

    @Test
    void aHeaderThatClaimsManyBytesIsDamaged() throws IOException {
        ByteOutput file = new ByteOutput(64);
        file.raw(new byte[] {'O', 'b', 'j', 1}, 0, 4);
        file.number(Long.MAX_VALUE);
        file.number(1L << 31);
        assertDamaged(file, "a length must be");
    }

    @Test
    void anotherCodecIsNamed() throws IOException {
        ByteOutput file = header("snappy", ENTRY);
        block(file, 1, entry());
        assertDamaged(file, "the codec must be deflate or null, but is snappy");
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 5 << 20})
    void aBlockThatInflatesToManyBytesIsDamagedWithoutKeepingItsEntries(int entries) throws IOException {
        // Each entry has no content: six bytes that say so.
        ByteOutput file = header("deflate", ENTRY);
        block(file, entries, deflated(new byte[6 * entries + 1]));
        assertDamaged(file, "bytes after its last entry");
    }

    @Test
    void aDecoderInflatesNoMoreThanItsLimit() {
        byte[] bomb = deflated(new byte[8 << 20]);
        assertThat(bomb).hasSizeLessThan(1 << 14);
        ExportReader.Header header = new ExportReader.Header(true, SYNC);
        try (EntryDecoder decoder = new EntryDecoder(true, 1 << 20, Long.MAX_VALUE)) {
            assertThatThrownBy(() -> new ExportReader.Block(bomb, 1, header).open(decoder))
                    .isInstanceOf(ExportBatch.TooLargeException.class)
                    .hasMessageContaining("1048576 bytes");
        }
    }

    @Test
    void aTruncatedCompressedBlockIsDamaged() throws IOException {
        byte[] whole = deflated(entry());
        ByteOutput file = header("deflate", ENTRY);
        block(file, 1, Arrays.copyOf(whole, whole.length - 1));
        assertDamaged(file, "incomplete");
    }

    @Test
    void aLineIsNotReadBeyondItsLimit() throws IOException {
        Path file = directory.resolve("long.jsonl");
        byte[] line = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        try (var out = Files.newOutputStream(file)) {
            for (int i = 0; i < 100; i++) {
                out.write(line);
            }
        }
        assertThatThrownBy(() -> verify(file, 2))
                .isInstanceOf(NotAnExportException.class)
                .hasMessageContaining("longer than 1048576 bytes");
    }

    /** The maximum of limits.message.bytes, twice as long in hexadecimal. */
    @Test
    void theLargestMessageIsReadFromALine() throws IOException {
        AuditRecord record = Links.messages("default|SLIP|1", 1).get(0);
        record.getMessage().setRaw(ByteBuffer.allocate(16 << 20));
        Path file = directory.resolve("large.jsonl");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.JSONL.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            exporter.note(Trail.of(Trail.key(), Map.of("default|SLIP|1", 0), 1).head(0));
            exporter.record(Links.sealed(record));
            exporter.end();
        }
        assertThatCode(() -> StoredHeads.read(file)).doesNotThrowAnyException();
        assertThat(verify(file, 1)).extracting(AuditFault::code).doesNotContain(FaultCode.UNREADABLE);
    }

    @Test
    void linesOfAnyLengthAroundTheSizeOfABatchAreReadWhole() throws IOException {
        for (int length : new int[] {1, 65_534, 65_535, 65_536, 65_537, 200_000}) {
            String lines = ("x".repeat(length) + "\n").repeat(3) + "y";
            List<ExportItem> found = new ArrayList<>();
            byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
            try (ExportItems items = new ExportItems(ExportReader.of(new ByteArrayInputStream(bytes)), true, 1)) {
                for (var item = items.next(); item.isPresent(); item = items.next()) {
                    found.add(item.get());
                }
            }
            assertThat(found).as("length %d", length).hasSize(4);
        }
    }

    private static byte[] entry() {
        ExportEntry entry = new ExportEntry();
        entry.setRecord(Links.messages("default|SLIP|1", 1).get(0));
        ByteOutput out = new ByteOutput(512);
        RecordEncoder.of(ExportEntry.class).encode(entry, out);
        return out.toBytes();
    }

    private static ByteOutput header(String codec, String schema, String... more) {
        ByteOutput file = new ByteOutput(1 << 16);
        file.raw(new byte[] {'O', 'b', 'j', 1}, 0, 4);
        file.number(2 + more.length / 2);
        file.string("avro.schema");
        file.string(schema);
        file.string("avro.codec");
        file.string(codec);
        for (String text : more) {
            file.string(text);
        }
        file.number(0);
        file.raw(SYNC, 0, SYNC.length);
        return file;
    }

    private static void block(ByteOutput file, long entries, byte[] content) {
        file.number(entries);
        file.number(content.length);
        file.raw(content, 0, content.length);
        file.raw(SYNC, 0, SYNC.length);
    }

    private static byte[] deflated(byte[] content) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(content);
        deflater.finish();
        ByteOutput out = new ByteOutput(1 << 10);
        byte[] buffer = new byte[1 << 10];
        while (!deflater.finished()) {
            out.raw(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return out.toBytes();
    }

    private void assertDamaged(ByteOutput bytes, String reason) throws IOException {
        Path file = Files.write(directory.resolve("hostile.avro"), bytes.toBytes());
        List<AuditFault> one = verify(file, 1);
        assertThat(one).anySatisfy(fault -> {
            assertThat(fault.code()).isEqualTo(FaultCode.UNREADABLE);
            assertThat(fault.detail())
                    .startsWith("the container file is damaged here: ")
                    .contains(reason);
        });
        assertThat(verify(file, 3)).isEqualTo(one);
    }

    private static List<AuditFault> verify(Path file, int threads) throws IOException {
        List<AuditFault> faults = new ArrayList<>();
        ProgressListener listener = new ProgressListener() {
            @Override
            public void found(AuditFault fault) {
                faults.add(fault);
            }

            @Override
            public void progress(long done, long total) {
                // Not verified.
            }
        };
        new FileVerification(new LogNoteReader(List.of()), StoredHeads.NONE, StoredHeads.NONE, threads, listener)
                .run(file);
        return faults;
    }
}
