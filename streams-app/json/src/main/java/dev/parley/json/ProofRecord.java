package dev.parley.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.AuditRecord;
import dev.parley.tlog.SignedNote;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The extra data of the proof of an audit record: the record in canonical JSON (docs/audit.md). */
public final class ProofRecord {
    /** Bytes of a proof without its extra data: 62 hashes, and a note with 64 signatures. */
    private static final int PROOF_BYTES = 16 << 10;

    /** Maximum bytes of a record in a proof: base64 adds a third. */
    public static final int MAX_BYTES = (SignedNote.MAX_BYTES - PROOF_BYTES) / 4 * 3;

    private static final JsonFactory JSON = LineBreakEscapes.factory().build();

    private ProofRecord() {}

    /** Writes a record as exports write it. */
    public static byte[] of(AuditRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            AvroJson.write(json, record);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory does not fail", e);
        }
        return out.toByteArray();
    }

    /** Bytes to reserve for a proof with a record of this size. */
    public static long proofBytes(int recordBytes) {
        return 2L * recordBytes + PROOF_BYTES;
    }
}
