package dev.parley.demo;

import dev.parley.cli.api.ApiClient;
import dev.parley.log.TrustedKey;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TlogProof;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.ProofCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The proof of one message, as the HTTP API serves it.
 *
 * @param proof contains the audit record
 */
record MessageProof(TlogProof proof) {
    /** Heads are published every second, but the views may be behind. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Path of the proof of a message. */
    static String path(String conversation, long sequence) {
        return conversation + "/messages/" + sequence + "/proof";
    }

    /** Fetches a proof from the HTTP API. */
    static MessageProof fetch(ApiClient api, String path) throws InterruptedException {
        try {
            return new MessageProof(TlogProof.parse(api.bytes(path, TIMEOUT)));
        } catch (TlogFormatException e) {
            throw new IllegalStateException("the HTTP API returned no proof: " + e.getMessage(), e);
        }
    }

    /** A copy with another text in the audit record. */
    MessageProof with(String text, String replacement) {
        String record = new String(proof.extra().orElseThrow(), StandardCharsets.UTF_8);
        byte[] changed = record.replace(text, replacement).getBytes(StandardCharsets.UTF_8);
        return new MessageProof(
                new TlogProof(Optional.of(changed), proof.index(), proof.hashes(), proof.note(), proof.treeHead()));
    }

    /** Why {@code parley prove --check} refuses the proof; empty if it proves the message. */
    Optional<String> refusal(List<VerifierKey> keys) {
        try {
            ProofCheck.check(proof.toBytes(), TrustedKey.present(keys), WitnessPolicy.NONE, Optional.empty());
            return Optional.empty();
        } catch (ProofCheck.NotProvenException | TlogFormatException e) {
            return Optional.of(e.getMessage());
        }
    }
}
