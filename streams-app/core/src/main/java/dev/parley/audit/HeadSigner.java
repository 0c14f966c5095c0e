package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;

/** Signs chain heads and manifests with an Ed25519 key. Not thread-safe. */
public final class HeadSigner {
    /** The algorithm of keys and signatures. */
    public static final String ALGORITHM = "Ed25519";

    private final Signature signature;
    private final String keyId;

    /**
     * Creates a signer.
     *
     * @param keys an Ed25519 key pair
     * @throws IllegalArgumentException if the keys do not match or are not Ed25519 keys
     */
    public HeadSigner(KeyPair keys) {
        keyId = HeadSignatureVerifier.idOf(keys.getPublic());
        byte[] probe = {1};
        try {
            signature = Signature.getInstance(ALGORITHM);
            signature.initSign(keys.getPrivate());
            signature.update(probe);
            byte[] signed = signature.sign();
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(keys.getPublic());
            check.update(probe);
            if (!check.verify(signed)) {
                throw new IllegalArgumentException("the public key does not belong to the private key");
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the keys must be keys of " + ALGORITHM + ": " + e.getMessage(), e);
        }
    }

    /** ID of the key; see {@link HeadSignatureVerifier#idOf}. */
    public String keyId() {
        return keyId;
    }

    /** Sets the key ID and signature of a chain head whose other fields are set. */
    public void sign(AuditHead head) {
        head.setKeyId(keyId);
        head.setSignature(signature(HeadSignatureVerifier.signedBytes(head)));
    }

    /** Sets the key ID and signature of a manifest whose other fields are set. */
    public void sign(AuditManifest manifest) {
        manifest.setKeyId(keyId);
        manifest.setSignature(signature(Manifests.signedBytes(manifest)));
    }

    private ByteBuffer signature(byte[] bytes) {
        try {
            signature.update(bytes);
            return ByteBuffer.wrap(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the signing key no longer works", e);
        }
    }
}
