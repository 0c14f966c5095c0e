package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Notices whether the keys of a block stand in the document's order, and keeps the order on the wire only where they do not. The document's
 * order is the block's own keys, the operations of a patch before its APPLY, then all other keys, then what runs to the end of the message.
 */
final class CspOrder {

    /** Stands for the next operation of a patch in an order of keys. */
    static final String OPERATION = "+";

    private static final int RANK_OF_OTHERS = 50;
    private static final int RANK_OF_LAST = 100;

    private final CspMessage message;
    private int lastRank = -1;
    private List<String> names = List.of();

    /** Starts an order of the keys that are put into the message from now on. */
    CspOrder(CspMessage message) {
        this.message = message;
    }

    /** Adds a key of the block, before its value is put into the message. */
    void addKey(CspBlock block, int index) {
        CspKey key = block.key(index);
        add(block, key.isLast() ? RANK_OF_LAST : 2 * index, key.name());
    }

    /** Adds an operation, before it is put into the message. */
    void addOperation() {
        // Between BASE and APPLY.
        add(CspBlock.PATCH, 1, OPERATION);
    }

    /** Adds a key that is none of the block's own, before it is put into the message. */
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

    /** The keys in wire order, or none when that is the document's order. */
    List<String> wireOrder() {
        return names;
    }

    /** The keys that the message has so far, which all stand in the document's order. */
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
            // What stands in the block's first line is no key.
            if (!field.getKey().equals(block.name())) {
                order.add(field.getKey());
            }
        }
        return order;
    }
}
