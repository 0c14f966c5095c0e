package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of all open objects, those of the innermost last, to find a key that is repeated in its object.
 *
 * <p>A few keys are compared pairwise on the wire. More keys go through a set of their texts: keys with colliding
 * hashes cost slightly more there, but not quadratic time.
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

    /** How many keys there are. */
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
     * Forgets the keys of an object that ends.
     *
     * @param first number of keys before its first
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
                if (Arrays.equals(wire, from(key), to(key), wire, from(earlier), to(earlier))) {
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
