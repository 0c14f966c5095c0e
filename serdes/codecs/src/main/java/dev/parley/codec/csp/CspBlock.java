package dev.parley.codec.csp;

import static dev.parley.codec.csp.CspKey.APPLY;
import static dev.parley.codec.csp.CspKey.AT;
import static dev.parley.codec.csp.CspKey.BASE;
import static dev.parley.codec.csp.CspKey.CAUSE;
import static dev.parley.codec.csp.CspKey.CONTENT;
import static dev.parley.codec.csp.CspKey.DATA;
import static dev.parley.codec.csp.CspKey.IN;
import static dev.parley.codec.csp.CspKey.NEXT;
import static dev.parley.codec.csp.CspKey.OUT;
import static dev.parley.codec.csp.CspKey.OWNER;
import static dev.parley.codec.csp.CspKey.PATH;
import static dev.parley.codec.csp.CspKey.PRIORITY;
import static dev.parley.codec.csp.CspKey.PRODUCED;
import static dev.parley.codec.csp.CspKey.REQ;
import static dev.parley.codec.csp.CspKey.STATUS;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.CspIntent;

/** The body blocks (CSP v1 "INTENT TYPES") with their intents and their keys in document order. */
@SuppressWarnings("ImmutableEnumChecker") // The arrays are never modified.
enum CspBlock {
    TASK(CspIntent.TASK, REQ, IN, OUT, OWNER, PRIORITY),
    RESULT(CspIntent.RESULT, STATUS, PRODUCED, DATA),
    ERROR(CspIntent.ERROR, AT, CAUSE, NEXT),
    /** Has its operations between BASE and APPLY. */
    PATCH(CspIntent.PATCH, BASE, APPLY),
    FILEOP(CspIntent.FILE, PATH, BASE, CONTENT),
    // The document defines no grammar for these.
    PLAN(CspIntent.PLAN),
    QUERY(CspIntent.QUERY),
    MEM(CspIntent.MEM);

    private static final CspBlock[] ALL = values();
    private static final CspBlock[] BY_INTENT = new CspBlock[CspIntent.values().length];

    static {
        for (CspBlock block : ALL) {
            BY_INTENT[block.intent.ordinal()] = block;
        }
    }

    private final CspIntent intent;
    private final CspKey[] keys;
    private final long packed = CspBytes.packed(name());
    private final byte[] line = ("\n\n" + name()).getBytes(US_ASCII);

    CspBlock(CspIntent intent, CspKey... keys) {
        this.intent = intent;
        this.keys = keys;
    }

    /** The block with a name in the form of {@link CspLines#word}, or null. */
    static CspBlock named(long packed) {
        for (CspBlock block : ALL) {
            if (block.packed == packed) {
                return block;
            }
        }
        return null;
    }

    static boolean isName(String word) {
        return named(CspBytes.packed(word)) != null;
    }

    /** The block of an intent; null for UNKNOWN. */
    static CspBlock of(CspIntent intent) {
        return BY_INTENT[intent.ordinal()];
    }

    /** The name in the form of {@link CspLines#word}. */
    long packed() {
        return packed;
    }

    CspIntent intent() {
        return intent;
    }

    /** Whether the document defines no grammar for the block, so that it may contain and repeat any key. */
    boolean isGeneric() {
        return keys.length == 0;
    }

    /** Number of keys that the document defines for the block. */
    int keyCount() {
        return keys.length;
    }

    /** A key by its 0-based index in document order. */
    CspKey key(int index) {
        return keys[index];
    }

    /** Index of a key, in the form of {@link CspLines#word}, in document order; -1 if the block does not have it. */
    int indexOf(long packed) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i].packed() == packed) {
                return i;
            }
        }
        return -1;
    }

    /** Index of the key with a name in document order; -1 if the block does not have it. */
    int indexOf(String name) {
        return indexOf(CspBytes.packed(name));
    }

    /** Two line feeds and the name; must not be modified. */
    byte[] line() {
        return line;
    }
}
