package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.JournalState;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests the running hash of a journal and its manifests against an independent computation. */
class JournalTest {
    private static final Instant TIME = Instant.ofEpochMilli(1_700_000_000_123L);

    private final JournalTrail trail = new JournalTrail(7, JournalTrail.CHAINS, 1);

    @Test
    void aNewJournalHasNoRecordsAndARootOfZeros() {
        Journal journal = new Journal(7, null);
        assertThat(journal.state()).isEqualTo(new JournalState(0L, ByteBuffer.wrap(new byte[32]), 0L, 0L, null));
        assertThat(journal.next()).isEqualTo(new JournalPosition(7, 1L));
    }

    @Test
    void theRootIsTheRunningHashOfAllRecords() {
        Journal journal = new Journal(7, null);
        for (int ordinal = 1; ordinal <= trail.records.size(); ordinal++) {
            AuditRecord link = trail.ordinal(ordinal);
            assertThat(journal.next()).isEqualTo(link.getJournal());
            journal.add(link);
            AuditManifest expected = trail.at(ordinal);
            assertThat(journal.state())
                    .isEqualTo(new JournalState((long) ordinal, expected.getRoot(), expected.getChains(), 0L, null));
        }
        assertThat(journal.state().getChains()).isEqualTo(10);
    }

    @Test
    void aJournalContinuesFromItsStoredState() {
        Journal before = new Journal(7, null);
        trail.records.subList(0, 10).forEach(before::add);
        Journal after = new Journal(7, before.state());
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.next()).isEqualTo(new JournalPosition(7, 11L));
        trail.records.subList(10, 27).forEach(after::add);
        assertThat(after.state().getRecords()).isEqualTo(27);
        assertThat(after.state().getRoot()).isEqualTo(trail.at(27).getRoot());
        assertThat(after.state().getChains()).isEqualTo(10);
    }

    @Test
    void aRecordCanBeHashedAgainAfterItWasAdded() {
        AuditRecord link = trail.ordinal(1);
        new Journal(7, null).add(link);
        assertThat(link.getHash().remaining()).isEqualTo(32);
    }

    @Test
    void theFirstManifestHasNumberOneAndNoPreviousHash() {
        JournalState state = new JournalState(5L, ByteBuffer.wrap(new byte[] {1}), 3L, 0L, null);
        assertThat(Manifests.next(7, state, null, TIME))
                .isEqualTo(new AuditManifest(
                        7,
                        1L,
                        5L,
                        ByteBuffer.wrap(new byte[] {1}),
                        3L,
                        TIME,
                        ByteBuffer.wrap(new byte[32]),
                        null,
                        null));
    }

    @Test
    void aLaterManifestHasTheNextNumberAndTheHashOfThePreviousOne() {
        AuditManifest first = trail.manifest(2);
        JournalState published = Manifests.published(first);
        assertThat(published)
                .isEqualTo(
                        new JournalState(2L, trail.at(2).getRoot(), first.getChains(), 2L, JournalTrail.hash(first)));
        AuditManifest next =
                Manifests.next(7, new JournalState(9L, trail.at(9).getRoot(), 4L, 0L, null), published, TIME);
        assertThat(next)
                .isEqualTo(new AuditManifest(
                        7, 3L, 9L, trail.at(9).getRoot(), 4L, TIME, JournalTrail.hash(first), null, null));
    }

    @Test
    void theSignatureOfAManifestCoversTheDocumentedBytes() {
        AuditManifest signed = trail.manifest(3);
        assertThat(Manifests.signedBytes(signed)).isEqualTo(JournalTrail.signedForm(signed));
        assertThat(signed.getKeyId()).isNotEmpty();
        assertThat(Manifests.hash(signed)).isEqualTo(JournalTrail.hash(signed));

        AuditManifest unsigned = trail.at(3);
        assertThat(Manifests.signedBytes(unsigned)).isEqualTo(JournalTrail.signedForm(unsigned));
    }
}
