package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.util.List;

/**
 * A page of the messages of a conversation.
 *
 * @param total number of messages in the chain
 * @param first first sequence that the views have
 * @param next sequence at which the next page starts; null if this is the last
 */
public record MessagePage(
        String chain,
        long total,
        long first,
        List<MessageItem> items,
        @Nullable Long next) {}
