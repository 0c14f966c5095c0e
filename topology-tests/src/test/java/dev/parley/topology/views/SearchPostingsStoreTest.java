package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.views.ViewKeys.ChainPosition;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The derivation of postings, over a store in memory. */
class SearchPostingsStoreTest {
    private static final ChainPosition POSITION = new ChainPosition("default|SLIP|1", 7);
    private static final Bytes OTHER = Bytes.wrap(new byte[] {1, 2, 3});

    private final Context context = new Context();
    private KeyValueStore<Bytes, byte[]> store;

    @BeforeEach
    void open() {
        store = new SearchPostingsStore(Stores.inMemoryKeyValueStore("view").get());
        store.init(context, store);
    }

    private static Bytes document(int number) {
        return SearchKeys.document(name(number));
    }

    private static byte[] name(int number) {
        byte[] name = new byte[SearchKeys.DOCUMENT_BYTES];
        name[name.length - 1] = (byte) number;
        return name;
    }

    private static byte[] value(String... terms) {
        return SearchDocument.encode(POSITION, List.of(terms));
    }

    /** The documents of each term in the store, of the terms "a" to "h". */
    private Map<String, Set<Bytes>> postings() {
        Map<String, Set<Bytes>> found = new TreeMap<>();
        for (char letter = 'a'; letter <= 'h'; letter++) {
            String term = String.valueOf(letter);
            Bytes prefix = SearchKeys.postings(term);
            try (KeyValueIterator<Bytes, byte[]> all = store.range(prefix, ViewKeys.after(prefix))) {
                all.forEachRemaining(entry -> found.computeIfAbsent(term, any -> new HashSet<>())
                        .add(SearchKeys.document(SearchKeys.documentOf(entry.key))));
            }
        }
        return found;
    }

    private void restore(List<KeyValue<Bytes, byte[]>> changes) {
        context.callback.restoreAll(changes.stream()
                .map(change -> KeyValue.pair(change.key.get(), change.value))
                .toList());
    }

    @Test
    void aDocumentHasThePostingsOfItsTerms() {
        store.put(document(1), value("a", "b"));
        store.put(document(2), value("b"));

        assertThat(postings()).isEqualTo(Map.of("a", Set.of(document(1)), "b", Set.of(document(1), document(2))));
        assertThat(SearchDocument.position(store.get(document(1)))).contains(POSITION);
    }

    @Test
    void aDocumentThatIsReplacedLosesTheTermsThatItNoLongerHas() {
        store.put(document(1), value("a", "b", "c"));
        store.put(document(1), value("b", "d"));

        assertThat(postings()).isEqualTo(Map.of("b", Set.of(document(1)), "d", Set.of(document(1))));
    }

    @Test
    void aDocumentThatIsDeletedHasNoPostings() {
        store.put(document(1), value("a"));
        store.put(document(2), value("a"));

        assertThat(store.delete(document(1))).isEqualTo(value("a"));
        assertThat(store.delete(document(3))).isNull();
        store.put(document(2), null);

        assertThat(postings()).isEmpty();
        assertThat(store.approximateNumEntries()).isZero();
    }

    @Test
    void aDocumentThatIsPresentIsNotPutAgain() {
        assertThat(store.putIfAbsent(document(1), value("a"))).isNull();
        assertThat(store.putIfAbsent(document(1), value("b"))).isEqualTo(value("a"));

        assertThat(postings()).isEqualTo(Map.of("a", Set.of(document(1))));
    }

    @Test
    void otherEntriesAreStoredAsTheyAre() {
        store.put(OTHER, value("a"));
        store.putAll(List.of(KeyValue.pair(SearchKeys.documents(), value("b"))));

        assertThat(store.get(OTHER)).isEqualTo(value("a"));
        assertThat(postings()).isEmpty();
        assertThat(store.delete(OTHER)).isEqualTo(value("a"));
        assertThat(store.get(OTHER)).isNull();
    }

    /** The changelog may contain several values of a document, even in one batch. */
    @Test
    void aRestoreDerivesThePostingsOfTheLastValues() {
        restore(List.of(
                KeyValue.pair(document(1), value("a", "b")),
                KeyValue.pair(document(2), value("a")),
                KeyValue.pair(document(1), value("b", "c")),
                KeyValue.pair(OTHER, value("d"))));
        restore(List.of(KeyValue.pair(document(2), null), KeyValue.pair(document(1), value("c"))));

        assertThat(postings()).isEqualTo(Map.of("c", Set.of(document(1))));
        assertThat(store.get(OTHER)).isEqualTo(value("d"));
    }

    @Test
    void aRestoreOfTheChangelogGivesTheSameStore() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<KeyValue<Bytes, byte[]>> changelog = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] value = random.nextInt(5) == 0
                    ? null
                    : value(random.ints(random.nextInt(5), 'a', 'i')
                            .distinct()
                            .mapToObj(Character::toString)
                            .toArray(String[]::new));
            changelog.add(KeyValue.pair(document(random.nextInt(20)), value));
        }
        changelog.forEach(change -> store.put(change.key, change.value));
        Map<String, Set<Bytes>> expected = postings();
        open();
        for (int from = 0; from < changelog.size(); ) {
            int to = Math.min(changelog.size(), from + 1 + random.nextInt(40));
            restore(changelog.subList(from, to));
            from = to;
        }

        assertThat(postings()).as("seed %s", seed).isEqualTo(expected).isNotEmpty();
    }

    /** Another client may write to the changelog; an exception would stop each restore. */
    @Test
    void aDocumentOfAnyBytesRestoresWithoutPostings() {
        for (byte[] value : List.of(
                new byte[0],
                new byte[1],
                new byte[] {0, 1},
                new byte[] {-1, -1, 0},
                "zzz".getBytes(StandardCharsets.UTF_8))) {
            restore(List.of(KeyValue.pair(document(1), value)));

            assertThat(store.get(document(1))).isEqualTo(value);
            assertThat(store.approximateNumEntries()).isOne();
            // A search skips it.
            assertThat(SearchDocument.position(value)).isEmpty();
        }
    }

    @Test
    void theTermsOfADocumentAreThoseThatWereEncoded() {
        assertThat(SearchDocument.terms(value("a", "b"))).containsExactly(SearchKeys.hash("a"), SearchKeys.hash("b"));
        assertThat(SearchDocument.terms(null)).isEmpty();
        assertThat(SearchDocument.position(value())).contains(POSITION);
        assertThat(SearchDocument.position(null)).isEmpty();
    }

    /** Keeps the callback of the store, as a task does. */
    private static final class Context implements StateStoreContext {
        private BatchingStateRestoreCallback callback;

        @Override
        public void register(StateStore store, StateRestoreCallback restore) {
            callback = (BatchingStateRestoreCallback) restore;
        }

        @Override
        public void register(StateStore store, StateRestoreCallback restore, CommitCallback commit) {
            register(store, restore);
        }

        @Override
        public Optional<RecordMetadata> recordMetadata() {
            return Optional.empty();
        }

        @Override
        public Map<String, Object> appConfigs() {
            return new HashMap<>();
        }

        @Override
        public Map<String, Object> appConfigsWithPrefix(String prefix) {
            return Map.of();
        }

        @Override
        public String applicationId() {
            return "parley-views";
        }

        @Override
        public TaskId taskId() {
            return new TaskId(0, 0);
        }

        @Override
        public Serde<?> keySerde() {
            return null;
        }

        @Override
        public Serde<?> valueSerde() {
            return null;
        }

        @Override
        public File stateDir() {
            return null;
        }

        @Override
        public StreamsMetrics metrics() {
            return null;
        }
    }
}
