package dev.parley.log.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.Links;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.LogNoteReader;
import dev.parley.log.Trail;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportItem;
import dev.parley.log.export.ExportItems;
import dev.parley.log.export.ExportReader;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.NotAnExportException;
import dev.parley.log.export.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
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
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exports that claim lengths which they do not have, or that would need unbounded memory or time. */
@Timeout(60)
class HostileExportTest {
    @TempDir
    private Path directory;

    @Test
    void faultsNameNoClass() throws IOException {
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
    void aCompressedExportIsReadLikeItsContent() throws IOException {
        Path file = export(Links.messages("default|SLIP|1", 1).get(0));
        List<AuditFault> faults = verify(file, 1);
        byte[] compressed = compressed(Files.readAllBytes(file));
        assertThat(verify(Files.write(file, compressed), 3)).isEqualTo(faults).isNotEmpty();
        assertThatCode(() -> StoredHeads.read(file)).doesNotThrowAnyException();
        Files.write(file, Arrays.copyOf(compressed, compressed.length / 2));
        assertThatThrownBy(() -> verify(file, 3)).isInstanceOf(EOFException.class);
        compressed[compressed.length - 5] ^= 1;
        Files.write(file, compressed);
        assertThatThrownBy(() -> verify(file, 3)).isInstanceOf(ZipException.class);
    }

    @Test
    void aCompressedLineIsNotReadBeyondItsLimit() throws IOException {
        byte[] bomb = compressed(new byte[64 << 20]);
        assertThat(bomb).hasSizeLessThan(1 << 17);
        Path file = Files.write(directory.resolve("bomb"), bomb);
        assertThatThrownBy(() -> verify(file, 2))
                .isInstanceOf(NotAnExportException.class)
                .hasMessageContaining("longer than 1048576 bytes");
    }

    private static byte[] compressed(byte[] content) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(content);
        }
        return compressed.toByteArray();
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
        Path file = export(record);
        assertThatCode(() -> StoredHeads.read(file)).doesNotThrowAnyException();
        assertThat(verify(file, 1)).extracting(AuditFault::code).doesNotContain(FaultCode.UNREADABLE);
    }

    @Test
    void linesOfAnyLengthAroundTheSizeOfABatchAreReadWhole() throws IOException {
        for (int length : new int[] {1, 65_534, 65_535, 65_536, 65_537, 200_000}) {
            String lines = ("x".repeat(length) + "\n").repeat(3) + "y";
            List<ExportItem> found = new ArrayList<>();
            byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
            try (ExportItems items = new ExportItems(new ExportReader(new ByteArrayInputStream(bytes)), true, 1)) {
                for (var item = items.next(); item.isPresent(); item = items.next()) {
                    found.add(item.get());
                }
            }
            assertThat(found).as("length %d", length).hasSize(4);
        }
    }

    private Path export(AuditRecord record) throws IOException {
        Path file = directory.resolve("export");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.JSONL.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            exporter.note(Trail.of(Trail.key(), Map.of("default|SLIP|1", 0), 1).head(0));
            exporter.record(Links.sealed(record));
            exporter.end();
        }
        return file;
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
