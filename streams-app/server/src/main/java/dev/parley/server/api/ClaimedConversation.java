package dev.parley.server.api;

import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.Verdict;
import dev.parley.json.model.Conversation;
import dev.parley.topology.topics.ChainNames;
import java.time.Instant;
import java.util.Objects;

/** Consecutive undecodable records of one chain that claim the same conversation. */
final class ClaimedConversation implements GroupedItems.Group<ClaimedRecord> {
    private final ClaimedRecord first;
    private final ResponseLinks links;
    private ClaimedRecord last;
    private Instant firstTime;
    private Instant lastTime;
    private long count = 1;

    ClaimedConversation(ClaimedRecord first, ResponseLinks links) {
        this.first = first;
        this.links = links;
        this.last = first;
        this.firstTime = first.getTime();
        this.lastTime = first.getTime();
    }

    @Override
    public boolean add(ClaimedRecord next) {
        if (first.getProtocol() != next.getProtocol()
                || !Objects.equals(first.getConversation(), next.getConversation())
                || !first.getChain().equals(next.getChain())) {
            return false;
        }
        // Records of a partition are not ordered by time.
        Instant time = next.getTime();
        firstTime = time.isBefore(firstTime) ? time : firstTime;
        lastTime = time.isAfter(lastTime) ? time : lastTime;
        last = next;
        count++;
        return true;
    }

    @Override
    public Conversation item() {
        String chain = links.conversation(ChainNames.of(first.getChain()));
        return new Conversation(
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
                new Conversation.Links(chain, chain + "/messages?from=" + first.getSequence()));
    }
}
