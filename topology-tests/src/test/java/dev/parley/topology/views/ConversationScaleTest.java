package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.read.StandaloneStores;
import dev.parley.topology.views.store.ViewStores;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sorted pages of many conversations over RocksDB: what a page costs depends neither on its order nor on its place. The
 * number of conversations is the system property {@code conversations}.
 */
@Tag("long")
class ConversationScaleTest {
    private static final int CONVERSATIONS = Integer.getInteger("conversations", 50_000);
    private static final int LIMIT = 50;
    private static final int PAGES = 500;
    /** Of medians: the machine may be busy with something else for some pages. */
    private static final int MAX_RATIO = 20;

    private static final ConversationView.Filter NONE = ConversationView.Filter.NONE;
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    private final List<Bytes> keys = new ArrayList<>();

    @Test
    void aSortedPageCostsAboutAsMuchAsOneOfTheLatestConversations() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        System.out.println("ConversationScaleTest: -Dparley.seed=" + seed);
        Random random = new Random(seed);
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(ViewStores.AUDIT), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        MockProcessorContext<Void, Void> context =
                new MockProcessorContext<>(new Properties(), new TaskId(0, 0), directory.toFile());
        store.init(context.getStateStoreContext(), store);
        try {
            fill(store, random);
            ConversationView view = new Views(new StandaloneStores(name -> store), null).conversations();
            measure("warm-up", view, NONE, ConversationOrder.LATEST, false, random);
            long latest = measure("latest", view, NONE, ConversationOrder.LATEST, false, random);
            for (ConversationOrder.By by : ConversationOrder.By.values()) {
                for (boolean ascending : new boolean[] {false, true}) {
                    ConversationOrder order = new ConversationOrder(by, ascending);
                    String name = by + (ascending ? " ascending" : "");
                    for (boolean deep : new boolean[] {false, true}) {
                        assertThat(measure(name + (deep ? ", deep" : ", first"), view, NONE, order, deep, random))
                                .as("median of %s, in ns; latest %s", order, latest)
                                .isLessThan(latest * MAX_RATIO);
                    }
                }
            }
            ConversationView.Filter one = new ConversationView.Filter(
                    Optional.of("namespace-7"), Optional.empty(), Optional.empty(), Optional.empty());
            // It reads the index of the order, or all matches if these are few: thousands of entries for a page.
            ConversationOrder byErrors = new ConversationOrder(ConversationOrder.By.ERRORS, false);
            measure("a namespace by errors", view, one, byErrors, false, random);
        } finally {
            store.close();
        }
    }

    private void fill(KeyValueStore<Bytes, byte[]> store, Random random) {
        ConversationView.Writer writer = new ConversationView.Writer(store, store::put);
        for (int i = 0; i < CONVERSATIONS; i++) {
            ConversationSummary summary = summary(i, random);
            Bytes key = ConversationView.key(summary.getNamespace(), Protocol.SLIP, summary.getConversation());
            keys.add(key);
            store.put(key, ConversationView.VALUE.encode(summary));
            writer.move(key, List.of(), summary);
            writer.put(ConversationView.index(Protocol.SLIP, null, null), key, summary);
        }
        // As in a store that has grown: every tenth has moved.
        for (int i = 0; i < CONVERSATIONS; i += 10) {
            ConversationSummary summary = ConversationView.VALUE.decode(store.get(keys.get(i)));
            List<Bytes> before = ConversationOrder.entries(keys.get(i), summary);
            summary.setLastSequence(summary.getLastSequence() + 1);
            summary.setRejected(summary.getRejected() + 1);
            summary.setLastTime(summary.getLastTime().plusSeconds(60));
            writer.move(keys.get(i), before, summary);
            store.put(keys.get(i), ConversationView.VALUE.encode(summary));
        }
        store.flush();
    }

    /** Most conversations are short, some long, and most have no error. */
    private static ConversationSummary summary(int i, Random random) {
        long messages = 1 + (long) Math.pow(10, 4 * random.nextDouble());
        long errors = random.nextInt(4) == 0 ? random.nextLong(messages) : 0;
        String namespace = "namespace-" + i % 100;
        return ConversationSummary.newBuilder()
                .setChain(namespace + "|SLIP|" + i)
                .setNamespace(namespace)
                .setProtocol(Protocol.SLIP)
                .setConversation(Integer.toString(i))
                .setFirstTime(START.plusMillis(i))
                .setLastTime(START.plusMillis(i + 1_000L * messages))
                .setAccepted(messages - errors)
                .setRejected(errors)
                .setLastSequence(messages - 1)
                .setLastHash(ByteBuffer.allocate(32))
                .setLastVerdict(Verdict.ACCEPTED)
                .build();
    }

    /** Prints the median and the 99th percentile of pages, and returns the median in nanoseconds. */
    private long measure(
            String name,
            ConversationView view,
            ConversationView.Filter filter,
            ConversationOrder order,
            boolean deep,
            Random random) {
        long[] nanos = new long[PAGES];
        for (int i = 0; i < PAGES; i++) {
            Optional<Bytes> after = Optional.empty();
            if (deep) {
                int any = random.nextInt(keys.size());
                String namespace = "namespace-" + any % 100;
                after = view.one(namespace, Protocol.SLIP, Integer.toString(any))
                        .map(summary -> order.key(keys.get(any), summary));
            }
            List<Bytes> page = new ArrayList<>();
            long start = System.nanoTime();
            view.list(filter, order, after, LIMIT, (key, summary) -> page.add(key));
            nanos[i] = System.nanoTime() - start;
            if (!deep) {
                assertThat(page).hasSize(LIMIT);
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%s of %,d conversations: median %.2f ms, 99 %% %.2f ms%n",
                name, CONVERSATIONS, nanos[PAGES / 2] / 1e6, nanos[PAGES * 99 / 100] / 1e6);
        return nanos[PAGES / 2];
    }
}
