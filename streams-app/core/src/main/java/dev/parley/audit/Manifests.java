package dev.parley.audit;

import dev.parley.avro.AuditManifest;
import dev.parley.avro.JournalState;
import dev.parley.decode.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;

/** Creates manifests of journals, and their signed and hashed bytes. */
public final class Manifests {
    private static final String DOMAIN = "parley.audit-manifest.v1";

    private Manifests() {}

    /**
     * Creates the next manifest of a journal, unsigned.
     *
     * @param journal current state of the journal
     * @param published state of the journal at its last manifest; null before the first
     */
    public static AuditManifest next(int partition, JournalState journal, JournalState published, Instant time) {
        return new AuditManifest(
                partition,
                published == null ? 1 : published.getManifests() + 1,
                journal.getRecords(),
                journal.getRoot(),
                journal.getChains(),
                time,
                published == null ? AuditChain.genesis() : published.getManifestHash(),
                null,
                null);
    }

    /** The state of the journal at a manifest, for the next manifest. */
    public static JournalState published(AuditManifest manifest) {
        return new JournalState(
                manifest.getRecords(), manifest.getRoot(), manifest.getChains(), manifest.getNumber(), hash(manifest));
    }

    /** SHA-256 of {@link #signedBytes}. */
    public static ByteBuffer hash(AuditManifest manifest) {
        return ByteBuffer.wrap(Sha256.digest().digest(signedBytes(manifest)));
    }

    /**
     * The bytes that the signature of a manifest covers: the string {@code parley.audit-manifest.v1}, the partition (4
     * bytes), the number (8), the number of records (8), the root (32), the number of chains (8), the time in
     * milliseconds since the epoch (8), the hash of the previous manifest (32), and the ID of the key (empty without a
     * signature). Numbers are big-endian; strings are UTF-8 after a length of four bytes.
     */
    public static byte[] signedBytes(AuditManifest manifest) {
        HashBuffer buffer = new HashBuffer();
        buffer.text(DOMAIN);
        buffer.integer(manifest.getPartition());
        buffer.number(manifest.getNumber());
        buffer.number(manifest.getRecords());
        buffer.bytes(manifest.getRoot());
        buffer.number(manifest.getChains());
        buffer.number(manifest.getTime().toEpochMilli());
        buffer.bytes(manifest.getPreviousHash());
        buffer.text(manifest.getKeyId() == null ? "" : manifest.getKeyId());
        return buffer.toBytes();
    }
}
