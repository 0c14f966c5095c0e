package dev.parley.cli.verify;

import static dev.parley.audit.FaultCode.HEAD_MISSING;
import static dev.parley.audit.FaultCode.JOURNAL_CUT;
import static dev.parley.audit.FaultCode.JOURNAL_GAP;
import static dev.parley.audit.FaultCode.JOURNAL_REPEATED;
import static dev.parley.audit.FaultCode.MANIFEST_BROKEN;
import static dev.parley.audit.FaultCode.MANIFEST_FORGED;
import static dev.parley.audit.FaultCode.MANIFEST_MISMATCH;
import static dev.parley.audit.FaultCode.MANIFEST_MISSING;
import static dev.parley.audit.FaultCode.MANIFEST_REPLAYED;
import static dev.parley.audit.FaultCode.MANIFEST_UNSIGNED;
import static dev.parley.audit.FaultCode.NOT_CONTINUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.AuditChain;
import dev.parley.audit.AuditFault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.HeadSigner;
import dev.parley.audit.Journal;
import dev.parley.audit.KeyFiles;
import dev.parley.audit.Links;
import dev.parley.audit.Manifests;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.JournalState;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportWriter;
import dev.parley.cli.export.Exporter;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.export.RecordedRedactions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests changes that an insider can make to a trail with journals and signed manifests: recomputed chains that verify
 * by themselves, and removed, replayed or forged chain heads and manifests. The public key alone reveals each.
 */
class JournalTamperMatrixTest {
    private static final int CHAINS = 4;
    private static final int LENGTH = 6;
    private static final int RECORDS = CHAINS * LENGTH;
    private static final int MANIFEST_INTERVAL = 6;
    private static final long SEED = Long.getLong("parley.seed", 14_2026L);
    private static final KeyPair PAIR = KeyFiles.newPair();
    private static final KeyPair ANOTHER = KeyFiles.newPair();
    private static final HeadSignatureVerifier TRUSTED = HeadSignatureVerifier.of(List.of(PAIR.getPublic()));

    @TempDir
    private Path directory;

    /** The output of the pipeline: records in the order of the journal, chain heads, and manifests. */
    private static final class Trail {
        private final List<AuditRecord> records = new ArrayList<>();
        private final Map<String, AuditHead> heads = new HashMap<>();
        private final List<AuditManifest> manifests = new ArrayList<>();

        /** An intact trail, with a manifest after every sixth record. */
        static Trail sound(int records, KeyPair pair) {
            Trail trail = new Trail();
            Map<String, AuditRecord> last = new HashMap<>();
            for (int i = 0; i < records; i++) {
                String chain = "default|SLIP|" + i % CHAINS;
                AuditRecord before = last.get(chain);
                AuditRecord link =
                        Links.unhashed(chain, i / CHAINS, before == null ? AuditChain.genesis() : before.getHash());
                link.getSource().setOffset(100L + i);
                link.getSource().setPartition(0);
                link.setJournal(new JournalPosition(0, i + 1L));
                last.put(chain, Links.sealed(link));
                trail.records.add(link);
            }
            trail.publish(pair);
            return trail;
        }

        /** Recreates chain heads and manifests with this key. */
        void publish(KeyPair pair) {
            heads.clear();
            manifests.clear();
            HeadSigner signer = new HeadSigner(pair);
            Journal journal = new Journal(0, null);
            JournalState published = null;
            for (AuditRecord link : records) {
                journal.add(link);
                if (journal.state().getRecords() % MANIFEST_INTERVAL == 0) {
                    AuditManifest manifest = Manifests.next(
                            0,
                            journal.state(),
                            published,
                            Instant.ofEpochMilli(journal.state().getRecords()));
                    signer.sign(manifest);
                    manifests.add(manifest);
                    published = Manifests.published(manifest);
                }
                AuditHead head = new AuditHead(
                        link.getChain(), link.getSequence(), link.getHash(), Instant.ofEpochMilli(9), null, null);
                signer.sign(head);
                heads.put(head.getChain(), head);
            }
        }

        List<AuditRecord> chain(int number) {
            return records.stream()
                    .filter(link -> link.getChain().equals("default|SLIP|" + number))
                    .toList();
        }

        /** Recomputes the hashes of a chain, so that it verifies by itself. */
        void reseal(int number) {
            ByteBuffer head = AuditChain.genesis();
            for (AuditRecord link : chain(number)) {
                link.setPreviousHash(head);
                head = Links.sealed(link).getHash();
            }
        }

        AuditHead head(int number) {
            return heads.get("default|SLIP|" + number);
        }

        void cut(int records) {
            this.records.subList(records, this.records.size()).clear();
        }

        /** Recreates the chain heads without signatures. */
        void unsignedHeads() {
            heads.clear();
            records.forEach(link -> heads.put(
                    link.getChain(),
                    new AuditHead(
                            link.getChain(), link.getSequence(), link.getHash(), Instant.ofEpochMilli(9), null, null)));
        }
    }

    private static Arguments row(String what, FaultCode code, String detail, Consumer<Trail> touch) {
        return Arguments.of(what, code, detail, touch);
    }

    static Stream<Arguments> matrix() {
        return Stream.of(
                row("a chain recomputed over another payload, its heads removed", HEAD_MISSING, "no valid", trail -> {
                    AuditRecord link = trail.chain(1).get(2);
                    link.setRaw(ByteBuffer.wrap(new byte[] {1}));
                    link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
                    trail.reseal(1);
                    trail.heads.remove("default|SLIP|1");
                }),
                row("the same", MANIFEST_MISMATCH, "manifest 2 differ in root", trail -> {
                    AuditRecord link = trail.chain(1).get(2);
                    link.setRaw(ByteBuffer.wrap(new byte[] {1}));
                    link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
                    trail.reseal(1);
                    trail.heads.remove("default|SLIP|1");
                }),
                row("a chain recomputed, its heads and all manifests removed", MANIFEST_MISSING, "journal 0", trail -> {
                    trail.chain(1).get(2).setDetail("another");
                    trail.reseal(1);
                    trail.heads.remove("default|SLIP|1");
                    trail.manifests.clear();
                }),
                row("a head removed", HEAD_MISSING, "no valid", trail -> trail.heads.remove("default|SLIP|2")),
                row("a tail cut, and an old signed head replayed", JOURNAL_GAP, "ordinals 24 to 24", trail -> {
                    // Ordinal 24 is the last of chain 3, so a 25th of another chain follows it.
                    AuditRecord more = Links.unhashed(
                            "default|SLIP|0", LENGTH, trail.head(0).getHash());
                    more.getSource().setOffset(100L + RECORDS);
                    more.getSource().setPartition(0);
                    more.setJournal(new JournalPosition(0, RECORDS + 1L));
                    trail.records.add(Links.sealed(more));
                    trail.records.remove(RECORDS - 1);
                    AuditRecord last = trail.chain(3).get(LENGTH - 2);
                    AuditHead old = new AuditHead(
                            last.getChain(), last.getSequence(), last.getHash(), Instant.EPOCH, null, null);
                    new HeadSigner(PAIR).sign(old);
                    trail.heads.put(old.getChain(), old);
                }),
                row("every tail cut, and old signed heads replayed", JOURNAL_CUT, "manifest 4", trail -> {
                    List<AuditManifest> manifests = List.copyOf(trail.manifests);
                    trail.cut(RECORDS - 1);
                    trail.publish(PAIR);
                    trail.manifests.clear();
                    trail.manifests.addAll(manifests);
                }),
                row("a whole chain dropped with its heads", JOURNAL_GAP, "ordinals 3 to 3", trail -> {
                    trail.records.removeAll(trail.chain(2));
                    trail.heads.remove("default|SLIP|2");
                }),
                row("a whole chain dropped, the others moved up", MANIFEST_MISMATCH, "manifest 1", trail -> {
                    trail.records.removeAll(trail.chain(2));
                    trail.heads.remove("default|SLIP|2");
                    for (int i = 0; i < trail.records.size(); i++) {
                        trail.records.get(i).setJournal(new JournalPosition(0, i + 1L));
                    }
                    List.of(0, 1, 3).forEach(trail::reseal);
                    List<AuditManifest> manifests = List.copyOf(trail.manifests);
                    trail.publish(PAIR);
                    trail.manifests.clear();
                    trail.manifests.addAll(manifests);
                }),
                row(
                        "a manifest edited",
                        MANIFEST_FORGED,
                        "manifest 2",
                        trail -> trail.manifests.get(1).setRecords(11L)),
                row(
                        "the count of chains edited",
                        MANIFEST_FORGED,
                        "manifest 2",
                        trail -> trail.manifests.get(1).setChains(3L)),
                row("the manifests of another deployment, with its key", MANIFEST_UNSIGNED, "no manifest", trail -> {
                    Trail other = Trail.sound(RECORDS, ANOTHER);
                    trail.manifests.clear();
                    trail.manifests.addAll(other.manifests);
                }),
                row(
                        "the manifests of another deployment, with the same key",
                        MANIFEST_MISMATCH,
                        "manifest 1",
                        trail -> {
                            Trail other = new Trail();
                            other.records.addAll(Trail.sound(RECORDS, PAIR).records);
                            other.records.forEach(link -> link.getSource().setTopic("elsewhere"));
                            for (int chain = 0; chain < CHAINS; chain++) {
                                other.reseal(chain);
                            }
                            other.publish(PAIR);
                            trail.manifests.clear();
                            trail.manifests.addAll(other.manifests);
                        }),
                row(
                        "two records of different chains swapped in the journal",
                        MANIFEST_MISMATCH,
                        "manifest 1",
                        trail -> swapOrdinals(
                                trail.chain(0).get(1), trail.chain(1).get(1))),
                row("an unsigned manifest in between", MANIFEST_UNSIGNED, "not signed", trail -> {
                    JournalState at = Manifests.published(trail.manifests.get(1));
                    AuditManifest unsigned = Manifests.next(0, at, at, Instant.EPOCH);
                    trail.manifests.add(2, unsigned);
                }),
                row("the signature of a manifest removed", MANIFEST_UNSIGNED, "manifest 3", trail -> {
                    trail.manifests.get(2).setSignature(null);
                    trail.manifests.get(2).setKeyId(null);
                }),
                row("a manifest removed", MANIFEST_MISSING, "2 to 2", trail -> trail.manifests.remove(1)),
                row("the first manifest removed", MANIFEST_MISSING, "1 to 1", trail -> trail.manifests.remove(0)),
                row(
                        "two manifests swapped",
                        MANIFEST_REPLAYED,
                        "manifest 2",
                        trail -> Collections.swap(trail.manifests, 1, 2)),
                row(
                        "an old manifest replayed",
                        MANIFEST_REPLAYED,
                        "manifest 2",
                        trail -> trail.manifests.add(trail.manifests.get(1))),
                row("a manifest of another history in between", MANIFEST_BROKEN, "manifest 3", trail -> {
                    AuditManifest next = trail.manifests.get(2);
                    next.setPreviousHash(AuditChain.genesis());
                    new HeadSigner(PAIR).sign(next);
                }),
                row("a record twice, in two chains", JOURNAL_REPEATED, "ordinal 5", trail -> {
                    trail.chain(1).get(1).setJournal(new JournalPosition(0, 5L));
                    trail.reseal(1);
                }),
                row("an ordinal of nothing", JOURNAL_REPEATED, "ordinal 0", trail -> {
                    trail.chain(3).get(LENGTH - 1).setJournal(new JournalPosition(0, 0L));
                    trail.reseal(3);
                }),
                row("a forged chain in a journal of its own", MANIFEST_MISSING, "journal 7", trail -> {
                    AuditRecord forged = Links.unhashed("default|SLIP|99", 0, AuditChain.genesis());
                    forged.getSource().setOffset(999L);
                    forged.setJournal(new JournalPosition(7, 1L));
                    trail.records.add(Links.sealed(forged));
                }));
    }

    private static void swapOrdinals(AuditRecord one, AuditRecord other) {
        JournalPosition position = one.getJournal();
        one.setJournal(other.getJournal());
        other.setJournal(position);
    }

    @ParameterizedTest
    @EnumSource
    void anUnchangedTrailHasNoFaults(ExportFormat format) throws IOException {
        Trail trail = Trail.sound(RECORDS, PAIR);
        assertThat(verify(export(trail, format), TRUSTED)).isEmpty();
        assertThat(verify(export(trail, format), HeadSignatureVerifier.of(List.of())))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("matrix")
    void changesByAnInsiderAreFound(String what, FaultCode code, String detail, Consumer<Trail> touch)
            throws IOException {
        for (ExportFormat format : ExportFormat.values()) {
            Trail trail = Trail.sound(RECORDS, PAIR);
            touch.accept(trail);
            assertThat(verify(export(trail, format), TRUSTED)).anySatisfy(auditFault -> {
                assertThat(auditFault.code()).isEqualTo(code);
                assertThat(auditFault.toString()).contains(detail);
            });
        }
    }

    @Test
    void recordsAfterTheLastManifestAreCountedWithoutAFault() throws IOException {
        Trail trail = Trail.sound(RECORDS + 3, PAIR);
        trail.heads.remove("default|SLIP|2");
        Trail covered = Trail.sound(RECORDS, PAIR);
        trail.heads.put("default|SLIP|2", covered.head(2));

        assertThat(verify(export(trail, ExportFormat.JSONL), TRUSTED)).isEmpty();
        assertThat(verificationSummary.uncovered()).isEqualTo(3);
        assertThat(verificationSummary.manifests()).isEqualTo(RECORDS / MANIFEST_INTERVAL);
    }

    /** The first manifests may predate the key: the first signature proves them. */
    @Test
    void aLaterKeyProvesTheEarlierUnsignedManifests() throws IOException {
        Trail trail = Trail.sound(RECORDS, PAIR);
        JournalState published = null;
        Journal journal = new Journal(0, null);
        List<AuditManifest> manifests = new ArrayList<>();
        for (AuditRecord link : trail.records) {
            journal.add(link);
            if (journal.state().getRecords() % MANIFEST_INTERVAL == 0) {
                AuditManifest manifest = Manifests.next(0, journal.state(), published, Instant.EPOCH);
                if (manifests.size() >= 2) {
                    new HeadSigner(PAIR).sign(manifest);
                }
                published = Manifests.published(manifest);
                manifests.add(manifest);
            }
        }
        trail.manifests.clear();
        trail.manifests.addAll(manifests);
        assertThat(verify(export(trail, ExportFormat.JSONL), TRUSTED)).isEmpty();

        manifests.get(0).setRecords(5L);
        assertThat(verify(export(trail, ExportFormat.JSONL), TRUSTED))
                .extracting(AuditFault::code)
                .contains(MANIFEST_BROKEN);
    }

    @Test
    void recordsOfAJournalMayComeInAnyOrderOfChains() throws IOException {
        Trail trail = Trail.sound(RECORDS, PAIR);
        List<AuditRecord> byChain = new ArrayList<>();
        for (int chain = CHAINS - 1; chain >= 0; chain--) {
            byChain.addAll(trail.chain(chain));
        }
        trail.records.clear();
        trail.records.addAll(byChain);
        assertThat(verify(export(trail, ExportFormat.AVRO), TRUSTED)).isEmpty();
    }

    /** Without a stored manifest, removing the tail with the newest manifest leaves no trace. */
    @Test
    void aTailRemovedWithItsManifestsIsFoundBySince() throws Exception {
        Trail whole = Trail.sound(RECORDS, PAIR);
        Path stored = export(whole, ExportFormat.JSONL);
        StoredManifests since = StoredManifests.read(Files.move(stored, directory.resolve("stored.jsonl")));
        Trail cut = Trail.sound(RECORDS - MANIFEST_INTERVAL, PAIR);

        assertThat(verify(export(cut, ExportFormat.JSONL), TRUSTED)).isEmpty();
        assertThat(verify(export(cut, ExportFormat.JSONL), TRUSTED, since))
                .singleElement()
                .satisfies(auditFault -> {
                    assertThat(auditFault.code()).isEqualTo(NOT_CONTINUED);
                    assertThat(auditFault.toString())
                            .contains("manifest 4 of journal 0, at ordinal 24", "ends at ordinal 18");
                });
        assertThat(verify(export(whole, ExportFormat.AVRO), TRUSTED, since)).isEmpty();
        assertThat(verify(export(Trail.sound(RECORDS + 2, PAIR), ExportFormat.AVRO), TRUSTED, since))
                .isEmpty();
    }

    /** An attacker with the key can rebuild the trail, but not the stored manifest. */
    @Test
    void aTrailRebuiltWithTheKeyDoesNotContinueTheStoredManifest() throws Exception {
        Path stored = export(Trail.sound(RECORDS, PAIR), ExportFormat.AVRO);
        StoredManifests since = StoredManifests.read(Files.move(stored, directory.resolve("stored.avro")));
        Trail rewritten = Trail.sound(RECORDS, PAIR);
        rewritten.chain(0).get(0).setDetail("another");
        rewritten.reseal(0);
        rewritten.publish(PAIR);

        assertThat(verify(export(rewritten, ExportFormat.JSONL), TRUSTED)).isEmpty();
        assertThat(verify(export(rewritten, ExportFormat.JSONL), TRUSTED, since))
                .hasSize(RECORDS / MANIFEST_INTERVAL)
                .allSatisfy(auditFault -> assertThat(auditFault.code()).isEqualTo(NOT_CONTINUED));
        assertThat(verify(
                        export(rewritten, ExportFormat.JSONL),
                        HeadSignatureVerifier.of(List.of(ANOTHER.getPublic())),
                        since))
                .extracting(AuditFault::code)
                .contains(MANIFEST_UNSIGNED);
    }

    @Test
    void aFileWithoutManifestsIsRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("none.jsonl"), "{\"start\":{}}\n");
        assertThatThrownBy(() -> StoredManifests.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must contain a manifest");
        Path garbage = Files.writeString(directory.resolve("garbage"), "{\"manifest\":{\"root\":7}}\n");
        assertThatThrownBy(() -> StoredManifests.read(garbage)).hasMessageContaining("garbage:1");
    }

    /**
     * Removing any set of records, chain heads or manifests is a fault while a covered record or a manifest remains.
     */
    @Tag("long")
    @Test
    void anyRemovalIsFound() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            Trail trail = Trail.sound(RECORDS, PAIR);
            int before = trail.records.size() + trail.heads.size() + trail.manifests.size();
            trail.records.removeIf(link -> random.nextInt(12) == 0);
            trail.heads.values().removeIf(head -> random.nextInt(8) == 0);
            trail.manifests.removeIf(manifest -> random.nextInt(8) == 0);
            int after = trail.records.size() + trail.heads.size() + trail.manifests.size();
            boolean lastOnly =
                    trail.records.size() == RECORDS && trail.heads.size() == CHAINS && isPrefix(trail.manifests);
            assertThat(verify(export(trail, ExportFormat.JSONL), TRUSTED).isEmpty())
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(after == before || lastOnly);
        }
    }

    /** Only a stored manifest shows that the newest manifests are missing. */
    private static boolean isPrefix(List<AuditManifest> manifests) {
        for (int i = 0; i < manifests.size(); i++) {
            if (manifests.get(i).getNumber() != i + 1) {
                return false;
            }
        }
        return !manifests.isEmpty();
    }

    private Path export(Trail trail, ExportFormat format) throws IOException {
        Path file = directory.resolve("export");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = format.to(out)) {
            Exporter exporter = new Exporter(writer, trail.heads, new RecordedRedactions());
            exporter.begin(new ExportStart(
                    Exporter.VERSION, Instant.ofEpochMilli(9), ExportScope.EVERYTHING, null, null, null, false));
            for (AuditManifest manifest : trail.manifests) {
                exporter.manifest(manifest);
            }
            for (AuditRecord link : trail.records) {
                exporter.record(link);
            }
            exporter.end();
        }
        return file;
    }

    private VerificationSummary verificationSummary;

    private List<AuditFault> verify(Path file, HeadSignatureVerifier keys) throws IOException {
        return verify(file, keys, StoredManifests.NONE);
    }

    private List<AuditFault> verify(Path file, HeadSignatureVerifier keys, StoredManifests since) throws IOException {
        List<AuditFault> faults = new ArrayList<>();
        verificationSummary = new FileVerification(keys, since, 3, new ProgressListener() {
                    @Override
                    public void found(AuditFault auditFault) {
                        faults.add(auditFault);
                    }

                    @Override
                    public void progress(long done, long total) {
                        // Not verified.
                    }
                })
                .run(file)
                .found();
        return faults;
    }
}
