package dev.parley.topology.views.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.views.store.ChainPosition;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The derivation of granules, over a store in memory. */
class SearchIndexStoreTest {
    private static final ChainPosition POSITION = new ChainPosition("default|SLIP|1", 7);
    private static final Bytes OTHER = Bytes.wrap(new byte[] {1, 2, 3});
    private static final List<String> LETTERS = List.of("a", "b", "c", "d", "e", "f", "g", "h");

    private final Context context = new Context();
    private KeyValueStore<Bytes, byte[]> inner;
    private KeyValueStore<Bytes, byte[]> store;

    @BeforeEach
    void open() {
        inner = Stores.inMemoryKeyValueStore("view").get();
        start();
    }

    /** Starts over the entries that are stored, as after a crash. */
    private void start() {
        store = new SearchIndexStore(inner);
        store.init(context, store);
    }

    private static Bytes document(int number) {
        return SearchKeys.document(name(number));
    }

    private static byte[] name(int number) {
        return ByteBuffer.allocate(SearchKeys.DOCUMENT_BYTES)
                .putInt(SearchKeys.DOCUMENT_BYTES - Integer.BYTES, number)
                .array();
    }

    private static byte[] value(String... terms) {
        return SearchDocument.encode(
                POSITION, Stream.of(terms).mapToLong(SearchKeys::hash).toArray());
    }

    /** Filters by key, as a search reads them. */
    private Map<Bytes, byte[]> filters() {
        Map<Bytes, byte[]> filters = new LinkedHashMap<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.range(SearchKeys.granules(), SearchKeys.LAST_GRANULE)) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> next = all.next();
                assertThat(filters).doesNotContainKey(next.key);
                filters.put(next.key, next.value);
            }
        }
        return filters;
    }

    /** The documents in granules that may have a term, by number of the granule. */
    private Map<Integer, List<Bytes>> granulesWith(String term) {
        Map<Integer, List<Bytes>> granules = new LinkedHashMap<>();
        Bytes from = SearchKeys.documents();
        int number = 0;
        for (Map.Entry<Bytes, byte[]> granule : filters().entrySet()) {
            byte[] last = SearchKeys.documentOf(granule.getKey());
            if (TermFilter.mayHave(granule.getValue(), SearchKeys.hash(term))) {
                try (KeyValueIterator<Bytes, byte[]> all = store.range(from, SearchKeys.document(last))) {
                    List<Bytes> documents = granules.computeIfAbsent(number, any -> new ArrayList<>());
                    all.forEachRemaining(entry -> documents.add(entry.key));
                }
            }
            number++;
            from = Bytes.wrap(Arrays.copyOf(SearchKeys.document(last).get(), 2 + SearchKeys.DOCUMENT_BYTES));
        }
        return granules;
    }

    /** The documents that a search for a term finds. */
    private Set<Bytes> found(String term) {
        return granulesWith(term).values().stream()
                .flatMap(List::stream)
                .filter(key -> SearchDocument.hasAll(store.get(key), new long[] {SearchKeys.hash(term)}))
                .collect(Collectors.toSet());
    }

    /** The documents of each letter. */
    private Map<String, Set<Bytes>> found() {
        Map<String, Set<Bytes>> found = new TreeMap<>();
        LETTERS.forEach(letter -> found.put(letter, found(letter)));
        found.values().removeIf(Set::isEmpty);
        return found;
    }

    /** The letters that a filter may have. */
    private Set<String> filtered() {
        return LETTERS.stream()
                .filter(letter -> !granulesWith(letter).isEmpty())
                .collect(Collectors.toSet());
    }

    private void restore(List<KeyValue<Bytes, byte[]>> changes) {
        context.callback.restoreAll(changes.stream()
                .map(change -> KeyValue.pair(change.key.get(), change.value))
                .toList());
    }

    @Test
    void aDocumentIsInAGranuleWithItsTerms() {
        store.put(document(1), value("a", "b"));
        store.put(document(2), value("b"));

        assertThat(found()).isEqualTo(Map.of("a", Set.of(document(1)), "b", Set.of(document(1), document(2))));
        assertThat(filtered()).containsExactlyInAnyOrder("a", "b");
        assertThat(SearchDocument.position(store.get(document(1)))).contains(POSITION);
    }

    @Test
    void aDocumentThatIsReplacedLosesTheTermsThatItNoLongerHas() {
        store.put(document(1), value("a", "b", "c"));
        store.put(document(1), value("b", "d"));

        assertThat(found()).isEqualTo(Map.of("b", Set.of(document(1)), "d", Set.of(document(1))));
        assertThat(filtered()).containsExactlyInAnyOrder("b", "d");
        start();
        assertThat(filtered()).as("in the store, without a commit").containsExactlyInAnyOrder("b", "d");
    }

    @Test
    void aFilterForgetsTheTermsOfDeletedDocuments() {
        for (int i = 0; i < 100; i++) {
            store.put(document(i), value(i < 20 ? "a" : i < 40 ? "b" : "c"));
        }
        for (int i = 0; i < 30; i++) {
            assertThat(store.delete(document(i))).isNotNull();
            assertThat(store.delete(document(i))).isNull();
        }

        assertThat(filtered()).as("after a quarter of them").containsExactlyInAnyOrder("b", "c");
        for (int i = 30; i < 100; i++) {
            store.delete(document(i));
        }
        assertThat(filtered()).isEmpty();
        assertThat(store.approximateNumEntries()).isOne();
    }

    @Test
    void aDocumentThatIsPresentIsNotPutAgain() {
        assertThat(store.putIfAbsent(document(1), value("a"))).isNull();
        assertThat(store.putIfAbsent(document(1), value("b"))).isEqualTo(value("a"));

        assertThat(found()).isEqualTo(Map.of("a", Set.of(document(1))));
    }

    @Test
    void otherEntriesAreStoredAsTheyAre() {
        store.put(OTHER, value("a"));
        store.putAll(List.of(KeyValue.pair(SearchKeys.documents(), value("b"))));

        assertThat(store.get(OTHER)).isEqualTo(value("a"));
        assertThat(filters()).isEmpty();
        assertThat(store.delete(OTHER)).isEqualTo(value("a"));
        assertThat(store.get(OTHER)).isNull();
    }

    /** The changelog may contain several values of a document, even in one batch. */
    @Test
    void aRestoreDerivesTheGranulesOfTheLastValues() {
        restore(List.of(
                KeyValue.pair(document(1), value("a", "b")),
                KeyValue.pair(document(2), value("a")),
                KeyValue.pair(document(1), value("b", "c")),
                KeyValue.pair(OTHER, value("d"))));
        restore(List.of(KeyValue.pair(document(2), null), KeyValue.pair(document(1), value("c"))));

        assertThat(found()).isEqualTo(Map.of("c", Set.of(document(1))));
        assertThat(filtered()).containsExactly("c");
        assertThat(store.get(OTHER)).isEqualTo(value("d"));
    }

    @Test
    void aRestoreOfTheChangelogFindsTheSameDocuments() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<KeyValue<Bytes, byte[]>> changelog = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            byte[] value = random.nextInt(5) == 0
                    ? null
                    : value(random.ints(random.nextInt(5), 'a', 'i')
                            .distinct()
                            .mapToObj(Character::toString)
                            .toArray(String[]::new));
            changelog.add(KeyValue.pair(document(random.nextInt(2_000)), value));
        }
        changelog.forEach(change -> store.put(change.key, change.value));
        Map<String, Set<Bytes>> expected = found();
        open();
        int committed = 0;
        for (int from = 0; from < changelog.size(); ) {
            int to = Math.min(changelog.size(), from + 1 + random.nextInt(40));
            restore(changelog.subList(from, to));
            from = to;
            if (random.nextInt(10) == 0) {
                store.commit(Map.of());
                committed = from;
            }
            if (random.nextInt(20) == 0) {
                // A crash: what is in memory is lost, and the changelog since the commit is read again.
                start();
                from = committed;
            }
        }

        assertThat(found()).as("seed %s", seed).isEqualTo(expected).hasSameSizeAs(LETTERS);
        assertThat(filters().keySet()).as("seed %s", seed).hasSizeGreaterThan(2);
    }

    @Test
    void documentsInAnyOrderAreInGranulesOfBoundedSize() {
        long seed = new Random().nextLong();
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, 20_000).boxed().toList());
        Collections.shuffle(numbers.subList(0, 10_000), new Random(seed));
        // Documents are in the order of time, latest first.
        Collections.reverse(numbers.subList(10_000, 20_000));
        for (int number : numbers) {
            store.put(document(number), value("all", "n" + number));
        }

        assertThat(granulesWith("all").values())
                .as("seed %s", seed)
                .hasSizeBetween(20_000 / SearchGranules.MAX_DOCUMENTS, 4 * 20_000 / SearchGranules.MAX_DOCUMENTS)
                .allSatisfy(granule -> assertThat(granule).hasSizeBetween(1, SearchGranules.MAX_DOCUMENTS));
        for (int number = 0; number < 20_000; number += 997) {
            assertThat(found("n" + number)).as("seed %s", seed).containsExactly(document(number));
            assertThat(granulesWith("n" + number))
                    .as("a search skips most granules")
                    .hasSizeLessThan(20);
        }
    }

    @Test
    void documentsInAboutTheOrderOfTimeAreAddedWithoutReadingOthers() {
        SortedStore sorted = new SortedStore();
        open(sorted);
        for (int number = 10_000; number > 0; number--) {
            // Of each twenty, the latest arrives first.
            store.put(document(number / 20 * 20 + 19 - number % 20), value("all", "n" + number % 100));
        }

        assertThat(sorted.reads()).isLessThan(10_000 / 20);
        assertThat(granulesWith("all").values())
                .hasSizeBetween(10_000 / SearchGranules.MAX_DOCUMENTS, 2 * 10_000 / SearchGranules.MAX_DOCUMENTS);
    }

    /** The pipeline reads several partitions in turn, each in the order of time. */
    @Test
    void aRestoreOfSeveralRunsInLargeBatchesReadsFewDocuments() {
        SortedStore sorted = new SortedStore();
        open(sorted);
        List<KeyValue<Bytes, byte[]>> changes = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            for (int number = 10_000; number > 0; number--) {
                changes.add(KeyValue.pair(document(4 * number + run), value("all", "n" + (4 * number + run))));
            }
        }
        for (int from = 0; from < changes.size(); from += 1_000) {
            restore(changes.subList(from, from + 1_000));
        }

        assertThat(sorted.reads()).isLessThan(4L * changes.size());
        assertThat(granulesWith("all").values())
                .hasSizeLessThan(3 * changes.size() / SearchGranules.MAX_DOCUMENTS)
                .allSatisfy(granule -> assertThat(granule).hasSizeLessThanOrEqualTo(SearchGranules.MAX_DOCUMENTS));
        for (int number = 4; number < 40_000; number += 997) {
            assertThat(found("n" + number)).containsExactly(document(number));
        }
    }

    /** Agents choose the time of a message if {@code input.time=producer}. */
    @ParameterizedTest
    @EnumSource
    void noOrderOfDocumentsReadsManyForEach(HostileOrder order) {
        SortedStore sorted = new SortedStore();
        open(sorted);
        List<Integer> numbers = order.numbers(10_000);
        numbers.forEach(number -> store.put(document(number), value("all", "n" + number)));

        assertThat(sorted.reads()).isLessThan(5L * numbers.size());
        assertThat(granulesWith("all").values())
                .hasSizeLessThan(numbers.size() / (SearchGranules.MAX_DOCUMENTS / 4))
                .allSatisfy(granule -> assertThat(granule).hasSizeLessThanOrEqualTo(SearchGranules.MAX_DOCUMENTS));
        for (int i = 0; i < numbers.size(); i += 997) {
            assertThat(found("n" + numbers.get(i))).containsExactly(document(numbers.get(i)));
        }
    }

    /** Orders of documents, whose numbers are in the order of time, latest first. */
    private enum HostileOrder {
        EACH_OLDER((i, count) -> i),
        ALL_OLDER_THAN_ONE_OF_THE_FUTURE((i, count) -> i == 0 ? 0 : count - i),
        FROM_BOTH_ENDS_TO_THE_MIDDLE((i, count) -> i % 2 == 0 ? i : count - i),
        FROM_THE_MIDDLE_TO_BOTH_ENDS((i, count) -> count + (i % 2 == 0 ? i : -i));

        private final IntBinaryOperator number;

        HostileOrder(IntBinaryOperator number) {
            this.number = number;
        }

        List<Integer> numbers(int count) {
            return IntStream.range(0, count)
                    .map(i -> number.applyAsInt(i, count))
                    .boxed()
                    .toList();
        }
    }

    @Test
    void deletingDocumentsOfOldGranulesReadsFewOthers() {
        SortedStore sorted = new SortedStore();
        open(sorted);
        int documents = 2 * SearchGranules.MAX_RECENT * SearchGranules.MAX_DOCUMENTS;
        for (int number = documents; number > 0; number--) {
            store.put(document(number), value("a"));
        }
        sorted.reads();
        // Two conversations, whose messages alternate between two times.
        for (int number = documents; number > documents - 1_000; number--) {
            store.delete(document(number));
            store.delete(document(number - 10_000));
        }

        assertThat(sorted.reads()).isLessThan(2 * 1_000 * 8);
    }

    /** Conversations end in any order, and more granules have their documents than are in memory. */
    @Test
    void granulesWhoseDocumentsAreAllDeletedAreDeleted() {
        long seed = new Random().nextLong();
        SortedStore sorted = new SortedStore();
        open(sorted);
        int documents = 2 * SearchGranules.MAX_RECENT * SearchGranules.MAX_DOCUMENTS;
        for (int number = documents; number > 0; number--) {
            store.put(document(number), value("a"));
        }
        store.commit(Map.of());
        start();
        List<Integer> numbers =
                new ArrayList<>(IntStream.rangeClosed(1, documents).boxed().toList());
        Collections.shuffle(numbers, new Random(seed));
        numbers.forEach(number -> store.delete(document(number)));
        store.commit(Map.of());

        assertThat(filters()).as("seed %s", seed).hasSizeLessThanOrEqualTo(2);
        assertThat(filtered()).isEmpty();
    }

    @Test
    void aCrashInARestoreLeavesNoGranuleWithManyMoreDocumentsThanItCounts() {
        SortedStore sorted = new SortedStore();
        open(sorted);
        List<KeyValue<Bytes, byte[]>> changes = IntStream.range(0, 1_000)
                .mapToObj(number -> KeyValue.pair(document(number), value("all", "n" + number)))
                .toList();
        restore(changes);
        start();
        sorted.reads();
        restore(changes.subList(0, 500));
        restore(List.of(KeyValue.pair(document(7), value("all", "new"))));
        restore(changes.subList(500, 1_000));

        assertThat(sorted.reads()).isLessThan(8 * 1_000);
        assertThat(granulesWith("all").values()).hasSizeLessThan(4 * 1_000 / SearchGranules.MAX_DOCUMENTS);
        assertThat(found("new")).containsExactly(document(7));
        assertThat(granulesWith("n7").values())
                .as("the filter of the document has lost the term")
                .noneSatisfy(granule -> assertThat(granule).contains(document(7)));
    }

    private void open(SortedStore sorted) {
        inner = sorted.store();
        start();
    }

    /** A store over a sorted map. It counts the entries that ranges read. */
    private static final class SortedStore {
        private final ConcurrentSkipListMap<Bytes, byte[]> entries = new ConcurrentSkipListMap<>();
        private long reads;

        @SuppressWarnings("unchecked")
        KeyValueStore<Bytes, byte[]> store() {
            return (KeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                    KeyValueStore.class.getClassLoader(), new Class<?>[] {KeyValueStore.class}, this::call);
        }

        /** Number of entries read since the last call. */
        long reads() {
            long before = reads;
            reads = 0;
            return before;
        }

        @SuppressWarnings("unchecked")
        private Object call(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "commit" -> null;
                case "init" -> {
                    ((StateStoreContext) arguments[0]).register((StateStore) arguments[1], (key, value) -> {});
                    yield null;
                }
                case "get" -> entries.get(arguments[0]);
                case "put" -> put((Bytes) arguments[0], (byte[]) arguments[1]);
                case "delete" -> put((Bytes) arguments[0], null);
                case "putAll" -> {
                    ((List<KeyValue<Bytes, byte[]>>) arguments[0]).forEach(entry -> put(entry.key, entry.value));
                    yield null;
                }
                case "range" -> iterator(entries.subMap((Bytes) arguments[0], true, (Bytes) arguments[1], true));
                case "reverseRange" ->
                    iterator(entries.subMap((Bytes) arguments[0], true, (Bytes) arguments[1], true)
                            .descendingMap());
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }

        private byte[] put(Bytes key, byte[] value) {
            return value == null ? entries.remove(key) : entries.put(key, value);
        }

        private KeyValueIterator<Bytes, byte[]> iterator(Map<Bytes, byte[]> range) {
            Iterator<Map.Entry<Bytes, byte[]>> iterator = range.entrySet().iterator();
            return new KeyValueIterator<>() {
                @Override
                public boolean hasNext() {
                    return iterator.hasNext();
                }

                @Override
                public KeyValue<Bytes, byte[]> next() {
                    reads++;
                    Map.Entry<Bytes, byte[]> next = iterator.next();
                    return KeyValue.pair(next.getKey(), next.getValue());
                }

                @Override
                public Bytes peekNextKey() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void documentsOfVeryManyTermsAreInSmallerGranules() {
        for (int i = 1_000; i > 0; i--) {
            int number = i;
            store.put(
                    document(i),
                    value(IntStream.range(0, 160)
                            .mapToObj(term -> number + "-" + term)
                            .toArray(String[]::new)));
        }

        assertThat(filters().keySet()).hasSizeBetween(1_000 * 160 * 6 / (1 << 13), 1_000 / 2);
        assertThat(found("500-7")).containsExactly(document(500));
        assertThat(granulesWith("500-7").size()).isLessThan(filters().size() / 4);
    }

    /** Another client may write to the changelog; an exception would stop each restore. */
    @Test
    void aDocumentOfAnyBytesRestoresWithoutTerms() {
        for (byte[] value : List.of(
                new byte[0],
                new byte[1],
                new byte[] {0, 1},
                new byte[] {-1, -1, 0},
                "zzz".getBytes(StandardCharsets.UTF_8))) {
            restore(List.of(KeyValue.pair(document(1), value)));

            assertThat(store.get(document(1))).isEqualTo(value);
            assertThat(filtered()).isEmpty();
            // A search skips it.
            assertThat(SearchDocument.position(value)).isEmpty();
        }
    }

    /** Without this, another client could hide documents from searches with an empty filter, or stop each search. */
    @Test
    void granulesAndMalformedDocumentsInTheChangelogAreIgnored() {
        store.put(document(1), value("a"));
        store.commit(Map.of());
        restore(List.of(
                KeyValue.pair(SearchKeys.LAST_GRANULE, new TermFilter().toBytes()),
                KeyValue.pair(SearchKeys.granule(name(1)), new byte[0]),
                KeyValue.pair(SearchKeys.granules(), new byte[0]),
                KeyValue.pair(SearchKeys.documents(), value("a"))));
        store.commit(Map.of());
        start();

        assertThat(found()).isEqualTo(Map.of("a", Set.of(document(1))));
        assertThat(filters()).containsOnlyKeys(SearchKeys.LAST_GRANULE);
    }

    @Test
    void aFilterOfAnotherSizeHidesNothing() {
        store.put(document(1), value("a"));
        store.commit(Map.of());
        inner.put(SearchKeys.LAST_GRANULE, new byte[7]);
        start();

        assertThat(found()).isEqualTo(Map.of("a", Set.of(document(1))));
        store.put(document(2), value("b"));
        assertThat(found()).isEqualTo(Map.of("a", Set.of(document(1)), "b", Set.of(document(2))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "straße", "ünïcode", "日本語", "a😀b", "\uD83D"})
    void aPrefixAndAWordHaveTheHashOfTheirConcatenation(String word) {
        assertThat(SearchKeys.hash("t:", word)).isEqualTo(SearchKeys.hash("t:" + word));
        assertThat(SearchKeys.hash("é", word)).isEqualTo(SearchKeys.hash("é" + word));
    }

    @Test
    void theTermsOfADocumentAreThoseThatWereEncoded() {
        long[] both = {SearchKeys.hash("b"), SearchKeys.hash("a")};
        assertThat(SearchDocument.terms(value("a", "b"))).containsExactly(both[1], both[0]);
        assertThat(SearchDocument.hasAll(value("a", "b"), both)).isTrue();
        assertThat(SearchDocument.hasAll(value("a"), both)).isFalse();
        assertThat(SearchDocument.hasAll(null, both)).isFalse();
        assertThat(SearchDocument.hasAll(value(), new long[0])).isTrue();
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
