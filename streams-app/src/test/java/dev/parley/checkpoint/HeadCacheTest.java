package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

/** Each head counts its bytes and 256 more. */
class HeadCacheTest {
    private final HeadCache cache = new HeadCache(1_000);

    @Test
    void whatFitsExactlyStays() {
        cache.put(key("A"), head(244));
        cache.put(key("B"), head(244));
        assertThat(cache.get(key("A"))).isNotNull();
        assertThat(cache.get(key("B"))).isNotNull();
    }

    @Test
    void oneByteMoreCostsTheEldest() {
        cache.put(key("A"), head(244));
        cache.put(key("B"), head(245));
        assertThat(cache.get(key("A"))).isNull();
        assertThat(cache.get(key("B"))).isNotNull();
    }

    @Test
    void whatWasUsedIsNotTheEldest() {
        cache.put(key("A"), head(100));
        cache.put(key("B"), head(100));
        cache.get(key("A"));
        cache.put(key("C"), head(100));
        assertThat(cache.get(key("B"))).isNull();
        assertThat(cache.get(key("A"))).isNotNull();
    }

    @Test
    void asManyGoAsMustAndWhatTheyHeldIsFree() {
        for (String id : new String[] {"A", "B", "C"}) {
            cache.put(key(id), head(0));
        }
        cache.put(key("D"), head(400));
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
    void theLastOneStaysWhateverItsSizeUntilAnotherIsKept() {
        cache.put(key("A"), head(5_000));
        assertThat(cache.get(key("A"))).isNotNull();
        cache.put(key("B"), head(0));
        assertThat(cache.get(key("A"))).isNull();
        assertThat(cache.get(key("B"))).isNotNull();
    }

    @Test
    void aHeadInPlaceOfAnotherCountsOnce() {
        for (int i = 0; i < 10; i++) {
            cache.put(key("A"), head(100));
        }
        cache.put(key("B"), head(100));
        assertThat(cache.get(key("A"))).isNotNull();
        cache.put(key("A"), head(0));
        cache.put(key("C"), head(132));
        assertThat(cache.get(key("B"))).isNotNull();
        cache.put(key("D"), head(0));
        assertThat(cache.get(key("A"))).isNull();
    }

    @Test
    void afterClearingNothingIsKeptAndNothingCounts() {
        cache.put(key("A"), head(500));
        cache.clear();
        assertThat(cache.get(key("A"))).isNull();
        cache.put(key("B"), head(244));
        cache.put(key("C"), head(244));
        assertThat(cache.get(key("B"))).isNotNull();
    }

    private static CheckpointKey key(String id) {
        return new CheckpointKey("n", "c", id);
    }

    private static Head head(long bytes) {
        return new Head(ByteBuffer.allocate(32), 1, bytes, 0, HashTreePMap.empty());
    }
}
