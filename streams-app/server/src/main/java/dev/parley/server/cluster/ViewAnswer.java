package dev.parley.server.cluster;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** The answer to a query from some partitions. */
public sealed interface ViewAnswer {

    /**
     * A complete answer.
     *
     * @param result record of the class that the query names
     */
    record Content(
            @JsonSerialize(using = PeerJson.ResultWriter.class) @JsonDeserialize(using = PeerJson.ResultReader.class)
            Object result)
            implements ViewAnswer {}

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
     * @param result record of the class that the query names
     */
    record Item(
            Bytes key,

            @JsonSerialize(using = PeerJson.ResultWriter.class) @JsonDeserialize(using = PeerJson.ResultReader.class)
            Object result) {

        public Item {
            Objects.requireNonNull(key);
        }
    }

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
