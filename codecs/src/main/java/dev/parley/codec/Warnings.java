package dev.parley.codec;

import java.util.ArrayList;
import java.util.List;

/** Collects codes, each once, in order. Allocates nothing while empty. For decoders. */
public final class Warnings {
    private List<Code> codes = List.of();

    /** Adds a code unless it is present. */
    public void add(Code code) {
        if (codes.isEmpty()) {
            codes = new ArrayList<>(4);
        } else if (codes.contains(code)) {
            return;
        }
        codes.add(code);
    }

    /** The codes so far, unmodifiable. */
    public List<Code> codes() {
        return codes;
    }
}
