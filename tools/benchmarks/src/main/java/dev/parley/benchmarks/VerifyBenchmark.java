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
import dev.parley.avro.JournalPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportWriter;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.verify.FileVerification;
import dev.parley.cli.verify.StoredManifests;
import dev.parley.cli.verify.VerificationSummary;
import dev.parley.decode.Sha256;
import dev.parley.load.sample.SampleConversation;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Verifying an export of many chains in turn and one journal, next to SHA-256 over its bytes, in a small heap. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx64m"})
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class VerifyBenchmark {
    private static final int CHAINS = 10_000;

    @Param({"500000"})
    int records;

    @Param({"AVRO", "JSONL"})
    ExportFormat format;

    /** Whether the records are those of all sample conversations, or only of nSLIP. */
    @Param({"false", "true"})
    boolean mixed;

    private Path file;

    /** Writes the export. */
    @Setup
    public void setUp() throws IOException {
        AvroSerdes.trustRecords();
        file = Files.createTempFile("parley-verify", ".export");
        List<AuditRecord> samples = new ArrayList<>();
        for (Protocol protocol : mixed ? SampleConversation.PROTOCOLS : List.of(Protocol.SLIP)) {
            SampleConversation conversation = SampleConversation.of(protocol);
            OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
            for (int i = 0; i < conversation.records().size(); i++) {
                pipeline.accept(
                        conversation.records().get(i), conversation.headers().get(i), judged -> {}, samples::add);
            }
        }
        try (ExportWriter writer = format.to(Files.newOutputStream(file))) {
            write(writer, samples);
        }
    }

    private void write(ExportWriter writer, List<AuditRecord> samples) throws IOException {
        int chains = Math.min(records, CHAINS);
        ByteBuffer[] heads = new ByteBuffer[chains];
        AuditChain hashes = new AuditChain();
        ExportStart start = new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null, false);
        write(writer, entry -> entry.setStart(start));
        for (int i = 0; i < records; i++) {
            AuditRecord link = samples.get(i % samples.size());
            int chain = i % chains;
            link.setChain("default|SLIP|" + chain);
            link.setSequence((long) (i / chains));
            link.setSource(new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null));
            link.setPreviousHash(heads[chain] == null ? AuditChain.genesis() : heads[chain]);
            link.setJournal(new JournalPosition(0, i + 1L));
            hashes.seal(link);
            heads[chain] = link.getHash();
            write(writer, entry -> entry.setRecord(link));
        }
        for (int chain = 0; chain < chains; chain++) {
            ExportChain end =
                    new ExportChain("default|SLIP|" + chain, 0L, (long) ((records - 1 - chain) / chains), heads[chain]);
            write(writer, entry -> entry.setChain(end));
        }
        write(writer, entry -> entry.setEnd(new ExportEnd((long) records, (long) chains, 0L, 0L)));
    }

    private static void write(ExportWriter writer, Consumer<ExportEntry> content) throws IOException {
        ExportEntry entry = new ExportEntry();
        content.accept(entry);
        writer.write(entry);
    }

    /** Deletes the export. */
    @TearDown
    public void delete() throws IOException {
        Files.delete(file);
    }

    /** SHA-256 over the bytes of the file, reading included. */
    @Benchmark
    public void hash() throws IOException {
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), Sha256.digest())) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** {@code parley verify} with one thread. */
    @Benchmark
    public void verify() throws IOException {
        verify(1);
    }

    /** {@code parley verify} with two threads. */
    @Benchmark
    public void verifyTwoThreads() throws IOException {
        verify(2);
    }

    private void verify(int threads) throws IOException {
        ProgressListener silent = new ProgressListener() {
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
                        HeadSignatureVerifier.of(List.of()), StoredManifests.NONE, threads, silent)
                .run(file)
                .found();
        if (!summary.isSound() || summary.records() != records) {
            throw new IllegalStateException(summary.toString());
        }
    }
}
