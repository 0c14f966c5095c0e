package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A journal and its manifests for tests, hashed as docs/audit.md says and without the code that is tested. */
final class JournalTrail {
    static final KeyPair PAIR = KeyFiles.newPair();
    private static final HeadSigner SIGNER = new HeadSigner(PAIR);
    static final HeadSignatureVerifier TRUSTED = HeadSignatureVerifier.of(List.of(PAIR.getPublic()));
    static final HeadSignatureVerifier NO_KEYS = HeadSignatureVerifier.of(List.of());

    /** A letter for each record: its chain. A chain begins between each two manifests. */
    static final String CHAINS = "ABACABDACBEAFABGCAHBAIDAJBA";

    static final int INTERVAL = 3;

    final int partition;
    final List<AuditRecord> records = new ArrayList<>();
    final List<AuditManifest> manifests = new ArrayList<>();

    JournalTrail(int partition, String chains, int interval) {
        this.partition = partition;
        Map<Character, AuditRecord> last = new HashMap<>();
        for (int i = 0; i < chains.length(); i++) {
            AuditRecord before = last.get(chains.charAt(i));
            AuditRecord link = Links.unhashed(
                    "default|SLIP|" + chains.charAt(i),
                    before == null ? 0 : Math.toIntExact(before.getSequence() + 1),
                    before == null ? ByteBuffer.wrap(new byte[32]) : before.getHash());
            link.getSource().setOffset(1_000L * partition + i);
            link.setJournal(new JournalPosition(partition, i + 1L));
            last.put(chains.charAt(i), Links.sealed(link));
            records.add(link);
        }
        for (int ordinal = interval; ordinal <= chains.length(); ordinal += interval) {
            manifests.add(at(ordinal));
        }
        sign(1);
    }

    /** 27 records in ten chains, with a manifest after every third: eight, and three records after the last. */
    static JournalTrail sound() {
        JournalTrail trail = new JournalTrail(0, CHAINS, INTERVAL);
        trail.manifests.remove(8);
        return trail;
    }

    AuditRecord ordinal(int ordinal) {
        return records.get(ordinal - 1);
    }

    AuditManifest manifest(int number) {
        return manifests.get(number - 1);
    }

    /** The manifest after that many records, without number, previous hash or signature. */
    AuditManifest at(int ordinal) {
        byte[] root = new byte[32];
        long chains = 0;
        for (AuditRecord link : records.subList(0, ordinal)) {
            root = sha256(root, bytes(link.getHash()));
            chains += link.getSequence() == 0 ? 1 : 0;
        }
        return new AuditManifest(
                partition,
                0L,
                (long) ordinal,
                ByteBuffer.wrap(root),
                chains,
                Instant.ofEpochMilli(1_700_000_000_000L + ordinal),
                ByteBuffer.wrap(new byte[32]),
                null,
                null);
    }

    /** Adds a manifest after that many records and signs it. */
    AuditManifest publish(int ordinal) {
        manifests.add(at(ordinal));
        sign(manifests.size());
        return manifests.get(manifests.size() - 1);
    }

    /** Numbers, links and signs the manifests from this one on. */
    void sign(int from) {
        sign(from, SIGNER);
    }

    void sign(int from, HeadSigner signer) {
        for (int number = from; number <= manifests.size(); number++) {
            AuditManifest manifest = manifest(number);
            link(number, manifest);
            signer.sign(manifest);
        }
    }

    /** Numbers and links a manifest. */
    void link(int number, AuditManifest manifest) {
        manifest.setNumber((long) number);
        manifest.setPreviousHash(number == 1 ? ByteBuffer.wrap(new byte[32]) : hash(manifest(number - 1)));
    }

    /** Removes the signatures of the first manifests, and signs the others. */
    void signOnlyFrom(int first) {
        for (int number = 1; number < first; number++) {
            AuditManifest manifest = manifest(number);
            manifest.setKeyId(null);
            manifest.setSignature(null);
            link(number, manifest);
        }
        sign(first);
    }

    /** Removes the records with these ordinals. */
    void remove(int from, int to) {
        records.subList(from - 1, to).clear();
    }

    /** SHA-256 of the documented bytes of a manifest. */
    static ByteBuffer hash(AuditManifest manifest) {
        return ByteBuffer.wrap(sha256(signedForm(manifest)));
    }

    static byte[] signedForm(AuditManifest manifest) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            text(out, "parley.audit-manifest.v1");
            out.writeInt(manifest.getPartition());
            out.writeLong(manifest.getNumber());
            out.writeLong(manifest.getRecords());
            out.write(bytes(manifest.getRoot()));
            out.writeLong(manifest.getChains());
            out.writeLong(manifest.getTime().toEpochMilli());
            out.write(bytes(manifest.getPreviousHash()));
            text(out, manifest.getKeyId() == null ? "" : manifest.getKeyId());
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static byte[] sha256(byte[]... parts) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                sha256.update(part);
            }
            return sha256.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
