package dev.parley.log.verify;

import dev.parley.avro.AuditRecord;
import dev.parley.json.ApiJson;
import dev.parley.log.tlog.SignedNote;

/** The extra data of the proof of an audit record: the record in canonical JSON (docs/audit.md). */
public final class ProofRecord {
    /** Bytes of a proof without its extra data: 62 hashes, and a note with 64 signatures. */
    private static final int PROOF_BYTES = 16 << 10;

    /** Maximum bytes of a record in a proof: base64 adds a third. */
    public static final int MAX_BYTES = (SignedNote.MAX_BYTES - PROOF_BYTES) / 4 * 3;

    private ProofRecord() {}

    /** Writes a record as exports write it. */
    public static byte[] of(AuditRecord record) {
        return ApiJson.bytes(record);
    }

    /** Bytes to reserve for a proof with a record of this size. */
    public static long proofBytes(int recordBytes) {
        return 2L * recordBytes + PROOF_BYTES;
    }
}
