package dev.parley.codec;

import java.util.ArrayList;
import java.util.List;

/** Collects codes, each once, in order; takes no memory while there are none. For use by decoders. */
public final class Warnings {
    private List<Code> codes = List.of();

    /** Adds a code unless it is there already. */
    public void add(Code code) {
        if (codes.isEmpty()) {
            codes = new ArrayList<>(4);
        } else if (codes.contains(code)) {
            return;
        }
        codes.add(code);
    }

    /** The codes so far; not to be changed. */
    public List<Code> codes() {
        return codes;
    }
}
