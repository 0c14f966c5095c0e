package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks audit records, chain by chain, as they come: sequence numbers without gaps, each hash tied to the one before, each hash right, a deciding
 * code on everything but what was accepted. Keeps one sequence and one hash for each chain.
 */
public final class ChainVerifier {
    private final AuditChain hashes = new AuditChain();
    private final Map<String, Head> heads = new HashMap<>();
    private long records;

    /**
     * Checks the next record.
     *
     * @param link the next record of any chain, those of one chain in order
     * @return what is wrong with it, in one sentence that names its place; empty when nothing is
     */
    public Optional<String> check(AuditRecord link) {
        records++;
        Head head = heads.getOrDefault(link.getChain(), Head.START);
        String place = link.getChain() + " at sequence " + link.getSequence();
        if (link.getSequence() != head.next()) {
            return Optional.of(place + ": expected sequence " + head.next());
        }
        heads.put(link.getChain(), new Head(link.getSequence() + 1, link.getHash()));
        if (!link.getPreviousHash().equals(head.hash())) {
            return Optional.of(place + ": its previous hash is not the hash of the record before");
        }
        ByteBuffer raw = link.getMessage() != null ? link.getMessage().getRaw() : link.getRaw();
        if (raw != null && !hashes.payloadHash(raw).equals(link.getPayloadHash())) {
            return Optional.of(place + ": its payload does not have the payload hash");
        }
        if (!hashes.hash(link).equals(link.getHash())) {
            return Optional.of(place + ": its hash does not fit its fields");
        }
        if ((link.getVerdict() == Verdict.ACCEPTED) != (link.getCode() == null)) {
            // The hash takes codes and warnings as one list, so the verdict alone says whether the first of them
            // decided.
            return Optional.of(place + ": its verdict and its code contradict each other");
        }
        return Optional.empty();
    }

    /** Number of records checked. */
    public long records() {
        return records;
    }

    /** Number of chains seen. */
    public int chains() {
        return heads.size();
    }

    private record Head(long next, ByteBuffer hash) {
        static final Head START = new Head(0, AuditChain.genesis());
    }
}
