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

    private static final int RANK_OF_OTHERS = 50;
    private static final int RANK_OF_LAST = 100;

    private final CspMessage message;
    private int lastRank = -1;
    private List<String> names = List.of();

    /** Starts the order of the keys that are added to the message from now on. */
    CspOrder(CspMessage message) {
        this.message = message;
    }

    /** Adds a key of the block; call this before setting its value in the message. */
    void addKey(CspBlock block, int index) {
        CspKey key = block.key(index);
        add(block, key.isLast() ? RANK_OF_LAST : 2 * index, key.name());
    }

    /** Adds an operation; call this before adding it to the message. */
    void addOperation() {
        // Operations are between BASE and APPLY.
        add(CspBlock.PATCH, 1, OPERATION);
    }

    /** Adds a key that the block does not define; call this before adding it to the message. */
    void addOther(CspBlock block, String name) {
        add(block, RANK_OF_OTHERS, name);
    }

    private void add(CspBlock block, int rank, String name) {
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
