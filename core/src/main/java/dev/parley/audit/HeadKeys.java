package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The public keys of those who may sign heads, and what their signatures are over. */
public final class HeadKeys {
    private static final int ID_BYTES = 8;
    private static final String DOMAIN = "parley.audit-head.v1";

    private final Map<String, PublicKey> keys;

    private HeadKeys(Map<String, PublicKey> keys) {
        this.keys = keys;
    }

    /** These keys; with at least one, every head must be signed by one of them. */
    public static HeadKeys of(Collection<PublicKey> keys) {
        Map<String, PublicKey> byId = new HashMap<>();
        keys.forEach(key -> byId.put(idOf(key), key));
        return new HeadKeys(byId);
    }

    /** Id of a key: the first 16 hexadecimal digits of the SHA-256 of its X.509 form. */
    public static String idOf(PublicKey key) {
        MessageDigest sha256 = AuditChain.sha256();
        return HexFormat.of().formatHex(sha256.digest(key.getEncoded()), 0, ID_BYTES);
    }

    /** Whether there are any. */
    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** What is wrong with the signature of a head; nothing when there are no keys. */
    Optional<Fault> check(AuditHead head, Place place) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        PublicKey key = head.getKeyId() == null || head.getSignature() == null ? null : keys.get(head.getKeyId());
        if (key == null) {
            String by =
                    head.getKeyId() == null ? "the head is not signed" : "the head is signed by key " + head.getKeyId();
            return Optional.of(new Fault(
                    FaultCode.HEAD_UNSIGNED,
                    place,
                    head.getChain(),
                    head.getSequence(),
                    by + ", and the keys given are " + String.join(", ", keys.keySet())));
        }
        return verifies(signedBytes(head), head.getSignature(), key)
                ? Optional.empty()
                : Optional.of(Fault.of(FaultCode.HEAD_FORGED, place, head.getChain(), head.getSequence()));
    }

    /**
     * What a signature is over: the text {@code parley.audit-head.v1}, the chain, the sequence (8 bytes), the hash of the record (32), the time in milliseconds since
     * the epoch (8), and the id of the key. Numbers are big-endian, texts UTF-8 behind their length as four bytes.
     *
     * @param head a head whose key id is set
     */
    public static byte[] signedBytes(AuditHead head) {
        Sink sink = new Sink();
        sink.text(DOMAIN);
        sink.text(head.getChain());
        sink.number(head.getSequence());
        sink.bytes(head.getHash());
        sink.number(head.getTime().toEpochMilli());
        sink.text(head.getKeyId());
        return sink.toBytes();
    }

    /** What is wrong with the signature of a manifest; nothing when there are no keys. */
    Optional<Fault> check(AuditManifest manifest, Place place) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        String keyId = manifest.getKeyId();
        PublicKey key = keyId == null || manifest.getSignature() == null ? null : keys.get(keyId);
        if (key == null) {
            return Optional.of(new Fault(
                    FaultCode.MANIFEST_UNSIGNED,
                    place,
                    "",
                    -1,
                    Journals.name(manifest) + " is "
                            + (keyId == null ? "not signed" : "signed by key " + keyId)
                            + "; the keys given are " + String.join(", ", keys.keySet())));
        }
        return verifies(Manifests.signedBytes(manifest), manifest.getSignature(), key)
                ? Optional.empty()
                : Optional.of(new Fault(
                        FaultCode.MANIFEST_FORGED,
                        place,
                        "",
                        -1,
                        "the signature of " + Journals.name(manifest) + " is wrong"));
    }

    private static boolean verifies(byte[] signed, ByteBuffer signature, PublicKey key) {
        byte[] bytes = new byte[signature.remaining()];
        signature.duplicate().get(bytes);
        try {
            Signature ed25519 = Signature.getInstance(HeadSigner.ALGORITHM);
            ed25519.initVerify(key);
            ed25519.update(signed);
            return ed25519.verify(bytes);
        } catch (java.security.SignatureException e) {
            // The bytes are no signature at all.
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform from 15 on has " + HeadSigner.ALGORITHM, e);
        }
    }
}
