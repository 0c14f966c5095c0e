package dev.parley.json.model.write;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The results of a batch of messages.
 *
 * @param items a result for each message, in their order
 * @param entered messages that this request sent
 * @param repeated messages that an earlier request had sent
 * @param failed all others
 */
public record IngestedBatch(List<Item> items, int entered, int repeated, int failed) {

    /** The result of one message. */
    public sealed interface Item permits Sent, Failed {}

    /** A message that is in the input. */
    public record Sent(int index, int status, @JsonUnwrapped Ingested message) implements Item {}

    /**
     * A message that is not in the input, or for which that is unknown.
     *
     * @param status HTTP status that it would have alone
     * @param code code of its problem
     */
    public record Failed(int index, int status, String code, String detail) implements Item {}
}
