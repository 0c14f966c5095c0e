package dev.parley.topology.views;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.topics.PrivateContent;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The conversations that undecodable records claim in {@link ViewStores#AUDIT}: one entry for each record that claims a
 * namespace, in the partition of its chain. It has one entry per record, not a count, so that every change may be
 * repeated, and a redacted or pruned record leaves it.
 */
public record ClaimView(StoreReader store) {
    /** After the kinds of conversations: lists continue from conversations to claims. */
    static final int CLAIM = 16;

    static final StoredValues<ClaimedRecord> VALUE = new StoredValues<>(ClaimedRecord.class);

    /**
     * Lists the undecodable records that claim a namespace and perhaps a protocol, in the order of protocol, claimed
     * conversation, chain and sequence; claims of private records last. Readers of some namespaces see none. Otherwise
     * like {@link ConversationView#list}, except that a code reads the rows that it leaves out.
     *
     * @param code code of the records
     * @param seesPrivate whether to list claims of private records
     * @param after as in {@link ConversationView#list}; must be a key of a claim
     */
    public Optional<Bytes> list(
            String namespace,
            Optional<Protocol> protocol,
            Optional<String> code,
            boolean seesPrivate,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ClaimedRecord> page) {
        Predicate<ClaimedRecord> selected = claim -> Views.selects(code, claim.getCode());
        Bytes open = prefix(false, namespace, protocol);
        Bytes[] prefixes = seesPrivate ? new Bytes[] {open, prefix(true, namespace, protocol)} : new Bytes[] {open};
        return store.partitions(partitions -> PrefixScan.of(store.scope().isAll() ? partitions : List.of(), prefixes)
                .after(after)
                .scan(limit, (entry, value) -> Optional.of(VALUE.decode(value)).filter(selected), page));
    }

    /** Returns whether a key is that of a claim. */
    public static boolean isClaim(Bytes key) {
        return key.get().length > 0 && key.get()[0] == CLAIM;
    }

    /**
     * Key of a claim.
     *
     * @param isPrivate whether only callers who see private messages may see the claim
     */
    static Bytes key(boolean isPrivate, ClaimedRecord claim) {
        String conversation = claim.getConversation();
        return ViewKeys.of(prefix(isPrivate, claim.getNamespace(), Optional.of(claim.getProtocol())))
                .number(conversation == null ? 0 : 1)
                .text(conversation == null ? "" : conversation)
                .text(claim.getChain())
                .number(claim.getSequence())
                .build();
    }

    private static Bytes prefix(boolean isPrivate, String namespace, Optional<Protocol> protocol) {
        ViewKeys.Builder builder = ViewKeys.of(CLAIM).number(isPrivate ? 1 : 0).text(namespace);
        protocol.ifPresent(symbol -> builder.text(symbol.name()));
        return builder.build();
    }

    /**
     * Adds a record that is stored with its content.
     *
     * @param writer receives the entry to put
     */
    static void add(AuditRecord audit, BiConsumer<Bytes, byte[]> writer) {
        if (hasEntry(audit)) {
            ClaimedRecord claim = claim(audit);
            put(PrivateContent.isPrivate(audit), claim, writer);
        }
    }

    static void put(boolean isPrivate, ClaimedRecord claim, BiConsumer<Bytes, byte[]> writer) {
        writer.accept(key(isPrivate, claim), VALUE.encode(claim));
    }

    /** Removes a record that is redacted or deleted; it must still have its content. */
    static void remove(AuditRecord audit, KeyValueStore<Bytes, byte[]> store) {
        if (hasEntry(audit)) {
            store.delete(key(PrivateContent.isPrivate(audit), claim(audit)));
        }
    }

    private static boolean hasEntry(AuditRecord audit) {
        return audit.getClaims() != null && audit.getClaims().getNamespace() != null && audit.getCode() != null;
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
