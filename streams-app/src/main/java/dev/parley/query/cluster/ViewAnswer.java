package dev.parley.query.cluster;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * The result of a query on some partitions. The cluster layer never reads content or payloads: they are opaque bytes.
 */
public sealed interface ViewAnswer {

    /**
     * A whole answer.
     *
     * @param body as it goes to the caller
     */
    record Content(byte[] body) implements ViewAnswer {}

    /**
     * Part of a list, in the order of the store's keys.
     *
     * @param items the items, in that order
     * @param end the last key that was examined; empty if the list ends here
     */
    record Page(List<Item> items, Optional<Bytes> end) implements ViewAnswer {

        /** Copies the list. */
        public Page {
            items = List.copyOf(items);
        }
    }

    /**
     * One item of a list.
     *
     * @param key its key in the store
     * @param payload as it goes to the caller
     */
    record Item(Bytes key, byte[] payload) {}

    /**
     * These partitions do not have what the query names.
     *
     * @param code problem code of the API
     * @param detail one sentence for the caller
     */
    record Absent(String code, String detail) implements ViewAnswer {}

    /**
     * The query cannot be answered, whatever the partition.
     *
     * @param code problem code of the API
     * @param detail one sentence for the caller
     */
    record Refusal(String code, String detail) implements ViewAnswer {}
}
