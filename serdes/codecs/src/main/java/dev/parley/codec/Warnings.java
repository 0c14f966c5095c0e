package dev.parley.codec;

import java.util.ArrayList;
import java.util.List;

/** Collects codes, each once, in order. Allocates nothing while empty. For decoders. */
public final class Warnings {
    private List<Code> codes = List.of();

    /** Joins two lists of distinct codes, each code once, in order; returns one of the lists if the other is empty. */
    public static List<Code> union(List<Code> first, List<Code> second) {
        if (second.isEmpty()) {
            return first;
        }
        if (first.isEmpty()) {
            return second;
        }
        Warnings all = new Warnings();
        first.forEach(all::add);
        second.forEach(all::add);
        return all.codes();
    }

    /** Adds a code to a collection, which is created if it is null. */
    public static Warnings with(Warnings before, Code code) {
        Warnings codes = before == null ? new Warnings() : before;
        codes.add(code);
        return codes;
    }

    /** The codes of a collection, unmodifiable; none for null. */
    public static List<Code> listed(Warnings codes) {
        return codes == null ? List.of() : codes.codes();
    }

    /** Adds a code unless it is present; null adds nothing. */
    public void add(Code code) {
        if (code == null || codes.contains(code)) {
            return;
        }
        if (codes.isEmpty()) {
            codes = new ArrayList<>(4);
        }
        codes.add(code);
    }

    /** The codes so far, unmodifiable. */
    public List<Code> codes() {
        return codes;
    }
}
