package dev.parley.topology.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.kafka.CheckedRestores.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repairs what an earlier restore noted, also one of a standby before a restart. */
class CheckedRestoresTest {
    @TempDir
    private Path directory;

    private final CheckedRestores restores = new CheckedRestores(
            "views",
            Map.of(
                    "messages",
                    new Store(Set.of("audit"), (key, value) -> {}),
                    "log",
                    new Store(Set.of(), (k, v) -> {})));

    @Test
    void aNotedKeyWithoutAValueIsDeletedAndTheTopicIsReadAgain() {
        KeyValueStore<Bytes, byte[]> store = store("messages", List.of("\u00ffk"));

        assertThat(keys(store)).isEmpty();
        assertThat(restores.unread).containsExactly(new TopicPartition("audit", 3));
    }

    @Test
    void aNotedKeyWithAnotherValueKeepsItAndNothingIsReadAgain() {
        KeyValueStore<Bytes, byte[]> store = store("messages", List.of("j", "k", "\u00ffk"));

        assertThat(keys(store)).containsExactly("j", "k");
        assertThat(restores.unread).isEmpty();
    }

    @Test
    void othersStoresAreNotChanged() {
        assertThat(keys(store("accounting", List.of("\u00ffk")))).containsExactly("\u00ffk");
    }

    /** A store with these keys after the start of its task in partition 3. */
    private KeyValueStore<Bytes, byte[]> store(String name, List<String> keys) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "views");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
        settings.put(CheckedRestores.CONFIG, restores);
        MockProcessorContext<Void, Void> context =
                new MockProcessorContext<>(settings, new TaskId(0, 3), directory.toFile());
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        keys.forEach(key -> store.put(bytes(key), "value".getBytes(ISO_8859_1)));
        CheckedRestores.repair(context, store);
        return store;
    }

    private static Bytes bytes(String key) {
        return Bytes.wrap(key.getBytes(ISO_8859_1));
    }

    private static List<String> keys(KeyValueStore<Bytes, byte[]> store) {
        List<String> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> keys.add(new String(entry.key.get(), ISO_8859_1)));
        }
        return keys;
    }
}
