package dev.parley.topology.views.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.read.Views.ConversationFilter;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewValues;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.Test;

/** What a filtered list reads. */
class IndexScanTest {
    private static final int CONVERSATIONS = 50_000;
    private static final int PARTITIONS = 4;
    private static final int LIMIT = 100;
    private static final Optional<String> CODE = Optional.of("SLIP_TURN_REUSED");

    private final List<Counting> partitions =
            IntStream.range(0, PARTITIONS).mapToObj(i -> new Counting()).toList();

    /** A namespace for each conversation, as an agent may choose them; one in a thousand is rejected. */
    private void fill() {
        for (int i = 0; i < CONVERSATIONS; i++) {
            MemoryPartition partition = partitions.get(i % PARTITIONS);
            String namespace = "namespace-" + i;
            Bytes key = ViewKeys.conversation(namespace, Protocol.SLIP, "1");
            boolean rejected = i % 1_000 == 0;
            partition.put(key, ViewValues.CONVERSATION.encode(summary(namespace)));
            partition.put(entry(ViewKeys.byProtocol(Protocol.SLIP), key), new byte[0]);
            partition.put(
                    entry(ViewKeys.byVerdict(rejected ? Verdict.REJECTED : Verdict.ACCEPTED, Protocol.SLIP), key),
                    new byte[0]);
            if (rejected) {
                partition.put(entry(ViewKeys.byCode(CODE.get(), Verdict.REJECTED, Protocol.SLIP), key), new byte[0]);
            }
        }
    }

    private static Bytes entry(Bytes index, Bytes key) {
        return ViewKeys.indexEntry(index, key);
    }

    private static ConversationSummary summary(String namespace) {
        return ConversationSummary.newBuilder()
                .setChain(namespace + "|SLIP|1")
                .setNamespace(namespace)
                .setProtocol(Protocol.SLIP)
                .setConversation("1")
                .setFirstTime(Instant.EPOCH)
                .setLastTime(Instant.EPOCH)
                .setLastSequence(0)
                .setLastHash(ByteBuffer.allocate(32))
                .setLastVerdict(Verdict.ACCEPTED)
                .build();
    }

    private Optional<Bytes> list(ConversationFilter filter, List<String> namespaces) {
        LocalStores stores = new LocalStores() {
            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> forChain(String store, String chain) {
                throw new UnsupportedOperationException();
            }

            @Override
            public List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions(String store) {
                return List.copyOf(partitions);
            }

            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
                throw new UnsupportedOperationException();
            }
        };
        return new KafkaViews(stores, null)
                .conversations(filter, Optional.empty(), LIMIT, (key, item) -> namespaces.add(item.getNamespace()));
    }

    private static ConversationFilter filter(
            Optional<String> namespace, Optional<Protocol> protocol, Optional<Verdict> verdict, Optional<String> code) {
        return new ConversationFilter(namespace, protocol, verdict, code);
    }

    @Test
    void aFilterWithoutMatchesReadsNoEntriesAndEndsTheListAtOnce() {
        fill();
        Optional<String> none = Optional.empty();
        List<ConversationFilter> unmatched = List.of(
                filter(none, Optional.of(Protocol.LAMBDA), Optional.empty(), none),
                filter(Optional.of("missing"), Optional.empty(), Optional.empty(), none),
                filter(none, Optional.empty(), Optional.of(Verdict.FLAGGED), none),
                filter(none, Optional.of(Protocol.CSP), Optional.of(Verdict.REJECTED), none),
                filter(Optional.of("namespace-1"), Optional.empty(), Optional.of(Verdict.REJECTED), none),
                filter(none, Optional.empty(), Optional.empty(), Optional.of("CSP_FORK")),
                filter(none, Optional.of(Protocol.CSP), Optional.empty(), CODE),
                filter(none, Optional.empty(), Optional.of(Verdict.FLAGGED), CODE),
                filter(Optional.of("namespace-1"), Optional.of(Protocol.SLIP), Optional.of(Verdict.REJECTED), CODE));
        for (ConversationFilter filter : unmatched) {
            List<String> found = new ArrayList<>();

            assertThat(list(filter, found)).as("%s", filter).isEmpty();
            assertThat(found).isEmpty();
        }
        assertThat(partitions).extracting(partition -> partition.read).containsOnly(0);
    }

    @Test
    void aPageReadsAboutAsManyEntriesAsItHasItems() {
        fill();
        Optional<String> none = Optional.empty();
        List<ConversationFilter> matched = List.of(
                filter(none, Optional.of(Protocol.SLIP), Optional.empty(), none),
                filter(none, Optional.empty(), Optional.of(Verdict.REJECTED), none),
                filter(none, Optional.empty(), Optional.empty(), CODE),
                filter(none, Optional.of(Protocol.SLIP), Optional.of(Verdict.REJECTED), CODE));
        for (ConversationFilter filter : matched) {
            partitions.forEach(partition -> partition.read = 0);
            List<String> found = new ArrayList<>();

            list(filter, found);

            assertThat(found).as("%s", filter).hasSizeGreaterThanOrEqualTo(CONVERSATIONS / 1_000);
            assertThat(partitions.stream().mapToInt(partition -> partition.read).sum())
                    .isLessThanOrEqualTo(found.size() + PARTITIONS);
        }
    }

    @Test
    void entriesWithoutTheirConversationEndAPage() {
        MemoryPartition partition = partitions.get(0);
        for (int i = 0; i < 25_000; i++) {
            partition.put(
                    entry(
                            ViewKeys.byProtocol(Protocol.SLIP),
                            ViewKeys.conversation("default", Protocol.SLIP, Integer.toString(i))),
                    new byte[0]);
        }
        assertThat(list(
                        filter(Optional.empty(), Optional.of(Protocol.SLIP), Optional.empty(), Optional.empty()),
                        new ArrayList<>()))
                .as("another page follows")
                .isPresent();
        assertThat(partition.approximateNumEntries()).isGreaterThan(20_000);
        assertThat(partitions.get(0).read).isLessThanOrEqualTo(10_001);
    }

    /** A partition that counts the entries that ranges return. */
    private static final class Counting extends MemoryPartition {
        private int read;

        @Override
        public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
            KeyValueIterator<Bytes, byte[]> range = super.range(from, to);
            return new KeyValueIterator<>() {
                @Override
                public Bytes peekNextKey() {
                    return range.peekNextKey();
                }

                @Override
                public boolean hasNext() {
                    return range.hasNext();
                }

                @Override
                public KeyValue<Bytes, byte[]> next() {
                    read++;
                    return range.next();
                }

                @Override
                public void close() {
                    range.close();
                }
            };
        }
    }
}
