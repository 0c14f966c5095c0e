package dev.parley.server.cluster;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** The result of a query on some partitions. The cluster layer passes content and payloads on as opaque bytes. */
public sealed interface ViewAnswer {

    /**
     * A complete answer.
     *
     * @param body body of the HTTP response
     */
    record Content(byte[] body) implements ViewAnswer {}

    /**
     * Part of a list, in the order of the store's keys.
     *
     * @param items items in that order
     * @param end the last key that was examined; empty if the list ends here
     */
    record Page(List<Item> items, Optional<Bytes> end) implements ViewAnswer {

        public Page {
            items = List.copyOf(items);
        }
    }

    /**
     * One item of a list.
     *
     * @param key its key in the store
     * @param payload its JSON in the HTTP response
     */
    record Item(Bytes key, byte[] payload) {}

    /**
     * These partitions do not contain the entry that the query names.
     *
     * @param code problem code of the API
     * @param detail one sentence for the caller
     */
    record Absent(String code, String detail) implements ViewAnswer {}

    /**
     * The query cannot be answered from any partition.
     *
     * @param code problem code of the API
     * @param detail one sentence for the caller
     */
    record Refusal(String code, String detail) implements ViewAnswer {}
}
