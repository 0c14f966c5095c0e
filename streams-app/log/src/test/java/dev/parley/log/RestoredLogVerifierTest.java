package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Links;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.log.tlog.NoteSigner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which restored logs follow from their last signed head and audit records. */
class RestoredLogVerifierTest {
    private static final int SIGNED = 12;
    private static final int SIZE = 20;

    private final NoteSigner key = Trail.key();
    private final Trail trail = Trail.of(key, Map.of("default|SLIP|1", 0), SIZE);
    private final List<AuditHead> heads = new ArrayList<>(List.of(trail.head(0, 5), trail.head(0, SIGNED)));
    private final List<AuditRecord> records = new ArrayList<>(trail.log(0));
    private RestoredLog restored = restored(SIGNED, SIZE);

    /** A log that published a head at a size. */
    private RestoredLog restored(int head, int size) {
        AuditLog log = new AuditLog(0, new MemoryStore<>());
        for (int i = 0; i < size; i++) {
            if (i == head) {
                log.headPublished();
            }
            log.append(trail.log(0).get(i).getHash());
        }
        if (head == size) {
            log.headPublished();
        }
        return log.restored();
    }

    private void verify() throws RestoredLogException {
        RestoredLogVerifier verifier = new RestoredLogVerifier(restored, new LogNotes(Trail.ORIGIN, List.of(key)));
        for (AuditHead head : heads) {
            verifier.head(head);
        }
        verifier.begin();
        for (AuditRecord link : records) {
            if (verifier.isUncovered(link)) {
                verifier.found(link.getLog().getIndex());
            }
        }
        if (!verifier.isComplete()) {
            throw verifier.missing();
        }
        for (AuditRecord link : records) {
            if (verifier.isUncovered(link)) {
                verifier.record(link);
            }
        }
        verifier.finish();
    }

    private void expectRefusal(long index, String cause) {
        assertThatThrownBy(this::verify)
                .isInstanceOfSatisfying(
                        RestoredLogException.class, e -> assertThat(e.index()).isEqualTo(index))
                .hasMessageContaining(cause);
    }

    @Test
    void aLogOfSignedAndVerifiedRecordsFollows() throws Exception {
        verify();
    }

    @Test
    void recordsOfSeveralPartitionsMayBeReadInAnyOrder() throws Exception {
        Collections.reverse(records);
        verify();
    }

    @Test
    void withoutAHeadALogMustFollowFromAllItsRecords() throws Exception {
        heads.clear();
        verify();
        records.remove(3);
        expectRefusal(3, "no committed record with index 3");
    }

    @Test
    void aHeadOfAClockThatRanAheadCounts() throws Exception {
        trail.headTime = System.currentTimeMillis() + Duration.ofHours(3).toMillis();
        heads.set(1, trail.head(0, SIGNED));
        verify();
    }

    @Test
    void aHeadOfAnotherKeyOrLogDoesNotCount() throws Exception {
        heads.add(trail.head(Trail.key(), 0, SIZE));
        heads.add(Trail.of(key, Map.of("default|SLIP|2", 1), SIZE).head(1));
        verify();
    }

    @Test
    void aShorterLogIsRefused() {
        restored = restored(5, 10);
        expectRefusal(10, "the restored log has 10 records, but the last signed head has 12");
    }

    @Test
    void aLogSetBackToItsHeadIsRefused() {
        restored = restored(SIGNED, SIGNED);
        expectRefusal(SIGNED, "the restored log ends with 12 records");
    }

    @Test
    void aLogThatContinuesAnotherHeadIsRefused() {
        restored = restored(5, SIZE);
        expectRefusal(5, "continues a head at size 5");
    }

    @Test
    void aRepeatedHeadIsRefused() {
        heads.add(heads.get(0));
        expectRefusal(5, "repeats");
    }

    @Test
    void twoRootsOfOneSizeAreRefused() {
        heads.add(Trail.of(key, Map.of("default|SLIP|2", 0), SIZE).head(0, SIGNED));
        expectRefusal(SIGNED, "different roots");
    }

    @Test
    void aMissingARepeatedAndAChangedRecordAreRefused() {
        AuditRecord removed = records.remove(15);
        expectRefusal(15, "no committed record with index 15");
        records.add(15, removed);
        records.add(removed);
        expectRefusal(15, "two audit records have index 15");
        records.remove(records.size() - 1);
        removed.setCode("SLIP_TURN_REUSED");
        expectRefusal(15, "RECORD_CHANGED");
    }

    @Test
    void anotherRecordThatVerifiesByItselfIsRefused() {
        records.get(15).setSalt(ByteBuffer.allocate(AuditChain.SALT_BYTES).putInt(0, 1));
        Links.sealed(records.get(15));
        expectRefusal(SIGNED, "another tree");
    }

    @Test
    void twoRecordsOfOneInputAreRefused() {
        records.get(16).getSource().setOffset(15L);
        trail.reseal();
        restored = restored(SIGNED, SIZE);
        expectRefusal(16, "two audit records");
    }

    @Test
    void aRecordWithoutAPayloadHashIsRefused() {
        AuditRecord link = records.get(15);
        link.setMessage(null);
        link.setRaw(null);
        link.setPayloadHash(null);
        link.setVerdict("UNDECODABLE");
        link.setCode("SLIP_SYNTAX");
        trail.reseal();
        restored = restored(SIGNED, SIZE);
        expectRefusal(15, "");
    }

    @Test
    void bytesThatAreNoHeadRestoreNone() {
        MemoryStore<byte[]> store = new MemoryStore<>();
        AuditLog log = new AuditLog(0, store);
        log.append(trail.log(0).get(0).getHash());
        for (byte[] bytes : List.of(new byte[3], new byte[8], new byte[40], new byte[] {-1, 0, 0, 0, 0, 0, 0, 1})) {
            store.put("head", bytes);
            assertThat(new AuditLog(0, store).restored().head().size()).isZero();
        }
    }
}
