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
import java.util.Map;
import java.util.Optional;
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
            Bytes key = ViewKeys.conversation(namespace, Protocol.SLIP, "1");
            boolean rejected = i % 1_000 == 0;
            ConversationSummary summary = summary(namespace, i);
            partition.put(key, ViewValues.CONVERSATION.encode(summary));
            partition.put(ViewKeys.latest(key, summary.getLastTime()), key.get());
            add(partition, ViewKeys.byProtocol(Protocol.SLIP), key, namespace);
            add(
                    partition,
                    ViewKeys.byVerdict(rejected ? Verdict.REJECTED : Verdict.ACCEPTED, Protocol.SLIP),
                    key,
                    namespace);
            if (rejected) {
                add(partition, ViewKeys.byCode(CODE.get(), Protocol.SLIP), key, namespace);
                add(partition, ViewKeys.byCode(CODE.get(), Verdict.REJECTED, Protocol.SLIP), key, namespace);
            }
        }
    }

    private static void add(MemoryPartition partition, Bytes index, Bytes key, String namespace) {
        partition.put(ViewKeys.indexEntry(index, key), new byte[0]);
        for (Optional<String> counted : List.of(Optional.<String>empty(), Optional.of(namespace))) {
            Bytes total = ViewKeys.total(index, counted);
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

    private KafkaViews views() {
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
        return new KafkaViews(stores, null);
    }

    private Optional<Bytes> list(ConversationFilter filter, List<String> namespaces) {
        return list(filter, Optional.empty(), namespaces);
    }

    private Optional<Bytes> list(ConversationFilter filter, Optional<Bytes> after, List<String> namespaces) {
        return views().conversations(filter, after, LIMIT, (key, item) -> namespaces.add(item.getNamespace()));
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

    /** Both ways of reading, for filters with few and with many matches. */
    @Test
    void everyFilterListsItsConversationsLatestFirstAndCountsThem() {
        fill();
        Optional<String> none = Optional.empty();
        Map<ConversationFilter, Integer> every = Map.of(
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
            assertThat(views().total(filter)).as("%s", filter).isEqualTo(expected.size());
        });
    }

    @Test
    void aCountReadsNoEntries() {
        fill();
        views().total(ConversationFilter.NONE);
        assertThat(partitions).extracting(partition -> partition.read).containsOnly(0);
    }

    @Test
    void entriesWithoutTheirConversationEndAPage() {
        MemoryPartition partition = partitions.get(0);
        for (int i = 0; i < 25_000; i++) {
            Bytes key = ViewKeys.conversation("default", Protocol.SLIP, Integer.toString(i));
            partition.put(ViewKeys.latest(key, Instant.EPOCH), key.get());
        }
        assertThat(list(ConversationFilter.NONE, new ArrayList<>()))
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
