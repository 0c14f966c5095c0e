package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * The requests of a conversation that await results, and their ends, in the order of the requests.
 *
 * @param from sequence of the first examined record; requests before it are unknown
 * @param through sequence of the last examined record
 * @param partial whether records were omitted because they are redacted, hidden from the caller, or not messages
 * @param next sequence at which the next page starts; null if this is the last
 */
public record CallPage(
        String chain,
        long from,
        long through,
        boolean partial,
        List<Call> items,
        @Nullable Long next) {

    public CallPage {
        items = List.copyOf(items);
    }

    /**
     * A request and its end.
     *
     * @param kind TASK, QUERY, QUESTION, OFFER or CYCLE
     * @param item its ID on the wire; null without one
     * @param name tool or prompt of MCP; null for other requests
     * @param agent agent that must answer, or that did; null if unknown
     * @param requester agent that asked; null if unknown
     * @param opened sequence of the request
     * @param since record time of the request
     * @param closed sequence of the record with which it ended; null if it is open
     * @param until record time of its end; null if it is open
     * @param outcome how it ended; null if it is open, or ended without an outcome: it was replaced, or was idle
     */
    public record Call(
            String kind,
            @Nullable String item,
            @Nullable String name,
            @Nullable String agent,
            @Nullable String requester,
            long opened,
            Instant since,
            @Nullable Long closed,
            @Nullable Instant until,
            @Nullable String outcome) {}
}
