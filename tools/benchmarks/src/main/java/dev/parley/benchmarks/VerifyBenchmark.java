package dev.parley.benchmarks;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.load.sample.SampleRecord;
import dev.parley.log.AuditFault;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.verify.FileVerification;
import dev.parley.log.verify.StoredHeads;
import dev.parley.log.verify.VerificationSummary;
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
import java.util.Collections;
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

/** Verifying an export of many chains in turn and one log, next to SHA-256 over its bytes, in a small heap. */
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
    private static final String ORIGIN = "example.com/audit";

    @Param({"500000"})
    int records;

    /** Whether the records are those of all sample conversations, or only of nSLIP. */
    @Param({"false", "true"})
    boolean mixed;

    private final NoteSigner signer = NoteSigner.of(ORIGIN, KeyFiles.newPair());
    private Path file;

    /** Writes the export. */
    @Setup
    public void setUp() throws IOException {
        AvroSerdes.trustRecords();
        file = Files.createTempFile("parley-verify", ".export");
        List<AuditRecord> samples = new ArrayList<>();
        for (Protocol protocol : mixed ? SampleRecord.PROTOCOLS : List.of(Protocol.SLIP)) {
            OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
            for (SampleRecord sample : SampleRecord.conversation(protocol)) {
                pipeline.accept(sample.wire(), sample.headers(), judged -> {}, samples::add);
            }
        }
        try (ExportWriter writer = ExportFormat.JSONL.to(Files.newOutputStream(file))) {
            write(writer, samples);
        }
    }

    private void write(ExportWriter writer, List<AuditRecord> samples) throws IOException {
        LogNotes notes = new LogNotes(ORIGIN, List.of(signer));
        Frontier log = new Frontier();
        MerkleHasher hasher = new MerkleHasher();
        records(samples, link -> log.append(hasher.leaf(ByteBuffers.of(link.getHash()))));
        ExportStart start = new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null);
        write(writer, entry -> entry.setStart(start));
        write(writer, entry -> entry.setNote(notes.statement(1, Collections.emptySortedMap(), Instant.EPOCH)));
        write(writer, entry -> entry.setNote(notes.head(0, records, log.root(), Instant.EPOCH)));
        records(samples, link -> write(writer, entry -> entry.setRecord(link)));
        write(writer, entry -> entry.setEnd(new ExportEnd((long) records, 0L, 2L)));
    }

    /** Passes on the same records every time. */
    private void records(List<AuditRecord> samples, RecordConsumer each) throws IOException {
        int chains = Math.min(records, CHAINS);
        ByteBuffer[] heads = new ByteBuffer[chains];
        AuditChain hashes = new AuditChain();
        for (int i = 0; i < records; i++) {
            AuditRecord link = samples.get(i % samples.size());
            int chain = i % chains;
            link.setChain("default|SLIP|" + chain);
            link.setSequence((long) (i / chains));
            link.setSource(new Source("parley.wire", 0, (long) i, Instant.ofEpochMilli(i), null));
            link.setPreviousHash(heads[chain] == null ? AuditChain.genesis() : heads[chain]);
            link.setLog(new LogPosition(0, (long) i));
            hashes.seal(link);
            heads[chain] = link.getHash();
            each.accept(link);
        }
    }

    private interface RecordConsumer {
        void accept(AuditRecord link) throws IOException;
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
        verify(1, List.of());
    }

    /** {@code parley verify} with two threads. */
    @Benchmark
    public void verifyTwoThreads() throws IOException {
        verify(2, List.of());
    }

    /** {@code parley verify --key} with one thread. */
    @Benchmark
    public void verifyWithKey() throws IOException {
        verify(1, List.of(signer.verifierKey()));
    }

    private void verify(int threads, List<VerifierKey> keys) throws IOException {
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
                        new LogNoteReader(keys), StoredHeads.NONE, StoredHeads.NONE, threads, silent)
                .run(file)
                .summary();
        if (!summary.isSound() || summary.records() != records) {
            throw new IllegalStateException(summary.toString());
        }
    }
}
