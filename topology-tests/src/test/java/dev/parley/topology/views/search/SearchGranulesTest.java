package dev.parley.topology.views.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.views.store.ChainPosition;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchGranulesTest {
    private static final ChainPosition POSITION = new ChainPosition("default|SLIP|1", 7);
    private static final List<String> LETTERS = List.of("a", "b", "c", "d", "e", "f", "g", "h");

    /** Numbers below it are for {@link #closeAll}. */
    private static final int FIRST = 10_000_000;

    private final SortedStore sorted = new SortedStore();
    private final KeyValueStore<Bytes, byte[]> store = sorted.store();
    private SearchGranules granules = new SearchGranules(store);
    private int later = FIRST;

    /** Starts over the entries that are stored, as after a crash. */
    private void start() {
        granules = new SearchGranules(store);
    }

    /** Adds documents later than all others, until no other granule is open. */
    private void closeAll() {
        int documents = (SearchGranules.MAX_OPEN + 1) * SearchGranules.MAX_DOCUMENTS;
        for (int i = 0; i < documents; i++) {
            granules.add(name(--later - FIRST), value("later"));
        }
    }

    private static Bytes document(int number) {
        return SearchKeys.document(name(number));
    }

    private static byte[] name(int number) {
        return ByteBuffer.allocate(SearchKeys.DOCUMENT_BYTES)
                .putInt(SearchKeys.DOCUMENT_BYTES - Integer.BYTES, FIRST + number)
                .array();
    }

    private static byte[] value(String... terms) {
        return SearchDocument.encode(
                POSITION, Stream.of(terms).mapToLong(SearchKeys::hash).toArray());
    }

    private void add(int number, String... terms) {
        granules.add(name(number), value(terms));
    }

    /** The documents that a search for a term reads, by granule. */
    private Map<Bytes, List<Bytes>> read(String term) {
        Map<Bytes, List<Bytes>> read = new TreeMap<>();
        Bytes previous = SearchKeys.granules();
        for (Map.Entry<Bytes, byte[]> granule : sorted.granules().entrySet()) {
            if (TermFilter.mayHave(granule.getValue(), SearchKeys.hash(term), false)) {
                List<Bytes> documents = new ArrayList<>(sorted.documents(previous, granule.getKey()));
                read.put(granule.getKey(), documents);
            }
            previous = granule.getKey();
        }
        return read;
    }

    private Set<Bytes> found(String term) {
        return read(term).values().stream()
                .flatMap(List::stream)
                .filter(key -> SearchHashes.has(store.get(key), SearchKeys.hash(term)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The documents of each letter. */
    private Map<String, Set<Bytes>> found() {
        Map<String, Set<Bytes>> found = new TreeMap<>();
        LETTERS.forEach(letter -> found.put(letter, found(letter)));
        found.values().removeIf(Set::isEmpty);
        return found;
    }

    /** The letters that the filter of a closed granule may have. */
    private Set<String> filtered() {
        closeAll();
        return LETTERS.stream()
                .filter(letter -> sorted.granules().values().stream()
                        .anyMatch(filter -> filter.length == TermFilter.BYTES
                                && TermFilter.mayHave(filter, SearchKeys.hash(letter), false)))
                .collect(Collectors.toSet());
    }

    @Test
    void aDocumentIsInAGranuleWithItsTerms() {
        add(1, "a", "b");
        add(2, "b");

        Map<String, Set<Bytes>> both = Map.of("a", Set.of(document(1)), "b", Set.of(document(1), document(2)));
        assertThat(found()).isEqualTo(both);
        assertThat(filtered()).containsExactlyInAnyOrder("a", "b");
        assertThat(found()).as("in closed granules").isEqualTo(both);
        assertThat(SearchDocument.position(store.get(document(1)))).contains(POSITION);
    }

    @Test
    void aDocumentThatIsReplacedLosesTheTermsThatItNoLongerHas() {
        add(1, "a", "b", "c");
        closeAll();
        granules.replace(name(1), value("b", "d"));

        assertThat(found()).isEqualTo(Map.of("b", Set.of(document(1)), "d", Set.of(document(1))));
        start();
        assertThat(filtered()).as("after a crash too").containsExactlyInAnyOrder("b", "d");
    }

    @Test
    void aFilterForgetsTheTermsOfDeletedDocuments() {
        for (int i = 0; i < 100; i++) {
            add(i, i < 20 ? "a" : i < 40 ? "b" : "c");
        }
        for (int i = 0; i < 30; i++) {
            granules.remove(name(i));
            granules.remove(name(i));
        }

        assertThat(filtered()).as("after a quarter of them").containsExactlyInAnyOrder("b", "c");
    }

    /** A crash leaves some of the changes, and those since the last commit are made again. */
    @Test
    void everyDocumentIsFoundAfterAnyCrashes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<Integer, String[]> expected = new HashMap<>();
        Set<Integer> known = new HashSet<>();
        List<Runnable> changes = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            int number = random.nextInt(4_000);
            String[] terms = random.ints(random.nextInt(5), 'a', 'i')
                    .distinct()
                    .mapToObj(Character::toString)
                    .toArray(String[]::new);
            if (random.nextInt(5) == 0) {
                expected.remove(number);
                changes.add(() -> granules.remove(name(number)));
            } else if (known.add(number)) {
                expected.put(number, terms);
                changes.add(() -> granules.add(name(number), value(terms)));
            } else {
                expected.put(number, terms);
                changes.add(() -> granules.replace(name(number), value(terms)));
            }
        }
        int committed = 0;
        int writes = 0;
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).run();
            if (random.nextInt(100) == 0) {
                committed = i + 1;
                writes = sorted.writes();
            }
            if (random.nextInt(200) == 0) {
                sorted.loseAllButSomeOfTheWritesSince(writes, random);
                start();
                i = committed - 1;
            }
        }

        Map<String, Set<Bytes>> all = new TreeMap<>();
        expected.forEach((number, terms) -> Stream.of(terms)
                .forEach(term ->
                        all.computeIfAbsent(term, any -> new TreeSet<>()).add(document(number))));
        assertThat(found()).as("seed %s", seed).isEqualTo(all).hasSameSizeAs(LETTERS);
        closeAll();
        assertThat(found()).as("seed %s", seed).isEqualTo(all);
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
            add(number, "all", "n" + number);
        }

        assertThat(read("all").values())
                .as("seed %s", seed)
                .hasSizeBetween(20_000 / SearchGranules.MAX_DOCUMENTS, 4 * 20_000 / SearchGranules.MAX_DOCUMENTS)
                .allSatisfy(granule -> assertThat(granule).hasSizeBetween(1, SearchGranules.MAX_DOCUMENTS));
        for (int number = 0; number < 20_000; number += 997) {
            assertThat(found("n" + number)).as("seed %s", seed).containsExactly(document(number));
            assertThat(read("n" + number))
                    .as("a search skips most granules")
                    .hasSizeLessThan(20 + SearchGranules.MAX_OPEN);
        }
    }

    @Test
    void documentsInAboutTheOrderOfTimeAreAddedWithoutReadingOthers() {
        for (int number = 10_000; number > 0; number--) {
            // Of each twenty, the latest arrives first.
            add(number / 20 * 20 + 19 - number % 20, "all", "n" + number % 100);
        }

        assertThat(sorted.reads()).isLessThan(10_000 / 20);
        assertThat(read("all").values())
                .hasSizeBetween(10_000 / SearchGranules.MAX_DOCUMENTS, 2 * 10_000 / SearchGranules.MAX_DOCUMENTS);
    }

    /** The pipeline reads several partitions in turn, each in the order of time. */
    @Test
    void severalRunsOfDocumentsReadFewOthers() {
        int documents = 0;
        for (int from = 10_000; from > 0; from -= 250) {
            for (int run = 0; run < 4; run++) {
                for (int number = from; number > from - 250; number--) {
                    add(4 * number + run, "all", "n" + (4 * number + run));
                    documents++;
                }
            }
        }

        assertThat(sorted.reads()).isLessThan(4L * documents);
        assertThat(read("all").values())
                .hasSizeLessThan(3 * documents / SearchGranules.MAX_DOCUMENTS)
                .allSatisfy(granule -> assertThat(granule).hasSizeLessThanOrEqualTo(SearchGranules.MAX_DOCUMENTS));
        for (int number = 4; number < 40_000; number += 997) {
            assertThat(found("n" + number)).containsExactly(document(number));
        }
    }

    /** Agents choose the time of a message if {@code input.time=producer}. */
    @ParameterizedTest
    @EnumSource
    void noOrderOfDocumentsReadsManyForEach(HostileOrder order) {
        List<Integer> numbers = order.numbers(10_000);
        numbers.forEach(number -> add(number, "all", "n" + number));

        assertThat(sorted.reads()).isLessThan(5L * numbers.size());
        assertThat(read("all").values())
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
        FROM_THE_MIDDLE_TO_BOTH_ENDS((i, count) -> count + (i % 2 == 0 ? i : -i)),
        /** Far apart, each in a granule that is not open. */
        IN_MORE_RUNS_THAN_GRANULES_ARE_OPEN((i, count) -> i % 50 * count + i);

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
        int documents = 20 * SearchGranules.MAX_OPEN * SearchGranules.MAX_DOCUMENTS;
        for (int number = documents; number > 0; number--) {
            add(number, "a");
        }
        sorted.reads();
        // Two conversations, whose messages alternate between two times.
        for (int number = documents; number > documents - 1_000; number--) {
            granules.remove(name(number));
            granules.remove(name(number - 10_000));
        }

        assertThat(sorted.reads()).isLessThan(2 * 1_000 * 8);
    }

    /** Conversations end in any order, and more granules have their documents than are open. */
    @Test
    void granulesWhoseDocumentsAreAllDeletedAreDeleted() {
        long seed = new Random().nextLong();
        int documents = 20 * SearchGranules.MAX_OPEN * SearchGranules.MAX_DOCUMENTS;
        for (int number = documents; number > 0; number--) {
            add(number, "a");
        }
        start();
        List<Integer> numbers =
                new ArrayList<>(IntStream.rangeClosed(1, documents).boxed().toList());
        Collections.shuffle(numbers, new Random(seed));
        numbers.forEach(number -> granules.remove(name(number)));

        assertThat(sorted.granules()).as("seed %s", seed).hasSizeLessThanOrEqualTo(2);
        assertThat(filtered()).isEmpty();
    }

    @Test
    void documentsOfVeryManyTermsAreInSmallerGranules() {
        for (int i = 1_000; i > 0; i--) {
            int number = i;
            add(i, IntStream.range(0, 160).mapToObj(term -> number + "-" + term).toArray(String[]::new));
        }

        assertThat(sorted.granules().keySet()).hasSizeBetween(1_000 * 160 * 6 / (1 << 13), 1_000 / 2);
        assertThat(found("500-7")).containsExactly(document(500));
        assertThat(read("500-7").size()).isLessThan(sorted.granules().size() / 4);
    }

    /** Another client may write to the changelog; an exception would stop the task at each start. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 19, 20, 21, 1_028, 100_000})
    void entriesOfAnyBytesStopNothingAndHideNoOtherDocument(int length) {
        add(1, "a");
        byte[] value = new byte[length];
        for (Bytes key : List.of(
                document(2),
                SearchKeys.documents(),
                Bytes.wrap(new byte[] {SearchKeys.documents().get()[0], 0, 0}),
                SearchKeys.granules(),
                Bytes.wrap(new byte[] {SearchKeys.granules().get()[0], -1}),
                SearchKeys.openGranules())) {
            store.put(key, value);
        }
        start();
        add(3, "b");
        granules.remove(name(2));

        assertThat(found("a")).contains(document(1));
        assertThat(found("b")).contains(document(3));
        // A search skips it.
        assertThat(SearchDocument.terms("zzz".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    /** Another client writes keys of another length, which have one name. */
    @ParameterizedTest
    @ValueSource(ints = {0, 500, 10_000})
    void veryManyDocumentsOfOneNameHideNoOtherDocument(int name) {
        for (int number = 1_000; number > 0; number--) {
            add(number, "n" + number);
        }
        for (int i = 0; i < 1_000; i++) {
            byte[] key = Arrays.copyOf(
                    name == 0
                            ? SearchKeys.document(new byte[SearchKeys.DOCUMENT_BYTES])
                                    .get()
                            : document(name).get(),
                    1 + SearchKeys.DOCUMENT_BYTES + Integer.BYTES);
            ByteBuffer.wrap(key).putInt(1 + SearchKeys.DOCUMENT_BYTES, i);
            store.put(Bytes.wrap(key), value("foreign"));
        }
        start();
        for (int i = 1; i <= 600; i++) {
            add(-i, "new");
            add(name + i % 3, "new");
            add(20_000 + i, "new");
        }

        assertThat(found("new")).hasSizeGreaterThan(1_200);
        for (int number = 4; number <= 1_000; number += 97) {
            if (number > name + 2 || number < name) {
                assertThat(found("n" + number)).containsExactly(document(number));
            }
        }
    }

    /** Another client removes granules, so that one of them seems to have very many documents. */
    @Test
    void aGranuleOfVeryManyDocumentsIsReadInPart() {
        for (int number = 10_000; number > 0; number--) {
            add(number, "n" + number);
        }
        sorted.granules().keySet().stream()
                .filter(key -> !key.equals(SearchKeys.LAST_GRANULE))
                .forEach(key -> store.put(key, null));
        store.put(SearchKeys.LAST_GRANULE, new byte[0]);
        start();
        sorted.reads();
        for (int i = 1; i <= 100; i++) {
            add(20_000 + i, "new");
        }

        assertThat(sorted.reads()).isLessThan(100 * 4 * SearchGranules.MAX_DOCUMENTS);
        assertThat(found("new")).hasSize(100);
        for (int number = 1; number <= 10_000; number += 997) {
            assertThat(found("n" + number)).containsExactly(document(number));
        }
    }

    /** A store over a sorted map. It counts the entries that ranges read, and remembers its writes. */
    private static final class SortedStore {
        private final ConcurrentSkipListMap<Bytes, byte[]> entries = new ConcurrentSkipListMap<>();
        private final List<KeyValue<Bytes, byte[]>> log = new ArrayList<>();
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

        int writes() {
            return log.size();
        }

        /** Restores the entries from a changelog that ends somewhere after a number of writes. */
        void loseAllButSomeOfTheWritesSince(int committed, Random random) {
            int kept = committed + random.nextInt(log.size() - committed + 1);
            log.subList(kept, log.size()).clear();
            entries.clear();
            log.forEach(this::apply);
        }

        Map<Bytes, byte[]> granules() {
            return entries.subMap(SearchKeys.granules(), true, SearchKeys.LAST_GRANULE, true);
        }

        /** The documents after a granule, up to another one. */
        Set<Bytes> documents(Bytes previous, Bytes granule) {
            return entries.subMap(
                            previous.equals(SearchKeys.granules())
                                    ? SearchKeys.documents()
                                    : SearchKeys.document(SearchKeys.documentOf(previous)),
                            false,
                            SearchKeys.document(SearchKeys.documentOf(granule)),
                            true)
                    .keySet();
        }

        @SuppressWarnings("unchecked")
        private Object call(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "get" -> entries.get(arguments[0]);
                case "put" -> put(KeyValue.pair((Bytes) arguments[0], (byte[]) arguments[1]));
                case "delete" -> put(KeyValue.pair((Bytes) arguments[0], null));
                case "putAll" -> {
                    ((List<KeyValue<Bytes, byte[]>>) arguments[0]).forEach(this::put);
                    yield null;
                }
                case "range" -> iterator(entries.subMap((Bytes) arguments[0], true, (Bytes) arguments[1], true));
                case "reverseRange" ->
                    iterator(entries.subMap((Bytes) arguments[0], true, (Bytes) arguments[1], true)
                            .descendingMap());
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }

        private byte[] put(KeyValue<Bytes, byte[]> entry) {
            log.add(entry);
            return apply(entry);
        }

        private byte[] apply(KeyValue<Bytes, byte[]> entry) {
            return entry.value == null ? entries.remove(entry.key) : entries.put(entry.key, entry.value);
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

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "straße", "ünïcode", "日本語", "a😀b", "\uD83D"})
    void aPrefixAndAWordHaveTheHashOfTheirConcatenation(String word) {
        assertThat(SearchKeys.fnv("t:", word)).isEqualTo(SearchKeys.fnv("", "t:" + word));
        assertThat(SearchKeys.fnv("é", word)).isEqualTo(SearchKeys.fnv("", "é" + word));
    }

    @Test
    void theTermsOfADocumentAreThoseThatWereEncoded() {
        long[] both = {SearchKeys.hash("b"), SearchKeys.hash("a")};
        assertThat(SearchDocument.terms(value("a", "b"))).containsExactly(both[1], both[0]);
        assertThat(SearchDocument.terms(null)).isEmpty();
        assertThat(SearchDocument.position(value())).contains(POSITION);
        assertThat(SearchDocument.position(null)).isEmpty();
    }

    /** Another client may write any bytes. */
    @Test
    void aDocumentOfAnyBytesHasNoTerms() {
        for (byte[] value : List.of(
                new byte[0],
                new byte[1],
                new byte[] {0, 1},
                new byte[] {-1, -1, 0},
                "zzz".getBytes(StandardCharsets.UTF_8))) {
            assertThat(SearchDocument.terms(value)).isEmpty();
            assertThat(SearchDocument.position(value)).isEmpty();
        }
    }
}
