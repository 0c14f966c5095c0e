package dev.parley.audit;

import dev.parley.avro.AuditHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The head of each chain that counts, from the records of the head topic as they come: the one of the highest sequence. Whatever replaces it by less is a fault. Not thread-safe. */
public final class PublishedHeads {
    private final boolean keyed;
    private final Map<String, Published> heads = new HashMap<>();

    private record Published(AuditHead head, Place place) {}

    /**
     * None yet.
     *
     * @param keyed whether heads must be signed
     */
    public PublishedHeads(boolean keyed) {
        this.keyed = keyed;
    }

    /**
     * Takes the next record.
     *
     * @return what is wrong with it
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
                    "the head at sequence " + before.head.getSequence() + " was published before, at " + before.place));
        } else if (keyed && before.head.getSignature() != null && head.getSignature() == null) {
            faults.add(new Fault(
                    FaultCode.HEAD_UNSIGNED,
                    place,
                    chain,
                    head.getSequence(),
                    "the head is not signed, and the one before it is, at " + before.place));
        } else if (head.getSequence() == before.head.getSequence()
                && !head.getHash().equals(before.head.getHash())) {
            faults.add(new Fault(
                    FaultCode.HEAD_MISMATCH,
                    place,
                    chain,
                    head.getSequence(),
                    "the head of that sequence at " + before.place + " has another hash"));
        } else {
            heads.put(chain, new Published(head, place));
        }
        return faults;
    }

    /** A record without value: Parley writes none. */
    public Fault removed(String chain, Place place) {
        return Fault.of(FaultCode.HEAD_REMOVED, place, chain, -1);
    }

    /** Gives the heads that count to a consumer, in no order. */
    public void forEach(BiConsumer<AuditHead, Place> each) {
        heads.values().forEach(published -> each.accept(published.head, published.place));
    }
}
