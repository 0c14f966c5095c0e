package dev.parley.topology.views.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages over partitions, independent of the distribution of keys. */
class PrefixScanTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void pagesContainEveryKeyOnceWhilePartitionsMove(int limit) {
        Random random = new Random(limit);
        TreeSet<String> keys = new TreeSet<>();
        IntStream.range(0, 200).forEach(i -> keys.add("k" + random.nextInt(10_000)));
        List<String> seen = new ArrayList<>();
        Optional<Bytes> last = Optional.empty();
        do {
            int before = seen.size();
            last = PrefixScan.of(spread(keys, 1 + random.nextInt(4), random), key("k"))
                    .after(last)
                    .scan(limit, (entry, value) -> Optional.of(text(entry.key())), (key, item) -> seen.add(item));
            assertThat(seen).hasSizeLessThanOrEqualTo(before + limit);
        } while (last.isPresent());
        assertThat(seen).containsExactlyElementsOf(keys);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void severalPrefixesFormOneList(int limit) {
        TreeSet<String> keys = new TreeSet<>(List.of("a1", "a2", "b1", "c1", "c2", "d1"));
        List<String> seen = new ArrayList<>();
        Optional<Bytes> last = Optional.empty();
        do {
            last = PrefixScan.of(spread(keys, 2, new Random(1)), key("a"), key("c"), key("d"))
                    .after(last)
                    .scan(limit, (entry, value) -> Optional.of(text(entry.key())), (key, item) -> seen.add(item));
        } while (last.isPresent());
        assertThat(seen).containsExactly("a1", "a2", "c1", "c2", "d1");
    }

    @Test
    void aPrefixIsOpenedWhenTheListReachesIt() {
        List<String> opened = new ArrayList<>();
        MemoryPartition partition = new MemoryPartition() {
            @Override
            public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
                opened.add(text(from));
                return super.range(from, to);
            }
        };
        List.of("a1", "a2", "b1", "c1").forEach(key -> partition.put(key(key), new byte[0]));
        PrefixScan scan = PrefixScan.of(List.of(partition), key("c"), key("b"), key("a"));

        Optional<Bytes> last = scan.scan(2, (entry, value) -> Optional.of(entry), (key, item) -> true);
        assertThat(opened).containsExactly("a", "b");
        opened.clear();
        scan.after(last).scan(1, (entry, value) -> Optional.of(entry), (key, item) -> true);
        assertThat(opened).containsExactly("a2\0", "b", "c");
    }

    /** An entry that an insider copies to other partitions, also without what it names. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void anEntryInSeveralPartitionsIsListedOnce(int limit) {
        List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MemoryPartition partition = new MemoryPartition();
            List.of("k1", "k2", "k3")
                    .forEach(key -> partition.put(key(key), key("=" + key).get()));
            if (i >= 2) {
                List.of("=k1", "=k2", "=k3").forEach(key -> partition.put(key(key), new byte[] {1}));
            }
            partitions.add(partition);
        }
        List<String> seen = new ArrayList<>();
        Optional<Bytes> last = Optional.empty();
        do {
            last = PrefixScan.of(partitions, key("k"))
                    .ofIndex()
                    .after(last)
                    .scan(limit, (entry, value) -> Optional.of(text(entry.key())), (key, item) -> seen.add(item));
        } while (last.isPresent());
        assertThat(seen).containsExactly("k1", "k2", "k3");
    }

    @Test
    void aPageWithoutItemsEndsAtTheLimitOfExaminedKeysOrBytes() {
        TreeSet<String> keys = new TreeSet<>();
        IntStream.range(0, 25_000).forEach(i -> keys.add("k" + (100_000 + i)));
        assertThat(pagesWithoutItems(spread(keys, 3, new Random(1)))).isEqualTo(3);

        MemoryPartition large = new MemoryPartition();
        byte[] megabyte = new byte[1 << 20];
        IntStream.range(0, 40).forEach(i -> large.put(key("k" + (100 + i)), megabyte));
        assertThat(pagesWithoutItems(List.of(large))).isEqualTo(3);
    }

    @Test
    void aPageEndsBeforeAnItemThatDoesNotFit() {
        MemoryPartition partition = new MemoryPartition();
        IntStream.range(0, 5).forEach(i -> partition.put(key("k" + i), new byte[0]));
        List<String> seen = new ArrayList<>();
        Optional<Bytes> last = Optional.empty();
        do {
            int before = seen.size();
            last = PrefixScan.of(List.of(partition), key("k"))
                    .after(last)
                    .scan(100, (entry, value) -> Optional.of(text(entry.key())), (key, item) -> {
                        boolean fits = seen.size() - before < 2;
                        return fits && seen.add(item);
                    });
        } while (last.isPresent());
        assertThat(seen).containsExactly("k0", "k1", "k2", "k3", "k4");
    }

    private static int pagesWithoutItems(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions) {
        Optional<Bytes> last = Optional.empty();
        int pages = 0;
        do {
            last = PrefixScan.of(partitions, key("k"))
                    .after(last)
                    .scan(10, (entry, value) -> Optional.empty(), (key, item) -> fail("an item"));
            pages++;
        } while (last.isPresent());
        return pages;
    }

    private static List<ReadOnlyKeyValueStore<Bytes, byte[]>> spread(Iterable<String> keys, int count, Random random) {
        List<MemoryPartition> partitions =
                IntStream.range(0, count).mapToObj(i -> new MemoryPartition()).toList();
        keys.forEach(key -> partitions.get(random.nextInt(count)).put(key(key), new byte[0]));
        return List.copyOf(partitions);
    }

    private static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Bytes key) {
        return new String(key.get(), StandardCharsets.UTF_8);
    }
}
