package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.decode.Sha256;
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

/** Verifies signatures of chain heads and manifests against trusted public keys. */
public final class HeadSignatureVerifier {
    private static final int ID_BYTES = 8;
    private static final String DOMAIN = "parley.audit-head.v1";

    private final Map<String, PublicKey> keys;

    private HeadSignatureVerifier(Map<String, PublicKey> keys) {
        this.keys = keys;
    }

    /** Trusts these keys. With at least one, every head must have a signature by one of them. */
    public static HeadSignatureVerifier of(Collection<PublicKey> keys) {
        Map<String, PublicKey> byId = new HashMap<>();
        keys.forEach(key -> byId.put(idOf(key), key));
        return new HeadSignatureVerifier(byId);
    }

    /** ID of a key: the first 16 hexadecimal digits of the SHA-256 of its X.509 form. */
    public static String idOf(PublicKey key) {
        MessageDigest sha256 = Sha256.digest();
        return HexFormat.of().formatHex(sha256.digest(key.getEncoded()), 0, ID_BYTES);
    }

    /** Whether there are no keys. */
    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The fault in the signature of a chain head; empty if it is valid or there are no keys. */
    Optional<AuditFault> check(AuditHead head, RecordLocation location) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        PublicKey key = head.getKeyId() == null || head.getSignature() == null ? null : keys.get(head.getKeyId());
        if (key == null) {
            String by =
                    head.getKeyId() == null ? "the head is not signed" : "the head is signed by key " + head.getKeyId();
            return Optional.of(AuditFault.of(
                    FaultCode.HEAD_UNSIGNED,
                    location,
                    head,
                    by + ", but the given keys are " + String.join(", ", keys.keySet())));
        }
        return verifies(signedBytes(head), head.getSignature(), key)
                ? Optional.empty()
                : Optional.of(AuditFault.of(FaultCode.HEAD_FORGED, location, head));
    }

    /**
     * The bytes that the signature of a chain head covers: the string {@code parley.audit-head.v1}, the chain, the
     * sequence (8 bytes), the hash of the record (32), the time in milliseconds since the epoch (8), and the ID of the
     * key. Numbers are big-endian; strings are UTF-8 after a length of four bytes.
     *
     * @param head a chain head with a key ID
     */
    public static byte[] signedBytes(AuditHead head) {
        HashBuffer buffer = new HashBuffer();
        buffer.text(DOMAIN);
        buffer.text(head.getChain());
        buffer.number(head.getSequence());
        buffer.bytes(head.getHash());
        buffer.number(head.getTime().toEpochMilli());
        buffer.text(head.getKeyId());
        return buffer.toBytes();
    }

    /** The fault in the signature of a manifest; empty if it is valid or there are no keys. */
    Optional<AuditFault> check(AuditManifest manifest, RecordLocation location) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        String keyId = manifest.getKeyId();
        PublicKey key = keyId == null || manifest.getSignature() == null ? null : keys.get(keyId);
        if (key == null) {
            return Optional.of(AuditFault.withoutChain(
                    FaultCode.MANIFEST_UNSIGNED,
                    location,
                    Journals.name(manifest) + " is "
                            + (keyId == null ? "not signed" : "signed by key " + keyId)
                            + ", but the given keys are " + String.join(", ", keys.keySet())));
        }
        return verifies(Manifests.signedBytes(manifest), manifest.getSignature(), key)
                ? Optional.empty()
                : Optional.of(AuditFault.withoutChain(
                        FaultCode.MANIFEST_FORGED,
                        location,
                        "the signature of " + Journals.name(manifest) + " is invalid"));
    }

    private static boolean verifies(byte[] signed, ByteBuffer signature, PublicKey key) {
        try {
            Signature ed25519 = Signature.getInstance(HeadSigner.ALGORITHM);
            ed25519.initVerify(key);
            ed25519.update(signed);
            return ed25519.verify(Journal.bytes(signature));
        } catch (java.security.SignatureException e) {
            // The bytes do not have the form of a signature.
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(HeadSigner.ALGORITHM + " is missing from this Java runtime", e);
        }
    }
}
