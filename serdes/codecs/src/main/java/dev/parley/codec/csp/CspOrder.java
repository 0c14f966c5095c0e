package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Detects whether the keys of a block are in document order, and stores their wire order only if they are not. The
 * document order is: the block's own keys, with the operations of a patch before APPLY; then all other keys; then the
 * key whose value extends to the end of the message.
 */
final class CspOrder {

    /** Represents the next operation of a patch in an order of keys. */
    static final String OPERATION = "+";

    /** Between BASE and APPLY. */
    private static final int RANK_OF_OPERATIONS = 1;

    private static final int RANK_OF_OTHERS = 50;
    private static final int RANK_OF_LAST = 100;

    private final CspMessage message;
    private int lastRank = -1;
    private List<String> names = List.of();

    /** Starts the order of the keys that are added to the message from now on. */
    CspOrder(CspMessage message) {
        this.message = message;
    }

    /**
     * Adds a key, or {@link #OPERATION}; call this before adding it to the message.
     *
     * @param index the key's index in the block; negative for an operation and for a key that the block does not define
     */
    void add(CspBlock block, String name, int index) {
        int rank = name.equals(OPERATION) ? RANK_OF_OPERATIONS : RANK_OF_OTHERS;
        if (index >= 0) {
            rank = block.key(index).isLast() ? RANK_OF_LAST : 2 * index;
        }
        if (rank < lastRank && names.isEmpty()) {
            names = documentOrder(block);
        }
        if (!names.isEmpty()) {
            names.add(name);
        }
        lastRank = rank;
    }

    /** The keys in wire order; empty if that is the document order. */
    List<String> wireOrder() {
        return names;
    }

    /** The keys of the message so far, all in document order. */
    private List<String> documentOrder(CspBlock block) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < block.keyCount(); i++) {
            CspKey key = block.key(i);
            if (key == CspKey.APPLY) {
                message.getOperations().forEach(operation -> order.add(OPERATION));
            }
            if (key.get(message) != null) {
                order.add(key.name());
            }
        }
        for (CspField field : message.getFields()) {
            // The rest of the block's first line is not a key.
            if (!field.getKey().equals(block.name())) {
                order.add(field.getKey());
            }
        }
        return order;
    }
}
