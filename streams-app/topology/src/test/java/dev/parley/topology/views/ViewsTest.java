package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.CheckpointEntry;
import dev.parley.avro.Source;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.state.PointInTime.AtOffset;
import dev.parley.state.PointInTime.AtTime;
import dev.parley.state.StateQueryException;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.MemoryPartition;
import dev.parley.topology.views.read.MergedRange;
import dev.parley.topology.views.read.StandaloneStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Views over stores that cannot be read, or not within the bounds of a request. */
class ViewsTest {

    static Iterable<RuntimeException> failures() {
        return Map.of(
                        "a store that moves", new InvalidStateStoreException("migrated"),
                        "an application that starts", new StreamsNotStartedException("not started"),
                        "an application that is closed", new IllegalStateException("closed"),
                        "an unavailable registry", new SerializationException("no schema"))
                .values();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void unreadableStoresMakeViewsUnavailable(RuntimeException failure) {
        Views views = new Views(
                new StandaloneStores(store -> {
                    throw failure;
                }),
                null);

        assertThatThrownBy(views::accounting)
                .isInstanceOf(ViewsUnavailableException.class)
                .hasCause(failure);
    }

    @Test
    void aPointInTimeIsSearchedAmongTheLatestCheckpointsUpToABoundOfBytes() {
        AtomicInteger read = new AtomicInteger();
        MemoryPartition partition = new MemoryPartition() {
            @Override
            public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
                read.set(0);
                return new CountedIterator(super.reverseRange(from, to), read);
            }
        };
        String longName = "C".repeat(1 << 16);
        int count = 400;
        for (int i = 0; i < count; i++) {
            partition.put(
                    CheckpointView.ordinal("default", "build", i),
                    CheckpointView.ENTRY.encode(new CheckpointEntry(
                            longName + i, new Source("parley.wire", 0, (long) i, Instant.ofEpochSecond(i), null))));
        }
        Topics topics = new Topics(
                TopicNames.DEFAULT, AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://views-test")));
        Views views = new Views(new StandaloneStores(store -> partition), topics);
        int bound = (int) (MergedRange.MAX_EXAMINED_BYTES >> 16);

        assertThat(views.latestAt("default", "build", new AtTime(Instant.ofEpochSecond(count))))
                .hasValue(longName + (count - 1));
        assertThat(read).hasValue(1);
        assertThat(views.latestAt("default", "build", new AtOffset("parley.wire", 0, count - bound + 10)))
                .hasValue(longName + (count - bound + 10));
        assertThat(views.latestAt("default", "elsewhere", new AtTime(Instant.EPOCH)))
                .isEmpty();
        assertThatThrownBy(() -> views.latestAt("default", "build", new AtTime(Instant.EPOCH)))
                .isInstanceOfSatisfying(
                        StateQueryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(StateQueryException.Code.TOO_FAR_BACK))
                .hasMessageContaining("/checkpoints");
        assertThat(read.get()).isLessThanOrEqualTo(bound);
        assertThatThrownBy(() -> views.latestAt("default", "build", new AtOffset("another.topic", 0, count)))
                .isInstanceOf(StateQueryException.class);
        assertThat(read.get()).isLessThanOrEqualTo(bound);
    }

    /** Counts the entries that it returns. */
    private record CountedIterator(KeyValueIterator<Bytes, byte[]> entries, AtomicInteger count)
            implements KeyValueIterator<Bytes, byte[]> {
        @Override
        public Bytes peekNextKey() {
            return entries.peekNextKey();
        }

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            count.incrementAndGet();
            return entries.next();
        }

        @Override
        public void close() {
            entries.close();
        }
    }
}
