package dev.parley.codec.csp;

import dev.parley.avro.CspIntent;
import java.util.List;

/** The body blocks (CSP v1 "INTENT TYPES"): each with its intent and its keys in the order of the document. */
enum CspBlock {
    TASK(CspIntent.TASK, CspKey.REQ, CspKey.IN, CspKey.OUT, CspKey.OWNER, CspKey.PRIORITY),
    RESULT(CspIntent.RESULT, CspKey.STATUS, CspKey.PRODUCED, CspKey.DATA),
    ERROR(CspIntent.ERROR, CspKey.AT, CspKey.CAUSE, CspKey.NEXT),
    PATCH(CspIntent.PATCH, CspKey.BASE, CspKey.APPLY),
    FILEOP(CspIntent.FILE, CspKey.PATH, CspKey.BASE, CspKey.CONTENT),
    PLAN(CspIntent.PLAN),
    QUERY(CspIntent.QUERY),
    MEM(CspIntent.MEM);

    private static final CspBlock[] ALL = values();

    private final CspIntent intent;
    private final List<CspKey> keys;
    private final long packed = CspLines.packed(name());

    CspBlock(CspIntent intent, CspKey... keys) {
        this.intent = intent;
        this.keys = List.of(keys);
    }

    /** The block with that name, as {@link CspLines#key} gives it, or null. */
    static CspBlock named(long packed) {
        for (CspBlock block : ALL) {
            if (block.packed == packed) {
                return block;
            }
        }
        return null;
    }

    /** Whether a word is the name of a block. */
    static boolean isName(String word) {
        for (CspBlock block : ALL) {
            if (block.name().equals(word)) {
                return true;
            }
        }
        return false;
    }

    /** The block that goes with an intent, or null for UNKNOWN. */
    static CspBlock of(CspIntent intent) {
        for (CspBlock block : ALL) {
            if (block.intent == intent) {
                return block;
            }
        }
        return null;
    }

    CspIntent intent() {
        return intent;
    }

    /** The keys of the block, in the order of the document. */
    List<CspKey> keys() {
        return keys;
    }

    /** Whether the document gives the block no grammar, so that any key may stand in it, and more than once. */
    boolean isGeneric() {
        return keys.isEmpty();
    }

    /** The key of this block, as {@link CspLines#key} gives it, or null. */
    CspKey key(long packed) {
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).packed() == packed) {
                return keys.get(i);
            }
        }
        return null;
    }

    /** The key of this block with that name, or null. */
    CspKey key(String name) {
        for (CspKey key : keys) {
            if (key.name().equals(name)) {
                return key;
            }
        }
        return null;
    }
}
