package dev.parley.audit;

import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a whole audit trail as it comes: the chains, that no input record was recorded twice, the published heads and their signatures. Memory grows with the number of
 * chains and input partitions, as {@link ChainVerifier} and {@link InputOffsets} say, and not with that of records. Not for several threads at once.
 */
public final class AuditTrail {
    private final ChainVerifier chains;
    private final HeadKeys keys;
    private final Journals journals;
    private final Extent extent;
    private final Map<InputPartition, InputOffsets> inputs = new HashMap<>();
    private long signed;
    private long begunLate;
    private long deleted;

    /**
     * A trail of which nothing has come as yet.
     *
     * @param extent what will come
     * @param keys who may have signed heads
     */
    public AuditTrail(Extent extent, HeadKeys keys) {
        this.chains = new ChainVerifier(extent);
        this.journals = new Journals(extent, keys);
        this.extent = extent;
        this.keys = keys;
    }

    /**
     * Takes the next record.
     *
     * @return what is wrong with it
     */
    public List<Fault> record(AuditRecord link, Place place) {
        List<Fault> faults = chains.check(link, place);
        for (Fault fault : faults) {
            if (fault.code() == FaultCode.RECORD_REPEATED) {
                // Then its input is repeated as well, which says nothing new.
                return faults;
            }
        }
        List<Fault> more = journal(link, place);
        return more.isEmpty() ? input(link, place, faults) : input(link, place, with(faults, more));
    }

    private List<Fault> journal(AuditRecord link, Place place) {
        Chain chain = chains.chain(link.getChain()).orElseThrow();
        JournalPosition position = link.getJournal();
        boolean absent = position == null && chain.journaled() && link.getSequence() == chain.last();
        chain.journal(link.getSequence(), position != null, position != null && journals.covers(position));
        if (absent) {
            return List.of(Fault.of(FaultCode.JOURNAL_ABSENT, place, link.getChain(), link.getSequence()));
        }
        return journals.record(link, place);
    }

    private List<Fault> input(AuditRecord link, Place place, List<Fault> faults) {
        Source source = link.getSource();
        if (!InputOffsets.isPossible(source.getOffset())) {
            return with(
                    faults,
                    new Fault(
                            FaultCode.UNREADABLE,
                            place,
                            link.getChain(),
                            link.getSequence(),
                            "no partition has an offset " + source.getOffset()));
        }
        if (link.getUnread() != null) {
            // It tells of inputs that no chain will have; none of them was recorded.
            deleted += Math.max(0, link.getUnread());
            return faults;
        }
        InputPosition position = InputPosition.of(source);
        InputOffsets offsets = inputs.computeIfAbsent(position.inputPartition(), partition -> new InputOffsets());
        return offsets.add(position.offset())
                ? faults
                : with(
                        faults,
                        new Fault(
                                FaultCode.INPUT_REPEATED,
                                place,
                                link.getChain(),
                                link.getSequence(),
                                position + " was recorded before"));
    }

    /**
     * Takes a published head: before the records of its chain, or right behind the one that it names.
     *
     * @return what is wrong with it
     */
    public List<Fault> head(AuditHead head, Place place) {
        Optional<Fault> fault = keys.check(head, place);
        if (fault.isPresent() && fault.get().code() == FaultCode.HEAD_FORGED) {
            // What it says is nobody's word.
            return List.of(fault.get());
        }
        signed += head.getSignature() == null ? 0 : 1;
        List<Fault> faults = chains.head(head, place);
        if (fault.isEmpty()) {
            chains.proven(head);
        }
        return fault.isPresent() ? with(faults, fault.get()) : faults;
    }

    /**
     * Takes a manifest that was stored elsewhere, and that the trail must continue; before any published one.
     *
     * @return what is wrong with it
     */
    public List<Fault> stored(AuditManifest manifest, Place place) {
        return journals.stored(manifest, place);
    }

    /**
     * Takes the next published manifest of any journal; before all records.
     *
     * @return what is wrong with it
     */
    public List<Fault> manifest(AuditManifest manifest, Place place) {
        return journals.manifest(manifest, place);
    }

    /** The journals. */
    public Journals journals() {
        return journals;
    }

    /**
     * Says that everything has come.
     *
     * @return what is wrong with the ends of the chains
     */
    public List<Fault> finish() {
        begunLate = chains.all().stream()
                .filter(chain -> chain.started() && chain.first() > 0)
                .count();
        List<Fault> faults = with(chains.finish(), journals.finish());
        return keys.isEmpty() || extent.mayEndEarly() ? faults : with(faults, chainsWithoutHead());
    }

    private List<Fault> chainsWithoutHead() {
        boolean manifests = journals.anyManifest();
        return chains.all().stream()
                .filter(chain -> chain.lacksHead(manifests))
                .map(chain -> new Fault(
                        FaultCode.HEAD_MISSING,
                        chain.place(),
                        chain.name(),
                        chain.last(),
                        chain.provenHead() < 0
                                ? "the chain has no valid published head"
                                : "the valid published head is at sequence " + chain.provenHead()
                                        + ", and later records must have one"))
                .toList();
    }

    /** The input offsets that were recorded, by input partition. */
    public Map<InputPartition, InputOffsets> inputs() {
        return Collections.unmodifiableMap(inputs);
    }

    /** Number of input offsets that the chains record as deleted before they were read. */
    public long deleted() {
        return deleted;
    }

    /** The chains. */
    public ChainVerifier chains() {
        return chains;
    }

    /** Number of heads with a signature. */
    public long signedHeads() {
        return signed;
    }

    /** Number of chains whose first record is not there; known at the end. */
    public long begunLate() {
        return begunLate;
    }

    private static List<Fault> with(List<Fault> faults, List<Fault> more) {
        List<Fault> all = new ArrayList<>(faults);
        all.addAll(more);
        return List.copyOf(all);
    }

    private static List<Fault> with(List<Fault> faults, Fault more) {
        List<Fault> all = new ArrayList<>(faults);
        all.add(more);
        return List.copyOf(all);
    }
}
