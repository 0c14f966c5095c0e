package dev.parley.log.tlog;

import java.util.List;

/**
 * Result of verifying a note with trusted keys (C2SP signed-note, "Signatures").
 *
 * @param valid valid signatures of trusted keys
 * @param forged signatures with name and ID of a trusted key that it did not make
 */
public record NoteVerification(List<Signed> valid, List<NoteSignature> forged) {
    /**
     * A valid signature.
     *
     * @param key trusted key
     * @param signature signature
     */
    public record Signed(VerifierKey key, NoteSignature signature) {}

    /** Whether a trusted key signed the text, and no signature is forged. Otherwise, the text must be ignored. */
    public boolean isSigned() {
        return !isForged() && !valid.isEmpty();
    }

    /** Whether a signature is forged. */
    public boolean isForged() {
        return !forged.isEmpty();
    }
}
