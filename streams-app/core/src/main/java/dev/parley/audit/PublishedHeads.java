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

    private record Published(AuditHead head, RecordLocation location) {}

    /**
     * Creates an empty selection.
     *
     * @param keyed whether heads require signatures
     */
    public PublishedHeads(boolean keyed) {
        this.keyed = keyed;
    }

    /** Adds the next record. */
    public List<AuditFault> take(String key, AuditHead head, RecordLocation location) {
        List<AuditFault> faults = new ArrayList<>(0);
        String chain = head.getChain();
        if (!chain.equals(key)) {
            faults.add(AuditFault.of(FaultCode.KEY_CHANGED, location, head));
        }
        Published before = heads.get(chain);
        if (before == null) {
            heads.put(chain, new Published(head, location));
        } else if (head.getSequence() < before.head.getSequence()) {
            faults.add(AuditFault.of(
                    FaultCode.HEAD_REPLAYED,
                    location,
                    head,
                    "the head at sequence " + before.head.getSequence() + " was published earlier, at "
                            + before.location));
        } else if (keyed && before.head.getSignature() != null && head.getSignature() == null) {
            faults.add(AuditFault.of(
                    FaultCode.HEAD_UNSIGNED,
                    location,
                    head,
                    "the head is not signed, but the previous one at " + before.location + " is"));
        } else if (head.getSequence() == before.head.getSequence()
                && !head.getHash().equals(before.head.getHash())) {
            faults.add(AuditFault.of(
                    FaultCode.HEAD_MISMATCH,
                    location,
                    head,
                    "the head with the same sequence at " + before.location + " has another hash"));
        } else {
            heads.put(chain, new Published(head, location));
        }
        return faults;
    }

    /** The fault of a record without a value, which Parley never writes. */
    public AuditFault removed(String chain, RecordLocation location) {
        return AuditFault.of(FaultCode.HEAD_REMOVED, location, chain, -1);
    }

    /** Passes the selected heads to a consumer, in no particular order. */
    public void forEach(BiConsumer<AuditHead, RecordLocation> each) {
        heads.values().forEach(published -> each.accept(published.head, published.location));
    }
}
