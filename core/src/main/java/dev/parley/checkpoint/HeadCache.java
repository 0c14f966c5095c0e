package dev.parley.checkpoint;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The states in use: the least recently used go when they take more than their share of a budget. Shared structure
 * counts for each state that shares it, so they take less than is counted.
 */
final class HeadCache {
    /** What the objects of a head take, about, its key among them. */
    private static final long HEAD_BYTES = 512;

    /** What the objects of a definition take, about, beside its bytes. */
    private static final long DEFINITION_BYTES = 160;

    private final LinkedHashMap<CheckpointKey, Head> heads = new LinkedHashMap<>(16, 0.75f, true);
    private final HeadBudget budget;
    private long bytes;

    HeadCache(HeadBudget budget) {
        this.budget = budget;
        budget.join(this);
    }

    /** The head of this key; null when it is not in memory. */
    Head get(CheckpointKey key) {
        return heads.get(key);
    }

    void remove(CheckpointKey key) {
        Head head = heads.remove(key);
        bytes -= head == null ? 0 : size(head);
    }

    /** Keeps a head; it stays whatever its size until another is kept. */
    void put(CheckpointKey key, Head head) {
        Head before = heads.put(key, head);
        bytes += size(head) - (before == null ? 0 : size(before));
        Iterator<Map.Entry<CheckpointKey, Head>> eldest = heads.entrySet().iterator();
        long most = budget.share();
        while (bytes > most && heads.size() > 1) {
            bytes -= size(eldest.next().getValue());
            eldest.remove();
        }
    }

    void clear() {
        heads.clear();
        bytes = 0;
    }

    private static long size(Head head) {
        return HEAD_BYTES + head.stateBytes() + DEFINITION_BYTES * head.state().size();
    }
}
