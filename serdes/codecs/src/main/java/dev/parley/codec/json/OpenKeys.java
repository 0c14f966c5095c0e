package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds keys that are repeated in their object. Stacks the keys of all open objects; the last ones are those of the
 * innermost object.
 *
 * <p>Compares up to {@value #FEW} keys of an object pairwise on the wire, and puts more keys into a set of their texts.
 * The set bounds the time for keys with colliding hashes, too.
 */
final class OpenKeys {
    private static final int FEW = 24;

    private final byte[] wire;
    /** Alternating: index of the first byte of a key, and index after its last. */
    private int[] bounds = new int[16];

    private int count;
    private boolean escapes;

    OpenKeys(byte[] wire) {
        this.wire = wire;
    }

    /** Number of keys of all open objects. */
    int count() {
        return count;
    }

    /** Adds a key of the innermost object. */
    void add(int from, int to, boolean escaped) {
        if (2 * count == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        bounds[2 * count] = from;
        bounds[2 * count + 1] = to;
        count++;
        escapes |= escaped;
    }

    /**
     * Removes the keys of the innermost object.
     *
     * @param first number of keys before the object was opened
     * @return index of the first byte of the first repeated key; -1 if there is none
     */
    int close(int first) {
        int repeated = escapes || count - first > FEW ? repeatedText(first) : repeatedBytes(first);
        count = first;
        return repeated;
    }

    private int repeatedBytes(int first) {
        for (int key = first + 1; key < count; key++) {
            for (int earlier = first; earlier < key; earlier++) {
                if (to(key) - from(key) == to(earlier) - from(earlier)
                        && Arrays.equals(wire, from(key), to(key), wire, from(earlier), to(earlier))) {
                    return from(key);
                }
            }
        }
        return -1;
    }

    private int repeatedText(int first) {
        Set<String> texts = new HashSet<>(2 * (count - first));
        for (int key = first; key < count; key++) {
            if (!texts.add(text(key))) {
                return from(key);
            }
        }
        return -1;
    }

    private String text(int key) {
        return escapes
                ? JsonStrings.unescaped(wire, from(key), to(key))
                : new String(wire, from(key), to(key) - from(key), UTF_8);
    }

    private int from(int key) {
        return bounds[2 * key];
    }

    private int to(int key) {
        return bounds[2 * key + 1];
    }
}
