package dev.parley.audit;

import static dev.parley.audit.JournalTrail.NO_KEYS;
import static dev.parley.audit.JournalTrail.TRUSTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests each fault of journals and manifests with its location and detail, and what is not a fault. */
class JournalsTest {
    private static final String KEY = HeadSignatureVerifier.idOf(JournalTrail.PAIR.getPublic());
    private static final KeyPair ANOTHER = KeyFiles.newPair();

    /** The whole trail, whose first records may have expired in one partition. */
    private static final Extent TRUNCATED = new Extent() {
        @Override
        public boolean mayBeginLate(RecordLocation location) {
            return location.equals(RecordLocation.NONE) || location.in().equals("audit-0");
        }

        @Override
        public boolean mayEndEarly() {
            return false;
        }
    };

    private static final Extent PARTIAL = new Extent() {
        @Override
        public boolean mayBeginLate(RecordLocation location) {
            return true;
        }

        @Override
        public boolean mayEndEarly() {
            return true;
        }
    };

    private final JournalTrail trail = JournalTrail.sound();
    private final List<AuditManifest> stored = new ArrayList<>();
    private Journals journals;

    private List<String> verify(Extent extent, HeadSignatureVerifier keys) {
        return verify(extent, keys, "audit-0", List.of(trail));
    }

    /** The faults: of the stored manifests, the published ones, the records and the end, in this order. */
    private List<String> verify(
            Extent extent, HeadSignatureVerifier keys, String topicPartition, List<JournalTrail> all) {
        journals = new Journals(extent, keys);
        List<AuditFault> faults = new ArrayList<>();
        for (int i = 0; i < stored.size(); i++) {
            faults.addAll(journals.stored(stored.get(i), RecordLocation.inFile("stored.jsonl", i + 1L)));
        }
        long offset = 0;
        for (JournalTrail each : all) {
            for (AuditManifest manifest : each.manifests) {
                faults.addAll(journals.manifest(manifest, RecordLocation.of("manifests-0", offset++)));
            }
        }
        offset = 0;
        for (JournalTrail each : all) {
            for (AuditRecord link : each.records) {
                faults.addAll(
                        journals.record(new RecordVerifier().check(link), RecordLocation.of(topicPartition, offset++)));
            }
        }
        faults.addAll(journals.finish());
        return faults.stream().map(AuditFault::toString).toList();
    }

    private static void change(AuditRecord link) {
        link.setHash(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    private static Arguments row(String what, Consumer<JournalTrail> change, String... faults) {
        return Arguments.of(what, change, List.of(faults));
    }

    private static String mismatch(int number) {
        return "MANIFEST_MISMATCH at manifests-0@" + (number - 1) + ": journal 0 and manifest " + number
                + " differ in root or number of chains at ordinal " + number * JournalTrail.INTERVAL;
    }

    private static String gap(int from, int to) {
        return "JOURNAL_GAP at journal-0@" + from + ": journal 0 lacks the records of ordinals " + from + " to " + to;
    }

    private static String cut(int end) {
        return "JOURNAL_CUT at journal-0@" + end + ": journal 0 ends here, but manifest 8 was published at ordinal 24";
    }

    private static String repeated(int offset, String chain, int sequence, int ordinal) {
        return "JOURNAL_REPEATED at audit-0@" + offset + ", chain default|SLIP|" + chain + ", sequence " + sequence
                + ": journal 0 already has a record with ordinal " + ordinal;
    }

    private static String missing(int offset, int from, int to) {
        return "MANIFEST_MISSING at manifests-0@" + offset + ": manifests " + from + " to " + to
                + " of journal 0 are missing before this one";
    }

    private static String broken(int number) {
        return "MANIFEST_BROKEN at manifests-0@" + (number - 1) + ": manifest " + number
                + " of journal 0 does not contain the hash of the previous one";
    }

    private static String forged(int number) {
        return "MANIFEST_FORGED at manifests-0@" + (number - 1) + ": the signature of manifest " + number
                + " of journal 0 is invalid";
    }

    private static String replayed(int offset, int number, int records) {
        return "MANIFEST_REPLAYED at manifests-0@" + offset + ": manifest " + number + " of journal 0 at ordinal "
                + records + " comes after number 8 at ordinal 24";
    }

    private static String notContinued(int entry, int number, int ordinal, String why) {
        return "NOT_CONTINUED at stored.jsonl:" + entry + ": manifest " + number + " of journal 0, at ordinal "
                + ordinal + ": " + why;
    }

    static Stream<Arguments> tamperings() {
        return Stream.of(
                row(
                        "a record removed, and one after the next manifest changed",
                        trail -> {
                            change(trail.ordinal(8));
                            trail.remove(5, 5);
                        },
                        gap(5, 5),
                        mismatch(3)),
                row(
                        "records removed up to a manifest, and the next record changed",
                        trail -> {
                            change(trail.ordinal(7));
                            trail.remove(4, 6);
                        },
                        gap(4, 6),
                        mismatch(3)),
                row(
                        "records removed across a manifest, and changes before and after the next one",
                        trail -> {
                            change(trail.ordinal(9));
                            change(trail.ordinal(10));
                            trail.remove(5, 7);
                        },
                        gap(5, 7),
                        mismatch(4)),
                row(
                        "records removed across several manifests, and changes before and after the next one",
                        trail -> {
                            change(trail.ordinal(14));
                            change(trail.ordinal(16));
                            trail.remove(5, 13);
                        },
                        gap(5, 13),
                        mismatch(6)),
                row("the first record removed", trail -> trail.remove(1, 1), gap(1, 1)),
                row(
                        "records removed in two places, in each case between manifests",
                        trail -> {
                            trail.remove(17, 17);
                            trail.remove(8, 8);
                        },
                        gap(8, 8),
                        gap(17, 17)),
                row("a record after the last manifest removed", trail -> trail.remove(26, 26), gap(26, 26)),
                row(
                        "the last record with a manifest removed, and all after it",
                        trail -> trail.remove(24, 27),
                        cut(23)),
                row("the end removed", trail -> trail.remove(11, 27), cut(10)),
                row("all records removed", trail -> trail.remove(1, 27), cut(0)),
                row("a record repeated", trail -> trail.records.add(trail.ordinal(5)), repeated(27, "A", 2, 5)),
                row("the first record repeated", trail -> trail.records.add(trail.ordinal(1)), repeated(27, "A", 0, 1)),
                row(
                        "an ordinal of zero",
                        trail -> {
                            AuditRecord link = Links.sealed(Links.unhashed("default|SLIP|Z", 4, AuditChain.genesis()));
                            link.setJournal(new JournalPosition(0, 0L));
                            trail.records.add(link);
                        },
                        repeated(27, "Z", 4, 0)),
                row(
                        "a negative ordinal, first of all",
                        trail -> {
                            AuditRecord link = Links.sealed(Links.unhashed("default|SLIP|Z", 4, AuditChain.genesis()));
                            link.setJournal(new JournalPosition(0, -3L));
                            trail.records.add(0, link);
                        },
                        repeated(0, "Z", 4, -3)),
                row(
                        "a record repeated before its predecessor arrives",
                        trail -> {
                            AuditRecord third = trail.records.remove(2);
                            trail.records.add(0, third);
                            trail.records.add(1, third);
                        },
                        repeated(1, "A", 1, 3)),
                row("a record changed", trail -> change(trail.ordinal(5)), mismatch(2)),
                row("the record at a manifest changed", trail -> change(trail.ordinal(6)), mismatch(2)),
                row("the record after a manifest changed", trail -> change(trail.ordinal(7)), mismatch(3)),
                row("the last record with a manifest changed", trail -> change(trail.ordinal(24)), mismatch(8)),
                row("a chain begun once more", trail -> trail.ordinal(3).setSequence(0L), mismatch(1)),
                row("a chain no longer begun", trail -> trail.ordinal(4).setSequence(1L), mismatch(2)),
                row(
                        "two records swapped",
                        trail -> {
                            JournalPosition position = trail.ordinal(4).getJournal();
                            trail.ordinal(4).setJournal(trail.ordinal(5).getJournal());
                            trail.ordinal(5).setJournal(position);
                        },
                        mismatch(2)),
                row(
                        "the root of a manifest changed with the key",
                        trail -> {
                            trail.manifest(2).setRoot(trail.at(5).getRoot());
                            trail.sign(2);
                        },
                        mismatch(2),
                        mismatch(3)),
                row(
                        "the last byte of the root of the last manifest changed with the key",
                        trail -> {
                            trail.manifest(8).getRoot().array()[31] ^= 1;
                            trail.sign(8);
                        },
                        mismatch(8)),
                row(
                        "the root of a manifest shortened with the key",
                        trail -> {
                            trail.manifest(8)
                                    .setRoot(ByteBuffer.wrap(
                                            JournalTrail.bytes(trail.at(24).getRoot()), 0, 31));
                            trail.sign(8);
                        },
                        mismatch(8)),
                row(
                        "the number of chains of a manifest changed with the key",
                        trail -> {
                            trail.manifest(2).setChains(4L);
                            trail.sign(2);
                        },
                        mismatch(2),
                        mismatch(3)),
                row(
                        "a manifest edited",
                        trail -> trail.manifest(2).setTime(Instant.EPOCH),
                        forged(2),
                        missing(2, 2, 2)),
                row("the first manifest edited", trail -> trail.manifest(1).setChains(9L), forged(1), missing(1, 1, 1)),
                row(
                        "the signature of a manifest removed",
                        trail -> {
                            trail.manifest(3).setSignature(null);
                            trail.manifest(3).setKeyId(null);
                        },
                        "MANIFEST_UNSIGNED at manifests-0@2: manifest 3 of journal 0 is not signed, but the given keys "
                                + "are " + KEY,
                        missing(3, 3, 3)),
                row(
                        "a manifest signed with another key",
                        trail -> new HeadSigner(ANOTHER).sign(trail.manifest(8)),
                        "MANIFEST_UNSIGNED at manifests-0@7: manifest 8 of journal 0 is signed by key "
                                + HeadSignatureVerifier.idOf(ANOTHER.getPublic()) + ", but the given keys are " + KEY),
                row(
                        "all manifests signed with another key",
                        trail -> trail.sign(1, new HeadSigner(ANOTHER)),
                        "MANIFEST_UNSIGNED at manifests-0@7: no manifest of journal 0 is signed by a given key"),
                row(
                        "all manifests removed",
                        trail -> trail.manifests.clear(),
                        "MANIFEST_MISSING at journal-0@27: journal 0 has no manifest"),
                row("a manifest removed", trail -> trail.manifests.remove(1), missing(1, 2, 2)),
                row("the first manifest removed", trail -> trail.manifests.remove(0), missing(0, 1, 1)),
                row(
                        "several manifests removed",
                        trail -> trail.manifests.subList(1, 5).clear(),
                        missing(1, 2, 5)),
                row(
                        "an old manifest published again",
                        trail -> trail.manifests.add(trail.manifest(2)),
                        replayed(8, 2, 6)),
                row(
                        "the last manifest published again",
                        trail -> trail.manifests.add(trail.manifest(8)),
                        replayed(8, 8, 24)),
                row(
                        "a later ordinal with the number of the last manifest",
                        trail -> {
                            trail.publish(27).setNumber(8L);
                            new HeadSigner(JournalTrail.PAIR).sign(trail.manifest(9));
                        },
                        replayed(8, 8, 27)),
                row("the next manifest at an earlier ordinal", trail -> trail.publish(23), replayed(8, 9, 23)),
                row(
                        "two manifests swapped",
                        trail -> Collections.swap(trail.manifests, 6, 7),
                        missing(6, 7, 7),
                        replayed(7, 7, 21)),
                row(
                        "a manifest with another previous hash, made with the key",
                        trail -> {
                            trail.manifest(3).setPreviousHash(AuditChain.genesis());
                            new HeadSigner(JournalTrail.PAIR).sign(trail.manifest(3));
                            trail.sign(4);
                        },
                        broken(3)),
                row(
                        "the first manifest with a previous hash",
                        trail -> {
                            trail.manifest(1).setPreviousHash(trail.at(1).getRoot());
                            new HeadSigner(JournalTrail.PAIR).sign(trail.manifest(1));
                            trail.sign(2);
                        },
                        broken(1)),
                row(
                        "a manifest before the first signature changed",
                        trail -> {
                            trail.signOnlyFrom(4);
                            trail.manifest(3).setTime(Instant.EPOCH);
                        },
                        broken(4)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tamperings")
    void aTamperingOfAJournalIsFoundAtItsPlace(String what, Consumer<JournalTrail> change, List<String> faults) {
        change.accept(trail);
        assertThat(verify(Extent.WHOLE, TRUSTED)).containsExactlyElementsOf(faults);
    }

    @Test
    void aSoundJournalHasNoFaults() {
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
        assertThat(journals.manifests()).isEqualTo(8);
        assertThat(journals.uncovered()).isEqualTo(3);
        assertThat(verify(Extent.WHOLE, NO_KEYS)).isEmpty();
        assertThat(journals.uncovered()).isEqualTo(3);
    }

    @Test
    void manyManifestsAreComparedEach() {
        JournalTrail dense = new JournalTrail(0, JournalTrail.CHAINS, 1);
        assertThat(verify(Extent.WHOLE, TRUSTED, "audit-0", List.of(dense))).isEmpty();
        assertThat(journals.manifests()).isEqualTo(27);
        assertThat(journals.uncovered()).isZero();
        change(dense.ordinal(5));
        change(dense.ordinal(18));
        assertThat(verify(Extent.WHOLE, TRUSTED, "audit-0", List.of(dense)))
                .containsExactly(
                        "MANIFEST_MISMATCH at manifests-0@4: "
                                + "journal 0 and manifest 5 differ in root or number of chains at ordinal 5",
                        "MANIFEST_MISMATCH at manifests-0@17: "
                                + "journal 0 and manifest 18 differ in root or number of chains at ordinal 18");
    }

    @Test
    void recordsOfAJournalMayArriveInAnyOrder() {
        Collections.reverse(trail.records);
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
        change(trail.records.get(27 - 5));
        assertThat(verify(Extent.WHOLE, TRUSTED)).containsExactly(mismatch(2));
    }

    @Test
    void theFaultsOfEachJournalAreItsOwn() {
        JournalTrail other = new JournalTrail(3, "XYXZ", 4);
        List<JournalTrail> both = List.of(other, trail);
        assertThat(verify(Extent.WHOLE, TRUSTED, "audit-0", both)).isEmpty();
        assertThat(journals.manifests()).isEqualTo(9);
        other.remove(1, 1);
        trail.remove(24, 27);
        assertThat(verify(Extent.WHOLE, TRUSTED, "audit-0", both))
                .containsExactly(cut(23), "JOURNAL_GAP at journal-3@1: journal 3 lacks the records of ordinals 1 to 1");
    }

    @Test
    void manifestsBeforeTheFirstSignatureNeedNone() {
        trail.signOnlyFrom(4);
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
        assertThat(journals.uncovered()).isEqualTo(3);
    }

    @Test
    void manifestsMayBeSignedWithEachGivenKey() {
        trail.sign(6, new HeadSigner(ANOTHER));
        HeadSignatureVerifier both =
                HeadSignatureVerifier.of(List.of(JournalTrail.PAIR.getPublic(), ANOTHER.getPublic()));
        assertThat(verify(Extent.WHOLE, both)).isEmpty();
        assertThat(journals.uncovered()).isEqualTo(3);
    }

    @Test
    void withoutAKeyNeitherSignaturesNorManifestsAreRequired() {
        trail.signOnlyFrom(9);
        assertThat(verify(Extent.WHOLE, NO_KEYS)).isEmpty();
        assertThat(journals.uncovered()).isEqualTo(3);
        trail.manifests.clear();
        assertThat(verify(Extent.WHOLE, NO_KEYS)).isEmpty();
        assertThat(journals.uncovered()).isEqualTo(27);
    }

    @Test
    void withoutAValidManifestNoRecordIsCovered() {
        trail.signOnlyFrom(9);
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(
                        "MANIFEST_UNSIGNED at manifests-0@7: no manifest of journal 0 is signed by a given key");
        assertThat(journals.uncovered()).isEqualTo(27);
        assertThat(journals.covers(new JournalPosition(0, 1L))).isFalse();
    }

    @Test
    void unsignedManifestsWithoutRecordsAreOnlyACut() {
        trail.signOnlyFrom(9);
        trail.records.clear();
        assertThat(verify(Extent.WHOLE, TRUSTED)).containsExactly(cut(0));
    }

    @Test
    void aManifestCoversTheRecordsUpToItsOrdinal() {
        verify(Extent.WHOLE, TRUSTED);
        assertThat(journals.covers(new JournalPosition(0, 1L))).isTrue();
        assertThat(journals.covers(new JournalPosition(0, 24L))).isTrue();
        assertThat(journals.covers(new JournalPosition(0, 25L))).isFalse();
        assertThat(journals.covers(new JournalPosition(1, 1L))).isFalse();
        trail.manifests.clear();
        verify(Extent.WHOLE, NO_KEYS);
        assertThat(journals.covers(new JournalPosition(0, 1L))).isFalse();
    }

    @Test
    void aManifestAtTheSameOrdinalIsComparedAsWell() {
        trail.publish(24);
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
        trail.manifest(9).setChains(8L);
        trail.sign(9);
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly("MANIFEST_MISMATCH at manifests-0@8: "
                        + "journal 0 and manifest 9 differ in root or number of chains at ordinal 24");
    }

    @Test
    void aManifestOfNoRecordsIsNotComparedWithLaterOnes() {
        trail.manifests.add(0, trail.at(0));
        trail.manifests.remove(8);
        trail.sign(1);
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
        assertThat(journals.uncovered()).isEqualTo(6);
    }

    @Test
    void aPartOfATrailCannotProveItsJournals() {
        trail.manifests.remove(3);
        trail.remove(24, 27);
        trail.remove(4, 4);
        change(trail.ordinal(5));
        trail.records.add(trail.ordinal(1));
        assertThat(verify(PARTIAL, TRUSTED)).isEmpty();
        assertThat(journals.manifests()).isEqualTo(7);
        trail.manifests.add(trail.manifest(1));
        assertThat(verify(PARTIAL, TRUSTED)).containsExactly(replayed(7, 1, 3));
        trail.manifests.clear();
        assertThat(verify(PARTIAL, TRUSTED))
                .containsExactly("MANIFEST_MISSING at journal-0@0: journal 0 has no manifest");
    }

    @Test
    void theManifestsOfAPartNeedNotFollowEachOther() {
        trail.manifest(3).setPreviousHash(AuditChain.genesis());
        new HeadSigner(JournalTrail.PAIR).sign(trail.manifest(3));
        assertThat(verify(PARTIAL, TRUSTED)).isEmpty();
    }

    @Test
    void afterExpiredRecordsAJournalIsVerifiedFromTheNextManifest() {
        change(trail.ordinal(5));
        change(trail.ordinal(6));
        trail.remove(1, 4);
        assertThat(verify(TRUNCATED, TRUSTED)).isEmpty();
        change(trail.records.get(6 - 4));
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(mismatch(3));
    }

    @Test
    void recordsFromAManifestOnAreVerifiedAfterExpiredOnes() {
        change(trail.ordinal(4));
        trail.remove(1, 3);
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(mismatch(2));
    }

    @Test
    void aManifestBeforeTheLastExpiredRecordIsOfNoUse() {
        change(trail.ordinal(6));
        change(trail.ordinal(7));
        trail.remove(1, 4);
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(mismatch(3));
    }

    @Test
    void recordsAfterTheLastManifestCannotBeVerifiedIfTheOnesBeforeExpired() {
        change(trail.ordinal(26));
        trail.remove(1, 25);
        assertThat(verify(TRUNCATED, TRUSTED)).isEmpty();
        // The ordinals are still unique and without gaps.
        trail.records.add(trail.records.get(0));
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(repeated(2, "B", 5, 26));
        trail.records.clear();
        JournalTrail sound = JournalTrail.sound();
        trail.records.add(sound.ordinal(25));
        trail.records.add(sound.ordinal(27));
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(gap(26, 26));
    }

    @Test
    void afterExpiredRecordsOnlyVerifiedOrdinalsCanRepeat() {
        JournalTrail sound = JournalTrail.sound();
        trail.remove(1, 4);
        trail.records.add(sound.ordinal(1));
        trail.records.add(sound.ordinal(6));
        assertThat(verify(TRUNCATED, TRUSTED)).isEmpty();
        trail.records.add(sound.ordinal(7));
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(repeated(25, "D", 0, 7));
        AuditRecord zero = Links.sealed(Links.unhashed("default|SLIP|Z", 4, AuditChain.genesis()));
        zero.setJournal(new JournalPosition(0, 0L));
        trail.records.set(25, zero);
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(repeated(25, "Z", 4, 0));
    }

    @Test
    void aJournalThatBeginsWithItsFirstRecordIsVerifiedFromThere() {
        change(trail.ordinal(1));
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(mismatch(1));
    }

    @Test
    void onlyTheBeginningOfATruncatedTrailMayBeMissing() {
        trail.remove(8, 8);
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(gap(8, 8));
        trail.remove(1, 4);
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(gap(8, 8));
        assertThat(verify(TRUNCATED, TRUSTED, "audit-1", List.of(trail))).containsExactly(gap(1, 4), gap(8, 8));
        trail.records.subList(trail.records.size() - 4, trail.records.size()).clear();
        assertThat(verify(TRUNCATED, TRUSTED)).containsExactly(gap(8, 8), cut(23));
    }

    @Test
    void allRecordsOfATruncatedTrailMayHaveExpired() {
        trail.records.clear();
        assertThat(verify(TRUNCATED, TRUSTED)).isEmpty();
    }

    private void store(AuditManifest... manifests) {
        stored.clear();
        stored.addAll(List.of(manifests));
    }

    /** A signed copy of a manifest at that ordinal. */
    private AuditManifest copy(int ordinal, int number) {
        AuditManifest manifest = trail.at(ordinal);
        manifest.setNumber((long) number);
        new HeadSigner(JournalTrail.PAIR).sign(manifest);
        return manifest;
    }

    @Test
    void aTrailContinuesItsStoredManifests() {
        store(trail.manifest(2), trail.manifest(8), copy(25, 9), copy(25, 10), copy(27, 11));
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
        assertThat(verify(Extent.WHOLE, NO_KEYS)).isEmpty();
        assertThat(journals.manifests()).as("only published ones are counted").isEqualTo(8);
        Collections.reverse(trail.records);
        assertThat(verify(Extent.WHOLE, TRUSTED)).isEmpty();
    }

    @Test
    void aStoredManifestNeedsAValidSignature() {
        AuditManifest forged = copy(25, 9);
        forged.setChains(99L);
        AuditManifest unsigned = trail.at(25);
        unsigned.setNumber(10L);
        store(forged, unsigned);
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(
                        "MANIFEST_FORGED at stored.jsonl:1: the signature of manifest 9 of journal 0 is invalid",
                        "MANIFEST_UNSIGNED at stored.jsonl:2: manifest 10 of journal 0 is not signed, but the given "
                                + "keys are " + KEY);
    }

    @Test
    void aJournalThatEndsBeforeAStoredManifestDoesNotContinueIt() {
        AuditManifest later = copy(27, 9);
        later.setRecords(28L);
        new HeadSigner(JournalTrail.PAIR).sign(later);
        store(later);
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(notContinued(1, 9, 28, "the journal ends at ordinal 27"));
        trail.records.clear();
        trail.manifests.clear();
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(notContinued(1, 9, 28, "the journal ends at ordinal 0"));
    }

    @Test
    void anotherRootOrNumberOfChainsDoesNotContinueAStoredManifest() {
        String why = "the journal has another root or number of chains there";
        AuditManifest root = copy(24, 9);
        root.setRecords(25L);
        root.setChains(10L);
        new HeadSigner(JournalTrail.PAIR).sign(root);
        AuditManifest chains = copy(25, 10);
        chains.setChains(9L);
        new HeadSigner(JournalTrail.PAIR).sign(chains);
        store(root, chains, copy(25, 11));
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(notContinued(1, 9, 25, why), notContinued(2, 10, 25, why));
    }

    @Test
    void aChangedRecordDoesNotContinueAStoredManifest() {
        store(trail.manifest(2));
        change(trail.ordinal(5));
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(
                        notContinued(1, 2, 6, "the journal has another root or number of chains there"), mismatch(2));
    }

    @Test
    void aPublishedManifestThatDiffersFromTheStoredOneIsReportedOnce() {
        AuditManifest before = JournalTrail.sound().manifest(2);
        before.setChains(2L);
        new HeadSigner(JournalTrail.PAIR).sign(before);
        store(before);
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(
                        notContinued(1, 2, 6, "the published manifest with that number differs, manifests-0@1"));
    }

    @Test
    void afterExpiredRecordsAStoredManifestMustStillBePublished() {
        store(trail.manifest(1), copy(4, 20));
        trail.remove(1, 7);
        assertThat(verify(TRUNCATED, TRUSTED))
                .containsExactly(notContinued(
                        2, 20, 4, "earlier records have expired or are missing, and the manifest is not published"));
    }

    @Test
    void aStoredManifestAfterAGapIsNotProvenByItsPublication() {
        store(trail.manifest(2), trail.manifest(3));
        trail.remove(5, 5);
        assertThat(verify(Extent.WHOLE, TRUSTED))
                .containsExactly(
                        gap(5, 5),
                        notContinued(
                                1,
                                2,
                                6,
                                "earlier records have expired or are missing, and the manifest is not published"));
    }

    @Test
    void recordsAfterTheLastManifestProveAStoredManifestOnlyIfTheOnesBeforeArePresent() {
        store(copy(26, 9));
        trail.remove(1, 24);
        assertThat(verify(TRUNCATED, TRUSTED))
                .as("hashed from the last manifest on")
                .isEmpty();
        trail.records.remove(0);
        assertThat(verify(TRUNCATED, TRUSTED))
                .containsExactly(notContinued(
                        1, 9, 26, "earlier records have expired or are missing, and the manifest is not published"));
    }

    @Test
    void aPartOfATrailCannotContinueAStoredManifest() {
        store(trail.manifest(2));
        assertThat(verify(PARTIAL, TRUSTED))
                .containsExactly(
                        notContinued(1, 2, 6, "a partial export cannot prove it; verify the topics or a full export"));
    }

    /** A record of a journal with nothing but its position and hash. */
    private static CheckedRecord position(int partition, long ordinal) {
        return new CheckedRecord(
                "c",
                1L,
                new byte[AuditChain.HASH_BYTES],
                new byte[AuditChain.HASH_BYTES],
                new byte[AuditChain.HASH_BYTES],
                new InputPosition("parley.wire", 0, ordinal),
                new JournalPosition(partition, ordinal),
                List.of(),
                true,
                false,
                null);
    }

    @Test
    void onlySoManyRecordsAreHeldUntilTheirPredecessorsArrive() {
        Journals bounded = new Journals(Extent.WHOLE, NO_KEYS);
        for (long ordinal = 2; ordinal <= Journals.MAX_HELD + 1; ordinal++) {
            assertThatHeld(bounded, (int) (ordinal % 2), ordinal / 2 + 1);
        }
        assertThat(bounded.record(position(1, Journals.MAX_HELD), RecordLocation.NONE))
                .extracting(AuditFault::toString)
                .containsExactly("JOURNAL_GAP at journal-1@1: journal 1 lacks the records of ordinals 1 to 1");
        // Half of them are no longer held.
        assertThatHeld(bounded, 1, Journals.MAX_HELD + 2L);
    }

    private static void assertThatHeld(Journals bounded, int partition, long ordinal) {
        List<AuditFault> faults = bounded.record(position(partition, ordinal), RecordLocation.NONE);
        if (!faults.isEmpty()) {
            assertThat(faults).as("ordinal %d", ordinal).isEmpty();
        }
    }
}
