package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditHead;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.TreeHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests which heads the statement of the partitions lists. */
class SignedHeadsTest {
    private static final long SEED = Long.getLong("parley.seed", 36_2026L);

    private final NoteSigner key = Trail.key();
    private final LogNotes notes = notes(Trail.ORIGIN, key);
    private final SignedHeads heads = new SignedHeads(notes);

    private static LogNotes notes(String origin, NoteSigner... signers) {
        return new LogNotes(origin, List.of(signers));
    }

    private static AuditHead head(LogNotes by, int partition, long size) {
        return by.head(partition, size, new byte[32], Instant.EPOCH);
    }

    private static AuditHead statement(LogNotes by, int partition, long size) {
        return by.statement(
                partition + 1,
                new TreeMap<>(Map.of(partition, LogNotes.timed("x", size, new byte[32], 70))),
                Instant.EPOCH);
    }

    private Map<Integer, Long> sizes() {
        Map<Integer, Long> sizes = new TreeMap<>();
        heads.heads().forEach((partition, head) -> {
            assertThat(head.origin()).isEqualTo(Trail.ORIGIN + "/" + partition);
            sizes.put(partition, head.size());
        });
        return sizes;
    }

    @Test
    void theLargestHeadOfEachLogIsListedInAnyOrder() {
        List<AuditHead> published = new ArrayList<>();
        for (int size = 0; size < 10; size++) {
            published.add(head(notes, 0, size));
            published.add(head(notes, 3, 2 * size));
        }
        published.add(head(notes, 1, 0));
        Collections.shuffle(published, new Random(SEED));
        published.forEach(note -> assertThat(heads.add(note, 0)).isFalse());
        assertThat(sizes()).as("seed %d", SEED).isEqualTo(Map.of(0, 9L, 1, 0L, 3, 18L));
    }

    @Test
    void theHeadsOfAnOwnStatementAreListedAgain() {
        heads.add(head(notes, 2, 9), 0);
        assertThat(heads.add(statement(notes, 2, 7), 0)).isTrue();
        assertThat(heads.add(statement(notes, 4, 5), 0)).isTrue();
        assertThat(sizes()).isEqualTo(Map.of(2, 9L, 4, 5L));
    }

    private long completeTo() {
        return LogNotes.timeOf(heads.heads().get(2));
    }

    /** A head that an insider writes again must not make a stalled log look complete. */
    @Test
    void aLogIsCompleteWithItsFirstNewHeadAfterAllInputIsRecorded() {
        AuditHead before = notes.head(2, 9, new byte[32], Instant.ofEpochMilli(40));
        heads.add(before, 0);
        heads.add(before, 50);
        assertThat(completeTo()).as("no new head").isZero();
        heads.add(notes.head(2, 9, new byte[32], Instant.ofEpochMilli(60)), 50);
        assertThat(completeTo()).isEqualTo(50);
        heads.add(notes.head(2, 10, new byte[32], Instant.ofEpochMilli(80)), 0);
        assertThat(completeTo()).as("a head before the input is recorded").isEqualTo(50);
        heads.add(statement(notes, 2, 7), 0);
        assertThat(completeTo()).as("as it was stated before").isEqualTo(70);
    }

    @Test
    void notesThatNoOwnKeySignedAreNotListed() {
        AuditHead forged = head(notes, 0, 5);
        forged.setNote(forged.getNote().replace("\n5\n", "\n6\n"));
        forged.setSize(6L);
        for (AuditHead note : List.of(
                head(notes(Trail.ORIGIN), 0, 5),
                head(notes(Trail.ORIGIN, Trail.key()), 0, 5),
                statement(notes(Trail.ORIGIN), 0, 5),
                statement(notes(Trail.ORIGIN, Trail.key()), 0, 5),
                head(notes("example.com/other", key), 0, 5),
                statement(notes("example.com/other", key), 0, 5),
                forged)) {
            assertThat(heads.add(note, 0)).isFalse();
        }
        assertThat(sizes()).isEmpty();
        heads.add(head(notes(Trail.ORIGIN, Trail.key(), key), 0, 4), 0);
        assertThat(sizes()).as("while a key is replaced").isEqualTo(Map.of(0, 4L));
    }

    @Test
    void withoutAKeyAllNotesOfTheDeploymentCount() {
        SignedHeads unsigned = new SignedHeads(notes(Trail.ORIGIN));
        unsigned.add(head(notes("example.com/other"), 0, 9), 0);
        unsigned.add(head(notes(Trail.ORIGIN), 0, 5), 0);
        unsigned.add(head(notes, 1, 6), 0);
        assertThat(unsigned.add(statement(notes(Trail.ORIGIN), 2, 7), 0)).isTrue();
        assertThat(unsigned.heads().values()).extracting(TreeHead::size).containsExactly(5L, 6L, 7L);
    }

    @Test
    void aStatementNeverExceedsTheSizeOfANote() {
        LogNotes unsigned = notes(Trail.ORIGIN);
        SignedHeads all = new SignedHeads(unsigned);
        all.add(statement(unsigned, TrustedLogs.MAX_PARTITIONS, 5), 0);
        for (int partition = 0; partition < 2 * TrustedLogs.MAX_PARTITIONS; partition++) {
            all.add(head(unsigned, partition, MerkleHasher.MAX_SIZE), 0);
        }
        AuditHead statement = notes.statement(Integer.MAX_VALUE, all.heads(), Instant.EPOCH);
        assertThat(PartitionStatement.of(statement))
                .hasValueSatisfying(read -> assertThat(read.heads()).hasSize(TrustedLogs.MAX_PARTITIONS));
    }
}
