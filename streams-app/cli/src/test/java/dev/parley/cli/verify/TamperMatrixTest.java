package dev.parley.cli.verify;

import static dev.parley.audit.FaultCode.CHAIN_MISSING;
import static dev.parley.audit.FaultCode.CONTENT_CHANGED;
import static dev.parley.audit.FaultCode.EXPORT_INCOMPLETE;
import static dev.parley.audit.FaultCode.HEAD_FORGED;
import static dev.parley.audit.FaultCode.HEAD_MISMATCH;
import static dev.parley.audit.FaultCode.HEAD_UNSIGNED;
import static dev.parley.audit.FaultCode.LINK_BROKEN;
import static dev.parley.audit.FaultCode.MANIFEST_MISSING;
import static dev.parley.audit.FaultCode.PAYLOAD_CHANGED;
import static dev.parley.audit.FaultCode.RECORD_CHANGED;
import static dev.parley.audit.FaultCode.RECORD_MISSING;
import static dev.parley.audit.FaultCode.RECORD_MOVED;
import static dev.parley.audit.FaultCode.RECORD_REPEATED;
import static dev.parley.audit.FaultCode.TAIL_CUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditFault;
import dev.parley.audit.AuditTrailVerifier;
import dev.parley.audit.ChainVerifier;
import dev.parley.audit.FaultCode;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.HeadSigner;
import dev.parley.audit.KeyFiles;
import dev.parley.audit.Links;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportItem;
import dev.parley.cli.export.ExportItems;
import dev.parley.cli.export.ExportReader;
import dev.parley.cli.export.ExportWriter;
import dev.parley.cli.export.Exporter;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.export.RecordedRedactions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that changes of an audit trail are found with their location, in both export formats and in the topics. */
class TamperMatrixTest {
    private static final int LENGTH = 12;
    private static final long SEED = Long.getLong("parley.seed", 5_2026L);
    private static final KeyPair PAIR = KeyFiles.newPair();
    private static final HeadSignatureVerifier TRUSTED = HeadSignatureVerifier.of(List.of(PAIR.getPublic()));

    @TempDir
    private Path directory;

    private final List<AuditFault> heard = new ArrayList<>();

    /** The form in which a trail is verified. */
    enum Where {
        JSONL,
        AVRO,
        TOPICS
    }

    /**
     * Two chains, one of decoded messages and one of raw bytes, each record followed by the signed head that names it.
     */
    private static List<ExportEntry> sound() throws IOException {
        List<AuditRecord> first = Links.messages("default|SLIP|1", LENGTH);
        List<AuditRecord> second = Links.chain("default|CSP|x", LENGTH);
        second.forEach(link -> {
            link.getSource().setTopic("parley.wire.csp");
        });
        reseal(second);
        Map<String, AuditHead> heads = new HashMap<>();
        for (List<AuditRecord> chain : List.of(first, second)) {
            AuditHead head = Links.head(chain);
            new HeadSigner(PAIR).sign(head);
            heads.put(head.getChain(), head);
        }
        List<ExportEntry> entries = new ArrayList<>();
        Exporter exporter = new Exporter(keeping(entries), heads, new RecordedRedactions());
        exporter.begin(new ExportStart(
                Exporter.VERSION, Instant.ofEpochMilli(9), ExportScope.EVERYTHING, null, null, null, false));
        for (int i = 0; i < LENGTH; i++) {
            exporter.record(first.get(i));
            exporter.record(second.get(i));
        }
        assertThat(exporter.end()).isEqualTo(new Exporter.Written(2 * LENGTH, 2, 2, 0));
        return entries;
    }

    private static void reseal(List<AuditRecord> chain) {
        ByteBuffer head = chain.get(0).getPreviousHash();
        for (AuditRecord link : chain) {
            link.setPreviousHash(head);
            head = Links.sealed(link).getHash();
        }
    }

    private static ExportWriter keeping(List<ExportEntry> entries) {
        return new ExportWriter() {
            @Override
            public void write(ExportEntry entry) {
                entries.add(entry);
            }

            @Override
            public void close() {
                // No resource is open.
            }
        };
    }

    /** Index of an entry of the first chain: every other one after the first entry. */
    private static int at(int sequence) {
        return 1 + 2 * sequence;
    }

    private static Arguments row(
            String what, int entry, long sequence, FaultCode code, Consumer<List<ExportEntry>> touch) {
        return Arguments.of(what, entry, sequence, code, touch);
    }

    static Stream<Arguments> matrix() {
        int last = 2 * LENGTH;
        return Stream.of(
                row(
                        "a byte of a payload",
                        at(5),
                        5,
                        PAYLOAD_CHANGED,
                        entries -> flip(record(entries, 5).getMessage().getRaw())),
                row(
                        "a byte of a hash",
                        at(5),
                        5,
                        RECORD_CHANGED,
                        entries -> flip(record(entries, 5).getHash())),
                row(
                        "a letter of what was decoded",
                        at(5),
                        5,
                        CONTENT_CHANGED,
                        entries -> record(entries, 5).getMessage().setSender("alicf")),
                row(
                        "a letter of a sentence",
                        at(5),
                        5,
                        CONTENT_CHANGED,
                        entries -> record(entries, 5).setDetail("b sentence")),
                row("a removed record", at(5) + 1, 6, RECORD_MISSING, entries -> entries.remove(at(5))),
                row("the first record removed", at(0) + 1, 1, RECORD_MISSING, entries -> entries.remove(at(0))),
                row(
                        "two swapped records",
                        at(5),
                        6,
                        RECORD_MISSING,
                        entries -> Collections.swap(entries, at(5), at(6))),
                row(
                        "two swapped records, the second",
                        at(6),
                        5,
                        RECORD_MOVED,
                        entries -> Collections.swap(entries, at(5), at(6))),
                row(
                        "a duplicated record",
                        at(5) + 1,
                        5,
                        RECORD_REPEATED,
                        entries -> entries.add(at(5) + 1, entries.get(at(5)))),
                row(
                        "a duplicated record, far behind",
                        last,
                        5,
                        RECORD_REPEATED,
                        entries -> entries.add(last, entries.get(at(5)))),
                row("a cut tail", at(LENGTH - 2), LENGTH - 2, TAIL_CUT, entries -> entries.remove(at(LENGTH - 1))),
                row(
                        "a long tail cut",
                        at(5),
                        5,
                        TAIL_CUT,
                        entries -> entries.removeIf(entry -> entry.getRecord() != null
                                && entry.getRecord().getChain().equals("default|SLIP|1")
                                && entry.getRecord().getSequence() > 5)),
                row(
                        "a head of another hash",
                        last,
                        LENGTH - 1,
                        HEAD_FORGED,
                        entries -> flip(head(entries).getHash())),
                row(
                        "a head signed with another key",
                        last,
                        LENGTH - 1,
                        HEAD_UNSIGNED,
                        entries -> new HeadSigner(KeyFiles.newPair()).sign(head(entries))),
                row("a head whose signature is gone", last, LENGTH - 1, HEAD_UNSIGNED, entries -> {
                    head(entries).setSignature(null);
                    head(entries).setKeyId(null);
                }),
                row(
                        "all records from one on rewritten, the head too, without the key",
                        last,
                        LENGTH - 1,
                        HEAD_FORGED,
                        entries -> {
                            record(entries, 5).setDetail("another");
                            List<AuditRecord> chain = chain(entries);
                            reseal(chain);
                            head(entries).setHash(chain.get(LENGTH - 1).getHash());
                        }),
                row("all records from one on rewritten, except the head", last, LENGTH - 1, HEAD_MISMATCH, entries -> {
                    record(entries, 5).setDetail("another");
                    reseal(chain(entries));
                }),
                row("a rewritten record", at(6), 6, LINK_BROKEN, entries -> {
                    record(entries, 5).setDetail("another");
                    Links.sealed(record(entries, 5));
                }),
                row(
                        "a chain that is missing except for its head",
                        1 + LENGTH,
                        LENGTH - 1,
                        CHAIN_MISSING,
                        entries -> entries.removeAll(entries.stream()
                                .filter(entry -> entry.getRecord() != null
                                        && entry.getRecord().getChain().equals("default|SLIP|1"))
                                .toList())));
    }

    private static AuditRecord record(List<ExportEntry> entries, int sequence) {
        return entries.get(at(sequence)).getRecord();
    }

    private static List<AuditRecord> chain(List<ExportEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.getRecord() != null
                        && entry.getRecord().getChain().equals("default|SLIP|1"))
                .map(ExportEntry::getRecord)
                .toList();
    }

    private static AuditHead head(List<ExportEntry> entries) {
        return entries.stream()
                .filter(entry ->
                        entry.getHead() != null && entry.getHead().getChain().equals("default|SLIP|1"))
                .findFirst()
                .orElseThrow()
                .getHead();
    }

    private static void flip(ByteBuffer bytes) {
        bytes.put(0, (byte) (bytes.get(0) ^ 1));
    }

    @ParameterizedTest
    @EnumSource
    void anUnchangedTrailHasNoFaults(Where where) throws IOException {
        // JournalTamperMatrixTest has trails with manifests.
        assertThat(faults(where, sound(), TRUSTED))
                .extracting(AuditFault::code)
                .containsExactly(MANIFEST_MISSING, MANIFEST_MISSING);
        assertThat(faults(where, sound(), HeadSignatureVerifier.of(List.of()))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("matrix")
    void changesAreFoundInAnExport(
            String what, int entry, long sequence, FaultCode code, Consumer<List<ExportEntry>> touch)
            throws IOException {
        for (Where where : List.of(Where.JSONL, Where.AVRO)) {
            List<ExportEntry> entries = sound();
            touch.accept(entries);
            int head = entries.indexOf(entries.stream()
                    .filter(each ->
                            each.getHead() != null && each.getHead().getChain().equals("default|SLIP|1"))
                    .findFirst()
                    .orElseThrow());
            boolean atHead = code == CHAIN_MISSING || code == HEAD_FORGED || code == HEAD_UNSIGNED;
            long place = atHead ? head : code == HEAD_MISMATCH ? head : entry;
            assertThat(faults(where, entries, TRUSTED)).anySatisfy(auditFault -> {
                assertThat(auditFault.code()).isEqualTo(code);
                assertThat(auditFault.chain()).isEqualTo("default|SLIP|1");
                assertThat(auditFault.sequence()).isEqualTo(sequence);
                assertThat(auditFault.location()).hasToString("export." + where + ":" + (place + 1));
            });
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("matrix")
    void changesAreFoundInTheStreamOfRecords(
            String what, int entry, long sequence, FaultCode code, Consumer<List<ExportEntry>> touch)
            throws IOException {
        List<ExportEntry> entries = sound();
        touch.accept(entries);
        assertThat(faults(Where.TOPICS, entries, TRUSTED)).anySatisfy(auditFault -> {
            assertThat(auditFault.code()).isEqualTo(code);
            assertThat(auditFault.chain()).isEqualTo("default|SLIP|1");
            assertThat(auditFault.sequence()).isEqualTo(sequence);
            assertThat(auditFault.location().toString()).startsWith("parley.audit");
        });
    }

    /** Verifies like {@link TopicVerification}: chain heads first, then the records. */
    private static List<AuditFault> stream(List<ExportEntry> entries, HeadSignatureVerifier keys) {
        AuditTrailVerifier trail = new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, keys);
        List<AuditFault> faults = new ArrayList<>();
        long offset = 0;
        for (ExportEntry entry : entries) {
            if (entry.getHead() != null) {
                faults.addAll(trail.head(entry.getHead(), RecordLocation.of("parley.audit-head.v1-0", offset++)));
            }
        }
        for (ExportEntry entry : entries) {
            if (entry.getRecord() != null) {
                faults.addAll(trail.record(entry.getRecord(), RecordLocation.of("parley.audit.v1-0", offset++)));
            }
        }
        faults.addAll(trail.finish());
        return faults;
    }

    private List<AuditFault> faults(Where where, List<ExportEntry> entries, HeadSignatureVerifier keys)
            throws IOException {
        return where == Where.TOPICS ? stream(entries, keys) : verify(write(where, entries), keys);
    }

    private Path write(Where where, List<ExportEntry> entries) throws IOException {
        Path file = directory.resolve("export." + where);
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.valueOf(where.name()).to(out)) {
            for (ExportEntry entry : entries) {
                writer.write(entry);
            }
        }
        return file;
    }

    /** Verifies a file in this thread and in several, which must find the same. */
    private List<AuditFault> verify(Path file, HeadSignatureVerifier keys) throws IOException {
        List<AuditFault> found = verify(file, keys, 3);
        assertThat(verify(file, keys, 1)).isEqualTo(found);
        return found;
    }

    private List<AuditFault> verify(Path file, HeadSignatureVerifier keys, int threads) throws IOException {
        heard.clear();
        FileVerification.Result result = new FileVerification(
                        keys, StoredManifests.NONE, threads, new ProgressListener() {
                            @Override
                            public void found(AuditFault auditFault) {
                                heard.add(auditFault);
                            }

                            @Override
                            public void progress(long done, long total) {
                                assertThat(done).isBetween(0L, total);
                            }
                        })
                .run(file);
        assertThat(result.found().faults()).isEqualTo(heard.size());
        assertThat(result.found().isSound()).isEqualTo(heard.isEmpty());
        return List.copyOf(heard);
    }

    @Test
    void noByteOfALineOfARecordCanBeChanged() throws IOException {
        byte[] bytes = Files.readAllBytes(write(Where.JSONL, sound()));
        int begin = 1;
        while (bytes[begin - 1] != '\n') {
            begin++;
        }
        int end = bytes.length;
        for (int lines = 0; lines < 3; lines++) {
            end--;
            while (bytes[end - 1] != '\n') {
                end--;
            }
        }
        everyChangeIsFound(Where.JSONL, bytes, begin, end, 400);
    }

    /**
     * Compressed blocks can encode the same content in several ways, and the first entry of the file is in no chain.
     */
    @Test
    void noByteOfAContainerFileCanChangeItsMeaningUnnoticed() throws Exception {
        byte[] bytes = Files.readAllBytes(write(Where.AVRO, sound()));
        List<ExportEntry> entries = read(bytes);
        int header = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("avro.codec");
        for (byte[] touched : touched(bytes, header + 40, bytes.length, 200)) {
            if (verify(Files.write(directory.resolve("touched"), touched), TRUSTED)
                    .isEmpty()) {
                List<ExportEntry> read = read(touched);
                assertThat(read.subList(1, read.size()))
                        .as("seed %d, byte %d", SEED, Arrays.mismatch(bytes, touched))
                        .isEqualTo(entries.subList(1, entries.size()));
            }
        }
    }

    private void everyChangeIsFound(Where where, byte[] bytes, int begin, int end, int rounds) throws IOException {
        for (byte[] touched : touched(bytes, begin, end, rounds)) {
            assertThat(verify(Files.write(directory.resolve("touched"), touched), TRUSTED))
                    .as("%s, seed %d: byte %d of %d", where, SEED, Arrays.mismatch(bytes, touched), bytes.length)
                    .isNotEmpty();
        }
    }

    /** Copies of the bytes with one bit flipped, at random positions. */
    private static List<byte[]> touched(byte[] bytes, int begin, int end, int rounds) {
        Random random = new Random(SEED);
        return IntStream.range(0, rounds)
                .mapToObj(round -> {
                    byte[] touched = bytes.clone();
                    touched[begin + random.nextInt(end - begin)] ^= (byte) (1 << random.nextInt(8));
                    return touched;
                })
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Where.class,
            names = {"JSONL", "AVRO"})
    void aTruncatedFileIsIncomplete(Where where) throws IOException {
        byte[] bytes = Files.readAllBytes(write(where, sound()));
        Path file = directory.resolve("short");
        Random random = new Random(SEED);
        for (int round = 0; round < 50; round++) {
            Files.write(file, Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length - 2)));
            assertThat(verify(file, TRUSTED))
                    .as("seed %d, round %d", SEED, round)
                    .extracting(AuditFault::code)
                    .contains(EXPORT_INCOMPLETE);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Where.class,
            names = {"JSONL", "AVRO"})
    void recordsAreReadAsTheyWereWritten(Where where) throws IOException {
        List<ExportEntry> entries = sound();
        assertThat(read(Files.readAllBytes(write(where, entries)))).isEqualTo(entries);
    }

    private static List<ExportEntry> read(byte[] bytes) throws IOException {
        List<ExportEntry> read = new ArrayList<>();
        try (ExportItems items = new ExportItems(ExportReader.of(new ByteArrayInputStream(bytes)), false, 1)) {
            for (var next = items.next(); next.isPresent(); next = items.next()) {
                assertThat(next.get()).isInstanceOf(ExportItem.Entry.class);
                read.add(((ExportItem.Entry) next.get()).entry());
            }
        }
        return read;
    }
}
