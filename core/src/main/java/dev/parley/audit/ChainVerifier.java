package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks audit records, chain by chain, as they come: sequence numbers without gaps, each hash tied to the one before, payload, content and hash of each right, a deciding
 * code on everything but what was accepted; and the published heads. Keeps one {@link Chain} for each chain, and one entry for each fault and each redaction. Not for
 * several threads at once.
 */
public final class ChainVerifier {
    private final AuditChain hashes = new AuditChain();
    private final Map<String, Chain> chains = new HashMap<>();
    private final Redactions redactions = new Redactions();
    private final Extent extent;
    private final List<Fault> found = new ArrayList<>(2);
    private long records;
    private long heads;
    private long elsewhere;

    /** What the records are that a verifier gets. */
    public interface Extent {
        /** All of them. */
        Extent WHOLE = new Extent() {
            @Override
            public boolean mayBeginLate(Place place) {
                return false;
            }

            @Override
            public boolean mayEndEarly() {
                return false;
            }
        };

        /** Whether a chain may have its first record here, though its sequence is not 0: what came before it has expired, or was not asked for. */
        boolean mayBeginLate(Place place);

        /** Whether chains may end before their heads. */
        boolean mayEndEarly();

        /** Whether the records of all chains are there, so that journals can be recomputed. */
        default boolean hasWholeJournals() {
            return !mayEndEarly();
        }
    }

    /** A verifier of whole chains. */
    public ChainVerifier() {
        this(Extent.WHOLE);
    }

    /** A verifier of what is there. */
    public ChainVerifier(Extent extent) {
        this.extent = extent;
    }

    /** {@link #check(AuditRecord, Place)} of a record whose place nobody needs. */
    public List<Fault> check(AuditRecord link) {
        return check(link, Place.NONE);
    }

    /**
     * Checks the next record.
     *
     * @param link the next record of any chain, those of one chain in order
     * @param place where it was read
     * @return what is wrong with it; empty when nothing is
     */
    public List<Fault> check(AuditRecord link, Place place) {
        found.clear();
        records++;
        String name = link.getChain();
        Chain chain = chains.computeIfAbsent(name, Chain::new);
        if (!chain.started() && link.getSequence() > 0 && extent.mayBeginLate(place)) {
            chain.beginAt(link);
        }
        FaultCode order = chain.next(link, place);
        if (order != null) {
            String detail = order == FaultCode.RECORD_MISSING
                    ? "expected sequence " + chain.expected() + " here, so " + (link.getSequence() - chain.expected())
                            + " are missing before it"
                    : order.meaning();
            found.add(new Fault(order, place, name, link.getSequence(), detail));
        }
        boolean whole = checkAlone(link, place);
        compare(chain, place);
        redactions.see(link, place, whole);
        return List.copyOf(found);
    }

    /**
     * Takes a published head. It may come before the records of its chain, or right behind the record that it names.
     *
     * @param head a head
     * @param place where it was read
     * @return what is wrong with it as far as the records have come
     */
    public List<Fault> head(AuditHead head, Place place) {
        found.clear();
        heads++;
        Chain chain = chains.computeIfAbsent(head.getChain(), Chain::new);
        if (head.getSequence() < chain.last()) {
            found.add(Fault.of(FaultCode.HEAD_MOVED, place, head.getChain(), head.getSequence()));
        } else {
            chain.expect(head, place);
            compare(chain, place);
        }
        return List.copyOf(found);
    }

    /** Notes that the signature of a head is right. */
    void proven(AuditHead head) {
        chains.computeIfAbsent(head.getChain(), Chain::new).proven(head);
    }

    /**
     * Says that everything has come.
     *
     * @return what is wrong with the ends of the chains
     */
    public List<Fault> finish() {
        found.clear();
        for (Chain chain : chains.values()) {
            if (chain.awaitsHead() && !extent.mayEndEarly()) {
                if (!chain.started()) {
                    if (!extent.mayBeginLate(Place.NONE)) {
                        found.add(Fault.of(
                                FaultCode.CHAIN_MISSING, chain.headPlace(), chain.name(), chain.headSequence()));
                    }
                } else {
                    found.add(new Fault(
                            FaultCode.TAIL_CUT,
                            chain.place(),
                            chain.name(),
                            chain.last(),
                            "the chain ends here; its head was published at sequence " + chain.headSequence()));
                }
            }
        }
        if (!extent.mayEndEarly()) {
            redactions.unproven().forEach(found::add);
        }
        return List.copyOf(found);
    }

    /**
     * The redactions that name no record, to be asked when {@link Redactions#locate} has had all records again.
     *
     * @return notices
     */
    public List<Fault> unfounded() {
        redactions.ignoreBefore(
                name -> chains.containsKey(name) ? chains.get(name).first() : 0);
        return redactions.unfounded();
    }

    /** Number of records checked. */
    public long records() {
        return records;
    }

    /** Number of heads taken. */
    public long heads() {
        return heads;
    }

    /** Number of records whose payload was larger than a message may be, so that only the input topic has it. */
    public long payloadsElsewhere() {
        return elsewhere;
    }

    /** What was redacted. */
    public Redactions redactions() {
        return redactions;
    }

    /** Number of chains seen. */
    public int chains() {
        return (int) chains.values().stream().filter(Chain::started).count();
    }

    /** A chain of which records have come. */
    public Optional<Chain> chain(String name) {
        return Optional.ofNullable(chains.get(name)).filter(Chain::started);
    }

    /** The chains seen, and those of heads alone, in no order. */
    public Collection<Chain> all() {
        return List.copyOf(chains.values());
    }

    private void compare(Chain chain, Place place) {
        if (chain.isAtHead()) {
            if (!chain.meetsHead()) {
                found.add(Fault.of(FaultCode.HEAD_MISMATCH, place, chain.name(), chain.headSequence()));
            }
            chain.passHead();
        }
    }

    /** Checks what one record says; whether its content is that of its content hash, and its hash that of its fields. */
    private boolean checkAlone(AuditRecord link, Place place) {
        ByteBuffer raw = link.getMessage() != null ? link.getMessage().getRaw() : link.getRaw();
        boolean redacted = Redactions.isRedactedCopy(link);
        if (raw != null) {
            if (!hashes.payloadHash(raw).equals(link.getPayloadHash())) {
                add(FaultCode.PAYLOAD_CHANGED, link, place);
            }
        } else if (!redacted && !hasNone(link)) {
            if (link.getVerdict() == Verdict.UNDECODABLE) {
                // Larger than a message may be; the input topic has it.
                elsewhere++;
            } else {
                add(FaultCode.PAYLOAD_MISSING, link, place);
            }
        }
        if (link.getOmitted() != null && !link.getOmitted().getSha256().equals(link.getPayloadHash())) {
            add(FaultCode.PAYLOAD_CHANGED, link, place);
        }
        boolean whole = !redacted && link.getContentHash() != null;
        if (whole && !hashes.contentHash(link).equals(link.getContentHash())) {
            add(FaultCode.CONTENT_CHANGED, link, place);
            whole = false;
        }
        if (link.getContentHash() == null && link.getRedacted() != null && !redacted) {
            // Records of version 0.1.0 have no content hash, so nothing else shows that the copy was written anew.
            add(FaultCode.CONTENT_CHANGED, link, place);
        }
        if (!hashes.hash(link).equals(link.getHash())) {
            add(FaultCode.RECORD_CHANGED, link, place);
        } else if ((link.getVerdict() == Verdict.ACCEPTED) != (link.getCode() == null)) {
            // The hash takes codes and warnings as one list, so the verdict alone says whether the first of them
            // decided.
            add(FaultCode.VERDICT_CHANGED, link, place);
        } else {
            return whole;
        }
        return false;
    }

    /** Whether the input record had no value. */
    private boolean hasNone(AuditRecord link) {
        return hashes.payloadHash(ByteBuffer.allocate(0)).equals(link.getPayloadHash());
    }

    private void add(FaultCode code, AuditRecord link, Place place) {
        found.add(Fault.of(code, place, link.getChain(), link.getSequence()));
    }
}
