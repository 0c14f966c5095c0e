package dev.parley.server.api;

import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.Verdict;
import dev.parley.json.model.Conversation;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.topology.topics.ChainNames;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Groups undecodable records by the conversation that they claim, in the order of their claims. A group is of one chain,
 * and a chain belongs to one instance, so no instance splits the group of another. A page that ends within a group is
 * followed by the rest of it.
 */
final class ClaimedConversations {

    /** Maximum number of records that a page covers, about 20 ms of work. */
    static final int MAX_RECORDS = 5_000;

    private final KeyedItems items;
    private final int limit;
    private final ResponseLinks links;
    private ClaimedRecord first;
    private ClaimedRecord last;
    private Bytes lastKey;
    private Instant firstTime;
    private Instant lastTime;
    private long count;
    /** Whether a group did not fit, so that the next page starts with it. */
    private boolean full;

    /** @param limit maximum number of items of the page, with those that it has already */
    ClaimedConversations(KeyedItems items, int limit, ResponseLinks links) {
        this.links = links;
        this.items = items;
        this.limit = limit;
    }

    /** Takes the next record; returns false if it does not fit into the page. */
    boolean take(Bytes key, ClaimedRecord claim) {
        if (first != null && !isSame(claim)) {
            close();
        }
        if (full || first == null && items.size() == limit) {
            return false;
        }
        Instant time = claim.getTime();
        if (first == null) {
            first = claim;
            firstTime = time;
            lastTime = time;
        }
        // Records of a partition are not ordered by time.
        firstTime = time.isBefore(firstTime) ? time : firstTime;
        lastTime = time.isAfter(lastTime) ? time : lastTime;
        last = claim;
        lastKey = key;
        count++;
        return true;
    }

    private void close() {
        String chain = links.conversation(ChainNames.of(first.getChain()));
        full = !items.add(
                lastKey,
                new Conversation(
                        first.getNamespace(),
                        first.getProtocol().name(),
                        first.getConversation(),
                        true,
                        first.getChain(),
                        firstTime,
                        lastTime,
                        count,
                        0,
                        0,
                        0,
                        count,
                        first.getSequence(),
                        last.getSequence(),
                        null,
                        Verdict.UNDECODABLE.name(),
                        last.getCode(),
                        new Conversation.Links(chain, chain + "/messages?from=" + first.getSequence())));
        first = null;
        count = 0;
    }

    /** @param end the last key that was examined; empty if the list ends there */
    KeyedItems page(Optional<Bytes> end) {
        if (first != null) {
            close();
        }
        return items.endAt(full ? items.lastKey() : end);
    }

    private boolean isSame(ClaimedRecord other) {
        return first.getProtocol() == other.getProtocol()
                && Objects.equals(first.getConversation(), other.getConversation())
                && first.getChain().equals(other.getChain());
    }
}
