package dev.parley.load.cost;

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
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportWriter;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.verify.FileVerification;
import dev.parley.cli.verify.StoredManifests;
import dev.parley.cli.verify.VerificationSummary;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.Sha256;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.load.sample.SampleConversation;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.OfflinePipeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the speed and the heap of verifying an export, next to SHA-256 over its bytes. CPU time is that of the whole
 * process, with garbage collection and compilation.
 */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Measures the speed of parley verify over an export, next to hashing its bytes.")
public final class VerifyCost implements Callable<Integer> {
    private static final int CHAINS = 10_000;
    private static final int WARM_RECORDS = 20_000;
    private static final double NANOS = 1e9;

    @Option(names = "--records", description = "nSLIP records (default: ${DEFAULT-VALUE}); a quarter of the mix.")
    private int records = 2_000_000;

    @Option(names = "--threads", description = "Threads of the parallel verification (default: ${DEFAULT-VALUE}).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() throws IOException {
        AvroSerdes.trustRecords();
        Path directory = Files.createTempDirectory("parley-verify");
        Path file = directory.resolve("export");
        try {
            List<AuditRecord> slip = samples(List.of(Protocol.SLIP));
            List<AuditRecord> mix = samples(SampleConversation.PROTOCOLS);
            write(file, mix, WARM_RECORDS, ExportFormat.AVRO);
            for (int warm = 0; warm < 16; warm++) {
                hash(file);
                verify(file, WARM_RECORDS, 1 + warm % threads);
            }
            measure("nSLIP", slip, records, ExportFormat.AVRO, file);
            measure("sample mix", mix, records / 4, ExportFormat.AVRO, file);
            measure("sample mix as JSON lines", mix, records / 40, ExportFormat.JSONL, file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
        return 0;
    }

    private void measure(String name, List<AuditRecord> samples, int count, ExportFormat format, Path file)
            throws IOException {
        write(file, samples, count, format);
        Cost hashing = Cost.of(() -> hash(file));
        System.out.printf(
                Locale.ROOT,
                "| %,d records (%s), %,d bytes | s | CPU s | records/s per core | CPU, times SHA-256 | heap at most, MiB"
                        + " |%n|---|---|---|---|---|---|%n",
                count,
                name,
                Files.size(file));
        row("SHA-256 over the file", hashing, count, hashing);
        row("`parley verify`, 1 thread", Cost.of(() -> verify(file, count, 1)), count, hashing);
        row("`parley verify`, " + threads + " threads", Cost.of(() -> verify(file, count, threads)), count, hashing);
        System.out.println();
    }

    private static void row(String what, Cost cost, int count, Cost hashing) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %,.0f | %.1f | %d |%n",
                what,
                cost.wall / NANOS,
                cost.cpu / NANOS,
                count / (cost.cpu / NANOS),
                (double) cost.cpu / hashing.cpu,
                cost.heap >> 20);
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
            List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();
            heap.forEach(MemoryPoolMXBean::resetPeakUsage);
            long cpu = PROCESS.getProcessCpuTime();
            long wall = System.nanoTime();
            work.run();
            return new Cost(
                    System.nanoTime() - wall,
                    Math.max(1, PROCESS.getProcessCpuTime() - cpu),
                    heap.stream()
                            .mapToLong(pool -> pool.getPeakUsage().getUsed())
                            .sum());
        }
    }

    private static void hash(Path file) throws IOException {
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), Sha256.digest())) {
            in.transferTo(OutputStream.nullOutputStream());
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

    /** Writes an export with records of all chains in turn, in one journal. */
    private static void write(Path file, List<AuditRecord> samples, int records, ExportFormat format)
            throws IOException {
        ByteBuffer[] heads = new ByteBuffer[CHAINS];
        AuditChain hashes = new AuditChain();
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
                hashes.seal(link);
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
    }

    private static List<AuditRecord> samples(List<Protocol> protocols) {
        List<AuditRecord> samples = new ArrayList<>();
        for (Protocol protocol : protocols) {
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
