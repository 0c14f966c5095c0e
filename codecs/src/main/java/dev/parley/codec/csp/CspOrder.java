package dev.parley.codec.csp;

import java.util.Arrays;
import java.util.List;

/** Remembers in which order keys stand, to tell whether it is the document's. */
final class CspOrder {
    private String[] names = new String[8];
    private int size;
    private int lastRank = -1;
    private boolean documents = true;

    /** Adds the next key. The order is the document's as long as no key has a lower rank than the one before it. */
    void add(int rank, String name) {
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
        }
        names[size++] = name;
        documents &= rank >= lastRank;
        lastRank = rank;
    }

    /** The keys in wire order, or none when that is the document's order. */
    List<String> wireOrder() {
        return documents ? List.of() : List.of(Arrays.copyOf(names, size));
    }
}
