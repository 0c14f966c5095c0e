package dev.parley.log.tlog;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rule for trusting a tree head: at least {@code quorum} of the witnesses cosigned it (C2SP tlog-policy with one
 * group).
 *
 * @param witnesses verifier keys of cosigners, each public key once
 * @param quorum from 1 to the number of witnesses; 0 if no cosignature is required
 */
public record WitnessPolicy(List<VerifierKey> witnesses, int quorum) {
    /** Requires no cosignature. */
    public static final WitnessPolicy NONE = new WitnessPolicy(List.of(), 0);

    /**
     * Creates a policy.
     *
     * @throws IllegalArgumentException if a key is not of a cosigner, occurs twice even under different names, or the
     *     quorum is out of range
     */
    public WitnessPolicy {
        witnesses = List.copyOf(witnesses);
        for (int i = 0; i < witnesses.size(); i++) {
            VerifierKey witness = witnesses.get(i);
            if (witness.type() != VerifierKey.COSIGNATURE) {
                throw new IllegalArgumentException("the key of witness " + witness.name()
                        + " must be an Ed25519 key of a cosigner (type 4), as the witness prints it at its start, but has"
                        + " type " + witness.type());
            }
            // The cosigned message does not contain the name, so one key could pass for two witnesses.
            for (VerifierKey other : witnesses.subList(0, i)) {
                if (Arrays.equals(other.key(), witness.key())) {
                    throw new IllegalArgumentException(
                            "the witnesses " + other.name() + " and " + witness.name() + " must have different keys");
                }
            }
        }
        if (quorum < 0 || quorum > witnesses.size()) {
            throw new IllegalArgumentException(
                    "the quorum must be from 0 to the " + witnesses.size() + " witnesses, but was " + quorum);
        }
    }

    /** The witnesses with a valid cosignature of a note, each once. */
    public List<VerifierKey> cosigners(SignedNote note) {
        return cosigners(note.verify(witnesses));
    }

    /** The witnesses with a valid cosignature in a verification that used their keys, each once. */
    public List<VerifierKey> cosigners(NoteVerification verification) {
        return witnesses.stream()
                .filter(witness -> verification.valid().stream().anyMatch(signed -> signed.key() == witness))
                .toList();
    }

    /** Whether a note has the quorum. Valid cosignatures count even if another one is forged. */
    public boolean accepts(SignedNote note) {
        return quorum == 0 || cosigners(note).size() >= quorum;
    }

    /** The rule, such as "2 of the 3 witnesses w1, w2, w3". */
    @Override
    public String toString() {
        return quorum + " of the " + witnesses.size() + " witnesses "
                + witnesses.stream().map(VerifierKey::name).collect(Collectors.joining(", "));
    }
}
