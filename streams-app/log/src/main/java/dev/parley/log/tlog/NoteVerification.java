package dev.parley.log.tlog;

import java.util.List;

/**
 * Result of verifying a note with trusted keys (C2SP signed-note, "Signatures").
 *
 * @param valid valid signatures of trusted keys
 * @param forged signatures with name and ID of a trusted key that it did not make
 */
public record NoteVerification(List<Signed> valid, List<NoteSignature> forged) {
    /** Conclusion of a verification. */
    public enum Outcome {
        /** A trusted key signed the text, and no signature is forged. */
        SIGNED,
        /** No trusted key signed the text. */
        UNKNOWN,
        /** A signature is forged. */
        FORGED
    }

    /**
     * A valid signature.
     *
     * @param key trusted key
     * @param signature signature
     */
    public record Signed(VerifierKey key, NoteSignature signature) {}

    /** The conclusion. The text must be ignored unless it is {@link Outcome#SIGNED}. */
    public Outcome outcome() {
        if (!forged.isEmpty()) {
            return Outcome.FORGED;
        }
        return valid.isEmpty() ? Outcome.UNKNOWN : Outcome.SIGNED;
    }
}
