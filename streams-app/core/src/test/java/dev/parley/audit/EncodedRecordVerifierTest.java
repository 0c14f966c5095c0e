package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares verification of bytes with that of objects. {@code -Dparley.seed=N} replays a failure. */
class EncodedRecordVerifierTest {
    private static final int RECORDS = 3_000;

    private final long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
    private final RandomRecords random = new RandomRecords(seed);
    private final EncodedRecordVerifier verifier = new EncodedRecordVerifier();
    private final RecordVerifier objects = new RecordVerifier();

    @Test
    void soundRecordsAreVerifiedAsTheirObjectsAre() {
        for (int i = 0; i < RECORDS; i++) {
            AuditRecord link = random.sound();
            byte[] bytes = RandomRecords.encoded(link);
            assertThat(verifier.check(bytes, 0, bytes.length)).as(replay(link)).isEqualTo(bytes.length);
            assertChecked(objects.check(link), link);
        }
    }

    @Test
    void recordsInTheMiddleOfOtherBytesAreVerified() {
        byte[] bytes = RandomRecords.encoded(random.sound());
        byte[] longer = new byte[bytes.length + 20];
        Arrays.fill(longer, (byte) 0x55);
        System.arraycopy(bytes, 0, longer, 10, bytes.length);
        assertThat(verifier.check(longer, 10, longer.length)).isEqualTo(10 + bytes.length);
        assertThat(verifier.check(longer, 10, 9 + bytes.length)).isEqualTo(EncodedRecordVerifier.NONE);
    }

    @Test
    void aChangedRecordIsAcceptedOnlyIfItsObjectHasNoFault() {
        int faulty = 0;
        for (int i = 0; i < RECORDS; i++) {
            AuditRecord link = random.sound();
            random.change(link);
            // Half of the changes are by a writer who computes some hashes again.
            if (i % 2 == 0) {
                link.setHash(new AuditChain().hash(link));
            }
            if (i % 4 == 0) {
                Links.sealed(link);
            }
            byte[] bytes = RandomRecords.encoded(link);
            CheckedRecord expected = objects.check(link);
            int end = verifier.check(bytes, 0, bytes.length);
            if (end == EncodedRecordVerifier.NONE) {
                assertThat(expected.faults().isEmpty() && isUsual(link))
                        .as(replay(link))
                        .isFalse();
            } else {
                assertThat(end).as(replay(link)).isEqualTo(bytes.length);
                assertChecked(expected, link);
                assertThat(expected.faults()).as(replay(link)).isEmpty();
            }
            faulty += expected.faults().isEmpty() ? 0 : 1;
        }
        assertThat(faulty).isGreaterThan(RECORDS / 2);
    }

    @Test
    void noChangedByteIsAccepted() {
        for (AuditRecord link : Links.messages("default|SLIP|1", 3)) {
            byte[] bytes = RandomRecords.encoded(link);
            assertThat(verifier.check(bytes, 0, bytes.length)).isEqualTo(bytes.length);
            RecordScanner fields = new RecordScanner(AuditRecord.getClassSchema(), Map.of());
            fields.scan(bytes, 0, bytes.length);
            for (int at = 0; at < bytes.length; at++) {
                byte before = bytes[at];
                for (int bit = 0; bit < Byte.SIZE; bit++) {
                    bytes[at] = (byte) (before ^ 1 << bit);
                    assertThat(verifier.check(bytes, 0, bytes.length))
                            .as("byte %d, bit %d", at, bit)
                            .isEqualTo(EncodedRecordVerifier.NONE);
                }
                bytes[at] = before;
            }
        }
    }

    @Test
    void aRecordInAnotherFormThanItsHashesIsNotAccepted() {
        AuditRecord link = Links.messages("default|SLIP|1", 1).get(0);
        byte[] bytes = RandomRecords.encoded(link);
        RecordScanner fields = new RecordScanner(AuditRecord.getClassSchema(), Map.of());
        fields.scan(bytes, 0, bytes.length);
        int sequence = fields.start(fields.field("sequence"));
        // The sequence 0 as two bytes: the same value, so the object is sound, but not the bytes that were hashed.
        byte[] longer = new byte[bytes.length + 1];
        System.arraycopy(bytes, 0, longer, 0, sequence);
        longer[sequence] = (byte) 0x80;
        System.arraycopy(bytes, sequence + 1, longer, sequence + 2, bytes.length - sequence - 1);
        assertThat(verifier.check(longer, 0, longer.length)).isEqualTo(EncodedRecordVerifier.NONE);
    }

    @Test
    void theVerifierIsUsableAfterARecordThatItDidNotAccept() {
        AuditRecord link = random.sound();
        byte[] bytes = RandomRecords.encoded(link);
        byte[] forged = bytes.clone();
        RecordScanner fields = new RecordScanner(AuditRecord.getClassSchema(), Map.of());
        fields.scan(bytes, 0, bytes.length);
        for (String hash : new String[] {"payloadHash", "contentHash", "hash"}) {
            forged[fields.end(fields.field(hash)) - 1]++;
            assertThat(verifier.check(forged, 0, forged.length)).as(hash).isEqualTo(EncodedRecordVerifier.NONE);
            assertThat(verifier.check(bytes, 0, bytes.length)).as(hash).isEqualTo(bytes.length);
        }
    }

    @Test
    void theResultSharesNoMemoryWithTheBytes() {
        AuditRecord link = random.sound();
        byte[] bytes = RandomRecords.encoded(link);
        verifier.check(bytes, 0, bytes.length);
        Arrays.fill(bytes, (byte) 0);
        assertChecked(objects.check(link), link);
    }

    @Test
    void onlyRecordsOfThisVersionsSchemaAreSupported() {
        assertThat(EncodedRecordVerifier.supports(AuditRecord.getClassSchema())).isTrue();
        assertThat(EncodedRecordVerifier.supports(AuditRecordEncoder.CONTENT.schema()))
                .isFalse();
        assertThat(EncodedRecordVerifier.supports(ExportEntry.getClassSchema())).isFalse();
    }

    private static boolean isUsual(AuditRecord link) {
        ByteBuffer raw =
                link.getMessage() == null ? link.getRaw() : link.getMessage().getRaw();
        return raw != null
                && link.getRedaction() == null
                && link.getRedacted() == null
                && link.getUnread() == null
                && link.getOmitted() == null
                && link.getPreviousHash().remaining() == AuditChain.HASH_BYTES;
    }

    /** Compares the last result with that for the object, which only the latter contains. */
    private void assertChecked(CheckedRecord expected, AuditRecord link) {
        assertThat(verifier.checked())
                .as(replay(link))
                .usingRecursiveComparison()
                .ignoringFields("auditRecord")
                .isEqualTo(expected);
        assertThat(verifier.checked().auditRecord()).isNull();
    }

    private String replay(AuditRecord link) {
        return "replay with -Dparley.seed=" + seed + ": " + link;
    }
}
