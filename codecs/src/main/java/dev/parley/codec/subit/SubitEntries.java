package dev.parley.codec.subit;

import dev.parley.avro.SubitEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The keys of one object that the protocol does not name, in wire order; takes no memory while there are none. */
final class SubitEntries {
    private Set<String> keys = Set.of();
    private List<SubitEntry> entries = List.of();

    /** Adds an entry; false when its key is there already. */
    boolean add(String key, String value, boolean json) {
        if (entries.isEmpty()) {
            keys = new HashSet<>();
            entries = new ArrayList<>(4);
        }
        entries.add(new SubitEntry(key, value, json));
        return keys.add(key);
    }

    /** The entries so far. */
    List<SubitEntry> list() {
        return entries;
    }
}
