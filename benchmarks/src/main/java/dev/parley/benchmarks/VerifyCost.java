package dev.parley.benchmarks;

import dev.parley.audit.AuditChain;
import dev.parley.audit.AuditFault;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportChain;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.Sha256;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.OfflinePipeline;
import dev.parley.trail.ExportFormat;
import dev.parley.trail.ExportWriter;
import dev.parley.trail.FileVerification;
import dev.parley.trail.ProgressListener;
import dev.parley.trail.VerificationSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;

/**
 * Measures the cost and the heap of verifying an export, compared with reading it and with SHA-256 over the same
 * records in Avro's binary form, one digest each. The records are those of the sample traffic, repeated, in 10,000
 * chains. Prints the table of docs/benchmarks.md; times are processor time of the working thread.
 */
public final class VerifyCost {
    private static final int CHAINS = 10_000;

    private final int records;
    private long bytes;

    private VerifyCost(int records) {
        this.records = records;
    }

    /** Runs the measurement; the only argument is the number of records. */
    public static void main(String[] arguments) throws IOException {
        int records = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
        AvroSerdes.trustRecords();
        Path directory = Files.createTempDirectory("parley-verify");
        Path small = directory.resolve("warm.avro");
        Path avro = directory.resolve("export.avro");
        Path lines = directory.resolve("export.jsonl");
        try {
            new VerifyCost(20_000).write(small, null);
            for (int warm = 0; warm < 5; warm++) {
                verify(small, 20_000);
                read(small);
            }
            VerifyCost cost = new VerifyCost(records);
            cost.write(avro, lines);
            cost.measure(avro, lines);
        } finally {
            for (Path file : List.of(small, avro, lines)) {
                Files.deleteIfExists(file);
            }
            Files.delete(directory);
        }
    }

    private void measure(Path avro, Path lines) throws IOException {
        hash(bytes / records, records / 10);
        long hashing = timed(() -> hash(bytes / records, records));
        long reading = timed(() -> read(avro));
        resetPeak();
        long verifying = timed(() -> verify(avro, records));
        long heap = peak();
        resetPeak();
        long verifyingLines = timed(() -> verify(lines, records));
        long heapLines = peak();
        print("| %,d records, %,d bytes | s | times SHA-256 | heap at most, MiB |", records, bytes);
        print("|---|---|---|---|");
        row("SHA-256 over their bytes", hashing, hashing, "");
        row("reading the Avro file", reading, hashing, "");
        row("verifying it, reading included", verifying, hashing, Long.toString(heap >> 20));
        row("verifying alone: the difference", verifying - reading, hashing, "");
        row("verifying the JSON lines", verifyingLines, hashing, Long.toString(heapLines >> 20));
    }

    private static void row(String what, long nanos, long hashing, String heap) {
        print("| %s | %.1f | %.2f | %s |", what, nanos / 1e9, (double) nanos / hashing, heap);
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** Work that reads files. */
    private interface Work {
        void run() throws IOException;
    }

    private static long timed(Work work) throws IOException {
        long since = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.run();
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - since;
    }

    private static void resetPeak() {
        System.gc();
        pools().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    private static long peak() {
        return pools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    }

    private static List<MemoryPoolMXBean> pools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }

    private static void hash(long length, int times) {
        MessageDigest sha256 = Sha256.digest();
        byte[] data = new byte[(int) length];
        for (int i = 0; i < times; i++) {
            // Each digest is an input of the next, so that none is optimized away.
            System.arraycopy(sha256.digest(data), 0, data, 0, AuditChain.HASH_BYTES);
        }
    }

    private static void read(Path file) throws IOException {
        try (DataFileReader<ExportEntry> entries =
                new DataFileReader<>(file.toFile(), new SpecificDatumReader<>(ExportEntry.getClassSchema()))) {
            while (entries.hasNext()) {
                entries.next();
            }
        }
    }

    private static void verify(Path file, int records) throws IOException {
        ProgressListener loud = new ProgressListener() {
            @Override
            public void found(AuditFault fault) {
                throw new IllegalStateException(fault.toString());
            }

            @Override
            public void progress(long done, long total) {
                // Progress is not reported.
            }
        };
        VerificationSummary summary = new FileVerification(HeadSignatureVerifier.of(List.of()), loud)
                .run(file)
                .found();
        if (!summary.isSound() || summary.records() != records || summary.chains() != Math.min(records, CHAINS)) {
            throw new IllegalStateException(summary.toString());
        }
    }

    /** Writes an export with records of all chains in turn, and also as JSON lines if there is a file for them. */
    private void write(Path avro, Path lines) throws IOException {
        List<AuditRecord> samples = samples();
        ByteBuffer[] heads = new ByteBuffer[CHAINS];
        AuditChain hashes = new AuditChain();
        SpecificDatumWriter<ExportEntry> datums = new SpecificDatumWriter<>(ExportEntry.getClassSchema());
        ByteArrayOutputStream binary = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(binary, null);
        try (ExportWriter file = ExportFormat.AVRO.to(Files.newOutputStream(avro));
                ExportWriter text = ExportFormat.JSONL.to(
                        lines == null ? OutputStream.nullOutputStream() : Files.newOutputStream(lines))) {
            ExportEntry entry = new ExportEntry();
            entry.setStart(new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null, false));
            add(entry, file, text);
            for (int i = 0; i < records; i++) {
                AuditRecord link = samples.get(i % samples.size());
                int chain = i % CHAINS;
                link.setChain("default|SLIP|" + chain);
                link.setSequence((long) (i / CHAINS));
                link.setSource(new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null));
                link.setPreviousHash(heads[chain] == null ? AuditChain.genesis() : heads[chain]);
                link.setContentHash(hashes.contentHash(link));
                link.setHash(hashes.hash(link));
                heads[chain] = link.getHash();
                entry = new ExportEntry();
                entry.setRecord(link);
                add(entry, file, text);
                binary.reset();
                datums.write(entry, encoder);
                bytes += binary.size();
            }
            int chains = Math.min(records, CHAINS);
            for (int chain = 0; chain < chains; chain++) {
                entry = new ExportEntry();
                entry.setChain(new ExportChain(
                        "default|SLIP|" + chain, 0L, (long) ((records - 1 - chain) / CHAINS), heads[chain]));
                add(entry, file, text);
            }
            entry = new ExportEntry();
            entry.setEnd(new ExportEnd((long) records, (long) chains, 0L, 0L));
            add(entry, file, text);
        }
    }

    private static void add(ExportEntry entry, ExportWriter... writers) throws IOException {
        for (ExportWriter writer : writers) {
            writer.write(entry);
        }
    }

    private static List<AuditRecord> samples() {
        List<AuditRecord> samples = new ArrayList<>();
        for (Protocol protocol : List.of(Protocol.SLIP, Protocol.SUBIT, Protocol.CSP, Protocol.LAMBDA)) {
            SampleConversation conversation = SampleConversation.of(protocol);
            OfflinePipeline pipeline = new OfflinePipeline(
                    DecodeOptions.LENIENT, DialogueSettings.DEFAULT, CheckpointSettings.DEFAULT, Map.of());
            for (int i = 0; i < conversation.records().size(); i++) {
                pipeline.accept(
                        conversation.records().get(i), conversation.headers().get(i), judged -> {}, samples::add);
            }
        }
        return samples;
    }
}
