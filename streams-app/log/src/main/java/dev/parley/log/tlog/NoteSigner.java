package dev.parley.log.tlog;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;

/**
 * Signs notes, or cosigns tree heads, with an Ed25519 key. Thread-safe. A key pair must have one purpose: never use
 * the key of a log for a cosigner, or one key for two cosigners.
 */
public final class NoteSigner {
    private final VerifierKey verifierKey;
    private final PrivateKey key;

    private NoteSigner(VerifierKey verifierKey, PrivateKey key) {
        this.verifierKey = verifierKey;
        this.key = key;
        byte[] probe = {1};
        if (!Ed25519.verifies(verifierKey.key(), probe, Ed25519.sign(key, probe))) {
            throw new IllegalArgumentException("the public key does not belong to the private key");
        }
    }

    /**
     * Creates a signer of texts.
     *
     * @param name name of the key; for a log, the origin of its tree heads
     * @throws IllegalArgumentException if the name is not allowed, or the keys are not a pair of Ed25519 keys
     */
    public static NoteSigner of(String name, KeyPair keys) {
        return new NoteSigner(VerifierKey.of(name, keys.getPublic()), keys.getPrivate());
    }

    /**
     * Creates a cosigner.
     *
     * @throws IllegalArgumentException as for {@link #of}
     */
    public static NoteSigner cosigner(String name, KeyPair keys) {
        return new NoteSigner(VerifierKey.ofCosigner(name, keys.getPublic()), keys.getPrivate());
    }

    /** The key that verifies the signatures. */
    public VerifierKey verifierKey() {
        return verifierKey;
    }

    /**
     * Signs the text of a note.
     *
     * @throws IllegalArgumentException if the text has the form of a cosigned message
     * @throws IllegalStateException if this is a cosigner
     */
    public NoteSignature sign(String text) {
        require(VerifierKey.ED25519);
        if (text.startsWith(Cosignature.HEADER)) {
            throw new IllegalArgumentException("the text must not begin with " + Cosignature.HEADER.strip());
        }
        return signature(Ed25519.sign(key, text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Cosigns a tree head.
     *
     * @param treeHead text of the note, which is a tree head that the caller found consistent with all earlier ones
     * @param time seconds since the epoch, from 0
     * @throws IllegalArgumentException if the time is negative
     * @throws IllegalStateException if this is not a cosigner
     */
    public NoteSignature cosign(String treeHead, long time) {
        require(VerifierKey.COSIGNATURE);
        if (time < 0) {
            throw new IllegalArgumentException("the time must be >= 0, but was " + time);
        }
        return signature(Cosignature.encode(time, Ed25519.sign(key, Cosignature.message(treeHead, time))));
    }

    private NoteSignature signature(byte[] bytes) {
        return new NoteSignature(verifierKey.name(), verifierKey.keyId(), bytes);
    }

    private void require(int type) {
        if (verifierKey.type() != type) {
            throw new IllegalStateException("key " + verifierKey.name() + " has type " + verifierKey.type()
                    + ", but this signature has type " + type);
        }
    }
}
