package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.read.LocalStores;
import dev.parley.topology.views.read.MemoryPartition;
import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.store.ViewValues;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.Test;

/** What a list of conversations reads. */
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
            Bytes key = ConversationView.key(namespace, Protocol.SLIP, "1");
            boolean rejected = i % 1_000 == 0;
            ConversationSummary summary = summary(namespace, i);
            partition.put(key, ConversationView.VALUE.encode(summary));
            ConversationOrder.entries(key, summary).forEach(entry -> partition.put(entry, new byte[0]));
            add(partition, ConversationView.index(Protocol.SLIP, null, null), key, namespace);
            add(
                    partition,
                    ConversationView.index(Protocol.SLIP, rejected ? Verdict.REJECTED : Verdict.ACCEPTED, null),
                    key,
                    namespace);
            if (rejected) {
                add(partition, ConversationView.index(Protocol.SLIP, null, CODE.get()), key, namespace);
                add(partition, ConversationView.index(Protocol.SLIP, Verdict.REJECTED, CODE.get()), key, namespace);
            }
        }
    }

    private static void add(MemoryPartition partition, Bytes index, Bytes key, String namespace) {
        partition.put(ConversationView.indexEntry(index, key), new byte[0]);
        for (Optional<String> counted : List.of(Optional.<String>empty(), Optional.of(namespace))) {
            Bytes total = ConversationView.totalKey(index, counted);
            partition.put(total, ViewValues.number(1 + ViewValues.number(partition.get(total))));
        }
    }

    private static ConversationSummary summary(String namespace, long second) {
        return ConversationSummary.newBuilder()
                .setChain(namespace + "|SLIP|1")
                .setNamespace(namespace)
                .setProtocol(Protocol.SLIP)
                .setConversation("1")
                .setFirstTime(Instant.EPOCH)
                .setLastTime(Instant.ofEpochSecond(second))
                .setLastSequence(0)
                .setLastHash(ByteBuffer.allocate(32))
                .setLastVerdict(Verdict.ACCEPTED)
                .build();
    }

    private Views views() {
        LocalStores stores = new LocalStores() {
            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> partition(String store, int partition, boolean standbys) {
                return partitions.get(partition);
            }

            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int count(String store) {
                return PARTITIONS;
            }

            @Override
            public SortedSet<Integer> readable(String store, boolean standbys) {
                return new TreeSet<>(IntStream.range(0, PARTITIONS).boxed().toList());
            }

            @Override
            public SortedMap<Integer, Long> lags(String store) {
                throw new UnsupportedOperationException();
            }
        };
        return new Views(stores, null);
    }

    private Optional<Bytes> list(ConversationView.Filter filter, List<String> namespaces) {
        return list(filter, Optional.empty(), namespaces);
    }

    private Optional<Bytes> list(ConversationView.Filter filter, Optional<Bytes> after, List<String> namespaces) {
        return views().conversations()
                .list(
                        filter,
                        ConversationOrder.LATEST,
                        after,
                        LIMIT,
                        (key, item) -> namespaces.add(item.getNamespace()));
    }

    private static ConversationView.Filter filter(
            Optional<String> namespace, Optional<Protocol> protocol, Optional<Verdict> verdict, Optional<String> code) {
        return new ConversationView.Filter(namespace, protocol, verdict, code);
    }

    @Test
    void aFilterWithoutMatchesReadsNoEntriesAndEndsTheListAtOnce() {
        fill();
        Optional<String> none = Optional.empty();
        List<ConversationView.Filter> unmatched = List.of(
                filter(none, Optional.of(Protocol.LAMBDA), Optional.empty(), none),
                filter(Optional.of("missing"), Optional.empty(), Optional.empty(), none),
                filter(none, Optional.empty(), Optional.of(Verdict.FLAGGED), none),
                filter(none, Optional.of(Protocol.CSP), Optional.of(Verdict.REJECTED), none),
                filter(Optional.of("namespace-1"), Optional.empty(), Optional.of(Verdict.REJECTED), none),
                filter(none, Optional.empty(), Optional.empty(), Optional.of("CSP_FORK")),
                filter(none, Optional.of(Protocol.CSP), Optional.empty(), CODE),
                filter(none, Optional.empty(), Optional.of(Verdict.FLAGGED), CODE),
                filter(Optional.of("namespace-1"), Optional.of(Protocol.SLIP), Optional.of(Verdict.REJECTED), CODE));
        for (ConversationView.Filter filter : unmatched) {
            List<String> found = new ArrayList<>();

            assertThat(list(filter, found)).as("%s", filter).isEmpty();
            assertThat(found).isEmpty();
        }
        assertThat(partitions).extracting(partition -> partition.read).containsOnly(0);
    }

    @Test
    void aScopeHasTheConversationsOfItsNamespacesAndReadsNoOthers() {
        fill();
        List<String> found = new ArrayList<>();
        ConversationView few = within(Set.of("namespace-7", "namespace-49999", "missing"));

        assertThat(few.list(
                        ConversationView.Filter.NONE,
                        ConversationOrder.LATEST,
                        Optional.empty(),
                        LIMIT,
                        (key, item) -> found.add(item.getNamespace())))
                .isEmpty();
        assertThat(found).containsExactly("namespace-49999", "namespace-7");
        assertThat(few.total(ConversationView.Filter.NONE)).isEqualTo(2);
        assertThat(few.total(filter(Optional.of("namespace-8"), Optional.empty(), Optional.empty(), Optional.empty())))
                .isZero();
        assertThat(partitions.stream().mapToInt(partition -> partition.read).sum())
                .isLessThan(10);
    }

    @Test
    void aLargeScopeIsReadByTime() {
        fill();
        Set<String> even = IntStream.range(0, CONVERSATIONS / 2)
                .mapToObj(i -> "namespace-" + 2 * i)
                .collect(Collectors.toSet());
        List<String> found = new ArrayList<>();

        Optional<Bytes> end = within(even)
                .list(
                        ConversationView.Filter.NONE,
                        ConversationOrder.LATEST,
                        Optional.empty(),
                        LIMIT,
                        (key, item) -> found.add(item.getNamespace()));

        assertThat(end).isPresent();
        assertThat(found).hasSize(LIMIT).isSubsetOf(even).startsWith("namespace-49998", "namespace-49996");
    }

    private ConversationView within(Set<String> namespaces) {
        return views().within(new NamespaceScope(Optional.of(namespaces))).conversations();
    }

    @Test
    void aPageReadsAboutAsManyEntriesAsItHasItems() {
        fill();
        Optional<String> none = Optional.empty();
        List<ConversationView.Filter> matched = List.of(
                filter(none, Optional.of(Protocol.SLIP), Optional.empty(), none),
                filter(none, Optional.empty(), Optional.of(Verdict.REJECTED), none),
                filter(none, Optional.empty(), Optional.empty(), CODE),
                filter(none, Optional.of(Protocol.SLIP), Optional.of(Verdict.REJECTED), CODE));
        for (ConversationView.Filter filter : matched) {
            partitions.forEach(partition -> partition.read = 0);
            List<String> found = new ArrayList<>();

            list(filter, found);

            assertThat(found).as("%s", filter).hasSizeGreaterThanOrEqualTo(CONVERSATIONS / 1_000);
            assertThat(partitions.stream().mapToInt(partition -> partition.read).sum())
                    .isLessThanOrEqualTo(found.size() + PARTITIONS);
        }
    }

    /** Both ways of reading, for filters with few and with many matches. */
    @Test
    void everyFilterListsItsConversationsLatestFirstAndCountsThem() {
        fill();
        Optional<String> none = Optional.empty();
        Map<ConversationView.Filter, Integer> every = Map.of(
                filter(none, Optional.empty(), Optional.empty(), none), 1,
                filter(none, Optional.of(Protocol.SLIP), Optional.empty(), none), 1,
                filter(none, Optional.empty(), Optional.of(Verdict.ACCEPTED), none), 1,
                filter(none, Optional.empty(), Optional.of(Verdict.REJECTED), none), 1_000,
                filter(none, Optional.of(Protocol.SLIP), Optional.empty(), CODE), 1_000);
        every.forEach((filter, step) -> {
            List<String> expected = IntStream.range(0, CONVERSATIONS)
                    .map(i -> CONVERSATIONS - 1 - i)
                    .filter(i -> step == 1 ? filter.verdict().isEmpty() || i % 1_000 != 0 : i % step == 0)
                    .mapToObj(i -> "namespace-" + i)
                    .toList();
            List<String> found = new ArrayList<>();
            Optional<Bytes> end = Optional.empty();
            do {
                end = list(filter, end, found);
            } while (end.isPresent());
            assertThat(found).as("%s", filter).isEqualTo(expected);
            assertThat(views().conversations().total(filter)).as("%s", filter).isEqualTo(expected.size());
        });
    }

    @Test
    void aCountReadsNoEntries() {
        fill();
        views().conversations().total(ConversationView.Filter.NONE);
        assertThat(partitions).extracting(partition -> partition.read).containsOnly(0);
    }

    @Test
    void entriesWithoutTheirConversationEndAPage() {
        MemoryPartition partition = partitions.get(0);
        for (int i = 0; i < 25_000; i++) {
            Bytes key = ConversationView.key("default", Protocol.SLIP, Integer.toString(i));
            partition.put(ConversationOrder.LATEST.key(key, summary("default", 0)), new byte[0]);
        }
        assertThat(list(ConversationView.Filter.NONE, new ArrayList<>()))
                .as("another page follows")
                .isPresent();
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
