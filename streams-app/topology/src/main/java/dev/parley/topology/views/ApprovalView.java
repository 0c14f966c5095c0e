package dev.parley.topology.views;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The records with a changed definition in {@link ViewStores#AUDIT}, each in the partition of its chain: an index of
 * those without an approval, and the recorded approvals of the others. {@link AuditView} writes them. Values of records
 * are those of the audit topic.
 */
public record ApprovalView(StoreReader store, Topic<String, AuditRecord> topic) {
    static final int UNAPPROVED = 20;
    static final int APPROVED = 21;

    /** Maximum of {@link #count}. */
    public static final long MAX_COUNT = 10_000;

    /**
     * Lists the records with a changed definition and no approval, by namespace, the oldest first; otherwise like
     * {@link ConversationView#list}.
     */
    public Optional<Bytes> list(
            Optional<String> namespace, Optional<Bytes> after, int limit, BiPredicate<Bytes, AuditRecord> page) {
        Bytes[] prefixes = store.scope().select(namespace).stream()
                .map(ApprovalView::unapproved)
                .toArray(Bytes[]::new);
        return store.partitions(partitions -> PrefixScan.of(partitions, prefixes)
                .ofIndex()
                .after(after)
                .scan(
                        limit,
                        (entry, value) -> Optional.of(topic.read(value))
                                .filter(record -> store.scope().includesChain(record.getChain())),
                        page));
    }

    /** Number of the listed records; {@link #MAX_COUNT} if there are more. */
    public long count() {
        Bytes all = unapproved(Optional.empty());
        return store.partitions(partitions -> {
            long count = 0;
            for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
                try (KeyValueIterator<Bytes, byte[]> range = partition.range(all, ViewKeys.after(all))) {
                    for (; count < MAX_COUNT && range.hasNext(); range.next()) {
                        count++;
                    }
                }
            }
            return count;
        });
    }

    /** The approval of a record; empty if there is none. */
    public Optional<Redaction> of(AuditRecord record) {
        if (!Redactions.isApprovable(record)) {
            return Optional.empty();
        }
        String chain = record.getChain();
        return store.value(chain, approved(chain, record.getSequence()), ViewValues::number)
                .flatMap(event -> store.value(chain, MessageView.key(chain, event), topic::read))
                .map(AuditRecord::getRedaction)
                .filter(approval -> Redactions.approves(approval, record));
    }

    /** Key of a record in the index of those without an approval. Its value is the key of the record. */
    static Bytes unapproved(AuditRecord record) {
        return ViewKeys.of(
                        unapproved(Optional.of(ChainNames.of(record.getChain()).namespace())))
                .number(Math.max(0, record.getSource().getTimestamp().toEpochMilli()))
                .text(record.getChain())
                .number(record.getSequence())
                .build();
    }

    /** Key prefix of that index: of all namespaces, or of one. */
    private static Bytes unapproved(Optional<String> namespace) {
        ViewKeys.Builder builder = ViewKeys.of(UNAPPROVED);
        namespace.ifPresent(builder::text);
        return builder.build();
    }

    /** Key of the recorded approval of a record. Its value is the sequence of the first one. */
    static Bytes approved(String chain, long sequence) {
        return ViewKeys.of(APPROVED).text(chain).number(sequence).build();
    }
}
