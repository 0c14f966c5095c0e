package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
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
    private final Map<InputPartition, InputOffsets> inputs = new HashMap<>();
    private long signed;
    private long begunLate;
    private long deleted;

    /**
     * A partition of an input topic.
     *
     * @param topic its topic
     * @param partition its number
     */
    public record InputPartition(String topic, int partition) {
        @Override
        public String toString() {
            return topic + "-" + partition;
        }
    }

    /**
     * A trail of which nothing has come as yet.
     *
     * @param extent what will come
     * @param keys who may have signed heads
     */
    public AuditTrail(ChainVerifier.Extent extent, HeadKeys keys) {
        this.chains = new ChainVerifier(extent);
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
        InputOffsets offsets = inputs.computeIfAbsent(
                new InputPartition(source.getTopic(), source.getPartition()), partition -> new InputOffsets());
        return offsets.add(source.getOffset())
                ? faults
                : with(
                        faults,
                        new Fault(
                                FaultCode.INPUT_REPEATED,
                                place,
                                link.getChain(),
                                link.getSequence(),
                                source.getTopic() + "-" + source.getPartition() + "@" + source.getOffset()
                                        + " was recorded before"));
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
        return fault.isPresent() ? with(faults, fault.get()) : faults;
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
        return chains.finish();
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

    private static List<Fault> with(List<Fault> faults, Fault more) {
        List<Fault> all = new ArrayList<>(faults);
        all.add(more);
        return List.copyOf(all);
    }
}
