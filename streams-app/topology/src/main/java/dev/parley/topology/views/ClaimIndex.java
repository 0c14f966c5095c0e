package dev.parley.topology.views;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.Claims;
import dev.parley.decode.ConversationKey;
import dev.parley.topology.topics.PrivateContent;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes the index of the conversations that undecodable records claim in {@link ViewStores#AUDIT}: one entry for each
 * record that claims a namespace. It has one entry per record, not a count, so that every change may be repeated, and a
 * redacted or pruned record leaves it.
 */
final class ClaimIndex {
    private final KeyValueStore<Bytes, byte[]> store;

    ClaimIndex(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /**
     * Adds a record that is stored with its content.
     *
     * @param writer receives the entry to put
     */
    void add(AuditRecord audit, BiConsumer<Bytes, byte[]> writer) {
        if (hasEntry(audit)) {
            ClaimedRecord claim = claim(audit);
            writer.accept(key(audit, claim), ViewValues.CLAIM.encode(claim));
        }
    }

    /** Removes a record that is redacted or deleted; it must still have its content. */
    void remove(AuditRecord audit) {
        if (hasEntry(audit)) {
            store.delete(key(audit, claim(audit)));
        }
    }

    private static boolean hasEntry(AuditRecord audit) {
        return audit.getClaims() != null && audit.getClaims().getNamespace() != null && audit.getCode() != null;
    }

    private static Bytes key(AuditRecord audit, ClaimedRecord claim) {
        return ViewKeys.claim(PrivateContent.isPrivate(audit), claim);
    }

    private static ClaimedRecord claim(AuditRecord audit) {
        Claims claims = audit.getClaims();
        String conversation = claims.getConversation();
        return new ClaimedRecord(
                claims.getNamespace(),
                ConversationKey.symbolOf(claims.getProtocol()),
                conversation == null
                        ? null
                        : new ConversationKey(claims.getNamespace(), claims.getProtocol(), conversation).nameInViews(),
                audit.getChain(),
                audit.getSequence(),
                audit.getSource().getTimestamp(),
                audit.getCode());
    }
}
