package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;

/**
 * A request that awaits its result.
 *
 * @param sequence sequence of the message that opened the item
 * @param item ID of the item on the wire
 * @param agent agent that must answer
 * @param requester agent that asked
 */
public record OpenItem(
        String namespace,
        String protocol,
        String conversation,
        long sequence,
        String kind,
        @Nullable String item,
        @Nullable String agent,
        @Nullable String requester,
        Instant since) {}
