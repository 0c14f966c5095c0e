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
    private final CspKey[] keys;
    private final long packed = CspLines.packed(name());

    CspBlock(CspIntent intent, CspKey... keys) {
        this.intent = intent;
        this.keys = keys;
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

    /** Whether a word is a priority of a TASK. */
    static boolean isPriority(String word) {
        return word.equals("P1") || word.equals("P2") || word.equals("P3");
    }

    /** Whether a word is a status of a RESULT. */
    static boolean isStatus(String word) {
        return word.equals("OK") || word.equals("PARTIAL") || word.equals("FAIL");
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
        return List.of(keys);
    }

    /** Place of a key in the order of the document, from 0; -1 when it belongs to another block. */
    int indexOf(CspKey key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the document gives the block no grammar, so that any key may stand in it, and more than once. */
    boolean isGeneric() {
        return keys.length == 0;
    }

    /** The key of this block, as {@link CspLines#key} gives it, or null. */
    CspKey key(long packed) {
        for (CspKey key : keys) {
            if (key.packed() == packed) {
                return key;
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
