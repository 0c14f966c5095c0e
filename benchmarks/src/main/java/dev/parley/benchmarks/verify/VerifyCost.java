package dev.parley.benchmarks.verify;

import com.sun.management.OperatingSystemMXBean;
import dev.parley.audit.AuditChain;
import dev.parley.audit.AuditFault;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportChain;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.benchmarks.SampleConversation;
import dev.parley.benchmarks.report.Page;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportWriter;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.verify.FileVerification;
import dev.parley.cli.verify.StoredManifests;
import dev.parley.cli.verify.VerificationSummary;
import dev.parley.decode.Sha256;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.Callable;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.specific.SpecificDatumReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the speed and the heap of verifying an export, next to reading its bytes, SHA-256 over them, and reading its
 * records as Avro objects. Prints the tables of docs/benchmarks.md. CPU time is that of the whole process, with garbage
 * collection and compilation.
 */
@Command(
        name = "benchmarks/verify",
        mixinStandardHelpOptions = true,
        description = "Measures the speed of parley verify over an export, next to reading and hashing it.")
public final class VerifyCost implements Callable<Integer> {
    private static final int CHAINS = 10_000;
    private static final int WARM_RECORDS = 20_000;
    private static final int WARM_ROUNDS = 8;
    private static final int MIX_SHARE = 4;
    private static final int LINES_SHARE = 40;
    private static final double NANOS = 1e9;
    private static final long MIN_BASELINE_NANOS = 40_000_000;

    @Option(
            names = "--records",
            description = "nSLIP records; a quarter as many of the sample mix. Default: ${DEFAULT-VALUE}.")
    private int records = 2_000_000;

    @Option(
            names = "--threads",
            description = "Threads of the parallel verification. Default: ${DEFAULT-VALUE}, the number of processors.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--docs", required = true, description = "Directory of the page that receives the tables.")
    private Path docs;

    @Option(names = "--write", description = "Also writes the tables into the page.")
    private boolean write;

    private final StringBuilder page = new StringBuilder();

    /** Runs the measurement. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new VerifyCost()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        AvroSerdes.trustRecords();
        Path directory = Files.createTempDirectory("parley-verify");
        Path file = directory.resolve("export");
        try {
            List<AuditRecord> slip = samples(List.of(Protocol.SLIP));
            List<AuditRecord> mix = samples(List.of(Protocol.SLIP, Protocol.SUBIT, Protocol.CSP, Protocol.LAMBDA));
            write(file, mix, WARM_RECORDS, ExportFormat.AVRO);
            for (int warm = 0; warm < WARM_ROUNDS; warm++) {
                readBytes(file);
                read(file);
                verify(file, WARM_RECORDS, 1);
                verify(file, WARM_RECORDS, threads);
            }
            measure("nSLIP", slip, records, ExportFormat.AVRO, file);
            measure("sample mix", mix, records / MIX_SHARE, ExportFormat.AVRO, file);
            measure("sample mix as JSON lines", mix, records / LINES_SHARE, ExportFormat.JSONL, file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
        if (write) {
            Page.write(docs.resolve("benchmarks.md"), "benchmarks/verify", page.toString());
        }
        return 0;
    }

    private void measure(String name, List<AuditRecord> samples, int count, ExportFormat format, Path file)
            throws IOException {
        long bytes = write(file, samples, count, format);
        Cost reading = Cost.of(() -> readBytes(file));
        Cost hashing = Cost.of(() -> hash(file));
        print(
                "| %,d records (%s), %,d bytes in %,d of file | s | CPU s | records/s | records/s per core"
                        + " | CPU, times SHA-256 | CPU, times reading | heap at most, MiB |",
                count, name, bytes, Files.size(file));
        print("|---|---|---|---|---|---|---|---|");
        row("reading the bytes of the file", reading, count, hashing, reading);
        row("SHA-256 over the bytes of the file, reading included", hashing, count, hashing, reading);
        if (format == ExportFormat.AVRO) {
            row(
                    "SHA-256 over its records, inflated, one digest each",
                    Cost.of(() -> hash(bytes / count, count)),
                    count,
                    hashing,
                    reading);
            row("reading its records as Avro objects", Cost.of(() -> read(file)), count, hashing, reading);
        }
        row("`parley verify`, 1 thread", Cost.of(() -> verify(file, count, 1)), count, hashing, reading);
        row(
                String.format(Locale.ROOT, "`parley verify`, %d threads", threads),
                Cost.of(() -> verify(file, count, threads)),
                count,
                hashing,
                reading);
        print("");
    }

    private void row(String what, Cost cost, int count, Cost hashing, Cost reading) {
        print(
                "| %s | %.2f | %.2f | %,.0f | %,.0f | %s | %s | %d |",
                what,
                cost.wall / NANOS,
                cost.cpu / NANOS,
                count / (cost.wall / NANOS),
                count / (cost.cpu / NANOS),
                ratio(cost, hashing),
                ratio(cost, reading),
                cost.heap >> 20);
    }

    /** Ratio of CPU times; empty if the baseline is too short for the resolution of CPU time. */
    private static String ratio(Cost cost, Cost baseline) {
        return baseline.cpu < MIN_BASELINE_NANOS
                ? ""
                : String.format(Locale.ROOT, "%.1f", (double) cost.cpu / baseline.cpu);
    }

    private void print(String format, Object... values) {
        String line = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
        System.out.println(line);
        page.append(line).append('\n');
    }

    /** Work that reads files. */
    private interface Work {
        void run() throws IOException;
    }

    /** What some work costs: elapsed time and CPU time of the process, in nanoseconds, and peak of the heap. */
    private record Cost(long wall, long cpu, long heap) {
        private static final OperatingSystemMXBean PROCESS =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

        static Cost of(Work work) throws IOException {
            System.gc();
            pools().forEach(MemoryPoolMXBean::resetPeakUsage);
            long cpu = PROCESS.getProcessCpuTime();
            long wall = System.nanoTime();
            work.run();
            long elapsed = System.nanoTime() - wall;
            long used = Math.max(1, PROCESS.getProcessCpuTime() - cpu);
            long peak = pools().stream()
                    .mapToLong(pool -> pool.getPeakUsage().getUsed())
                    .sum();
            return new Cost(elapsed, used, peak);
        }

        private static List<MemoryPoolMXBean> pools() {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();
        }
    }

    private static void readBytes(Path file) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            while (in.read(buffer) >= 0) {
                // Only reading counts.
            }
        }
    }

    private static void hash(Path file) throws IOException {
        MessageDigest sha256 = Sha256.digest();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sha256.update(buffer, 0, read);
            }
        }
        sha256.digest();
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

    private static void verify(Path file, int records, int threads) throws IOException {
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
        VerificationSummary summary = new FileVerification(
                        HeadSignatureVerifier.of(List.of()), StoredManifests.NONE, threads, loud)
                .run(file)
                .found();
        if (!summary.isSound() || summary.records() != records || summary.chains() != Math.min(records, CHAINS)) {
            throw new IllegalStateException(summary.toString());
        }
    }

    /**
     * Writes an export with records of all chains in turn, in one journal.
     *
     * @return bytes of the records in Avro's binary form
     */
    private static long write(Path file, List<AuditRecord> samples, int records, ExportFormat format)
            throws IOException {
        ByteBuffer[] heads = new ByteBuffer[CHAINS];
        AuditChain hashes = new AuditChain();
        long bytes = 0;
        try (ExportWriter writer = format.to(Files.newOutputStream(file))) {
            ExportEntry entry = new ExportEntry();
            entry.setStart(new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null, false));
            writer.write(entry);
            for (int i = 0; i < records; i++) {
                AuditRecord link = samples.get(i % samples.size());
                int chain = i % CHAINS;
                link.setChain("default|SLIP|" + chain);
                link.setSequence((long) (i / CHAINS));
                link.setSource(new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null));
                link.setPreviousHash(heads[chain] == null ? AuditChain.genesis() : heads[chain]);
                link.setJournal(new JournalPosition(0, i + 1L));
                bytes += hashes.seal(link).bytes().length;
                heads[chain] = link.getHash();
                entry = new ExportEntry();
                entry.setRecord(link);
                writer.write(entry);
            }
            int chains = Math.min(records, CHAINS);
            for (int chain = 0; chain < chains; chain++) {
                entry = new ExportEntry();
                entry.setChain(new ExportChain(
                        "default|SLIP|" + chain, 0L, (long) ((records - 1 - chain) / CHAINS), heads[chain]));
                writer.write(entry);
            }
            entry = new ExportEntry();
            entry.setEnd(new ExportEnd((long) records, (long) chains, 0L, 0L));
            writer.write(entry);
        }
        return bytes;
    }

    private static List<AuditRecord> samples(List<Protocol> protocols) {
        List<AuditRecord> samples = new ArrayList<>();
        for (Protocol protocol : protocols) {
            SampleConversation conversation = SampleConversation.of(protocol);
            OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
            for (int i = 0; i < conversation.records().size(); i++) {
                pipeline.accept(
                        conversation.records().get(i), conversation.headers().get(i), judged -> {}, samples::add);
            }
        }
        return samples;
    }
}
