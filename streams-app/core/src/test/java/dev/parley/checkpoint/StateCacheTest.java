package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kotlinx.collections.immutable.ExtensionsKt;
import org.junit.jupiter.api.Test;

/** Each head counts its bytes and 512 more, and 160 for each definition. */
class StateCacheTest {
    private final StateCache cache = new StateCache(new StateCacheBudget(2_000));

    @Test
    void aStateThatFitsExactlyStays() {
        cache.put(key("A"), head(488));
        cache.put(key("B"), head(488));
        assertThat(cache.get(key("A"))).isNotNull();
        assertThat(cache.get(key("B"))).isNotNull();
    }

    @Test
    void oneByteMoreCostsTheEldest() {
        cache.put(key("A"), head(488));
        cache.put(key("B"), head(489));
        assertThat(cache.get(key("A"))).isNull();
        assertThat(cache.get(key("B"))).isNotNull();
    }

    @Test
    void aStateInUseIsNotTheEldest() {
        cache.put(key("A"), head(200));
        cache.put(key("B"), head(200));
        cache.get(key("A"));
        cache.put(key("C"), head(200));
        assertThat(cache.get(key("B"))).isNull();
        assertThat(cache.get(key("A"))).isNotNull();
    }

    @Test
    void asManyGoAsMustAndWhatTheyHeldIsFree() {
        for (String id : new String[] {"A", "B", "C"}) {
            cache.put(key(id), head(0));
        }
        cache.put(key("D"), head(800));
        assertThat(cache.get(key("A"))).isNull();
        assertThat(cache.get(key("B"))).isNull();
        assertThat(cache.get(key("C"))).isNotNull();
        assertThat(cache.get(key("D"))).isNotNull();
        cache.put(key("E"), head(0));
        assertThat(cache.get(key("C"))).isNull();
        assertThat(cache.get(key("D"))).isNotNull();
        assertThat(cache.get(key("E"))).isNotNull();
    }

    @Test
    void aRemovedStateFreesItsSpace() {
        cache.put(key("A"), head(488));
        cache.remove(key("A"));
        cache.remove(key("A"));
        cache.put(key("B"), head(488));
        cache.put(key("C"), head(488));
        assertThat(cache.get(key("A"))).isNull();
        assertThat(cache.get(key("B"))).isNotNull();
        assertThat(cache.get(key("C"))).isNotNull();
    }

    @Test
    void theLastOneStaysWhateverItsSizeUntilAnotherIsKept() {
        cache.put(key("A"), head(10_000));
        assertThat(cache.get(key("A"))).isNotNull();
        cache.put(key("B"), head(0));
        assertThat(cache.get(key("A"))).isNull();
        assertThat(cache.get(key("B"))).isNotNull();
    }

    @Test
    void aHeadInPlaceOfAnotherCountsOnce() {
        for (int i = 0; i < 10; i++) {
            cache.put(key("A"), head(200));
        }
        cache.put(key("B"), head(200));
        assertThat(cache.get(key("A"))).isNotNull();
        cache.put(key("A"), head(0));
        cache.put(key("C"), head(264));
        assertThat(cache.get(key("B"))).isNotNull();
        cache.put(key("D"), head(0));
        assertThat(cache.get(key("A"))).isNull();
    }

    @Test
    void definitionsCount() {
        Map<String, Definition> three = new HashMap<>();
        for (String name : List.of("a", "b", "c")) {
            three.put(name, new Definition("1", 1));
        }
        cache.put(
                key("A"),
                new CachedState(ByteBuffer.allocate(32), 1, 6, 0, List.of(), ExtensionsKt.toPersistentHashMap(three)));
        cache.put(key("B"), head(490));
        assertThat(cache.get(key("A"))).isNotNull();
        cache.put(key("B"), head(491));
        assertThat(cache.get(key("A"))).isNull();
    }

    @Test
    void cachesShareABudgetEvenly() {
        StateCacheBudget budget = new StateCacheBudget(1 << 20);
        List<StateCache> caches = new ArrayList<>();
        for (int users = 1; users <= 8; users++) {
            caches.add(new StateCache(budget));
            // A share does not become so small that it is of no use.
            assertThat(budget.share()).isEqualTo(Math.max(256 << 10, (1 << 20) / users));
        }
        assertThat(caches).hasSize(8);
        assertThat(new StateCacheBudget(7).share()).isZero();
    }

    @Test
    void aBudgetMayBeNothingButNotLess() {
        assertThatThrownBy(() -> new StateCacheBudget(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bytes must not be negative, but was -1");
        new StateCache(new StateCacheBudget(0)).put(key("A"), head(0));
    }

    private static CheckpointKey key(String id) {
        return new CheckpointKey("n", "c", id);
    }

    private static CachedState head(long bytes) {
        return new CachedState(ByteBuffer.allocate(32), 1, bytes, 0, List.of(), ExtensionsKt.persistentHashMapOf());
    }
}
