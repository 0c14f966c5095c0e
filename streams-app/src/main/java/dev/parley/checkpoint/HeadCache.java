package dev.parley.checkpoint;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The states in use: the least recently used go when their bytes exceed the bound. Shared structure counts for each state that shares it. */
final class HeadCache {
    private static final long OVERHEAD = 256;

    private final LinkedHashMap<CheckpointKey, Head> heads = new LinkedHashMap<>(16, 0.75f, true);
    private final long mostBytes;
    private long bytes;

    HeadCache(long mostBytes) {
        this.mostBytes = mostBytes;
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
        while (bytes > mostBytes && heads.size() > 1) {
            bytes -= size(eldest.next().getValue());
            eldest.remove();
        }
    }

    void clear() {
        heads.clear();
        bytes = 0;
    }

    private static long size(Head head) {
        return head.stateBytes() + OVERHEAD;
    }
}
