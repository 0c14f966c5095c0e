package dev.parley.audit;

import dev.parley.avro.AuditHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Selects the chain head of each chain from the records of the head topic: the one with the highest sequence. A later
 * record with a lower sequence or no signature is a fault. Not thread-safe.
 */
public final class PublishedHeads {
    private final boolean keyed;
    private final Map<String, Published> heads = new HashMap<>();

    private record Published(AuditHead head, Place place) {}

    /**
     * Creates an empty selection.
     *
     * @param keyed whether heads require signatures
     */
    public PublishedHeads(boolean keyed) {
        this.keyed = keyed;
    }

    /**
     * Adds the next record.
     *
     * @return its faults
     */
    public List<Fault> take(String key, AuditHead head, Place place) {
        List<Fault> faults = new ArrayList<>(0);
        String chain = head.getChain();
        if (!chain.equals(key)) {
            faults.add(Fault.of(FaultCode.KEY_CHANGED, place, chain, head.getSequence()));
        }
        Published before = heads.get(chain);
        if (before == null) {
            heads.put(chain, new Published(head, place));
        } else if (head.getSequence() < before.head.getSequence()) {
            faults.add(new Fault(
                    FaultCode.HEAD_REPLAYED,
                    place,
                    chain,
                    head.getSequence(),
                    "the head at sequence " + before.head.getSequence() + " was published earlier, at "
                            + before.place));
        } else if (keyed && before.head.getSignature() != null && head.getSignature() == null) {
            faults.add(new Fault(
                    FaultCode.HEAD_UNSIGNED,
                    place,
                    chain,
                    head.getSequence(),
                    "the head is not signed, but the previous one at " + before.place + " is"));
        } else if (head.getSequence() == before.head.getSequence()
                && !head.getHash().equals(before.head.getHash())) {
            faults.add(new Fault(
                    FaultCode.HEAD_MISMATCH,
                    place,
                    chain,
                    head.getSequence(),
                    "the head with the same sequence at " + before.place + " has another hash"));
        } else {
            heads.put(chain, new Published(head, place));
        }
        return faults;
    }

    /** The fault of a record without a value, which Parley never writes. */
    public Fault removed(String chain, Place place) {
        return Fault.of(FaultCode.HEAD_REMOVED, place, chain, -1);
    }

    /** Passes the selected heads to a consumer, in no particular order. */
    public void forEach(BiConsumer<AuditHead, Place> each) {
        heads.values().forEach(published -> each.accept(published.head, published.place));
    }
}
