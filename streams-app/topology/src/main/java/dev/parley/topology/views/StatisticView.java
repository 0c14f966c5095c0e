package dev.parley.topology.views;

import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.MergedRange;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The rows of the analytics topics in {@link ViewStores#STATISTICS} for {@link ViewRetention#statistics}. Their values
 * are those of their topics.
 */
public record StatisticView(StoreReader store, Topics topics) {
    static final int ROW = 1;

    /**
     * Visits the rows of a statistic whose windows start in a time range.
     *
     * @param from in milliseconds since the epoch, inclusive
     * @param to in milliseconds since the epoch, exclusive
     * @param max maximum rows to read
     * @return whether there were no more rows
     */
    public boolean visit(Statistic statistic, long from, long to, int max, Consumer<StatisticRow> visitor) {
        return store.partitions(partitions -> {
            try (MergedRange rows = new MergedRange()) {
                rows.add(partitions, window(statistic, from), window(statistic, to), UnaryOperator.identity());
                Topic<String, ? extends SpecificRecord> topic = statistic.topic(topics);
                for (int read = 0; read < max && rows.hasNext(); read++) {
                    StatisticRow row = new StatisticRow(topic.read(rows.next().value()));
                    if (isInScope(row)) {
                        visitor.accept(row);
                    }
                }
                return !rows.hasNext();
            }
        });
    }

    /** Whether the reader sees a row: a row of other messages may count those of any namespace. */
    private boolean isInScope(StatisticRow row) {
        return store.scope().includes(row.isOther() || row.isClaimed() ? null : row.dimension("namespace"));
    }

    /**
     * Key of a row.
     *
     * @param start start of its window, in milliseconds since the epoch
     * @param row key of the row in its topic
     */
    static Bytes key(Statistic statistic, long start, String row) {
        return ViewKeys.of(window(statistic, start)).text(row).build();
    }

    /** Key prefix of the rows of a window. */
    private static Bytes window(Statistic statistic, long start) {
        return ViewKeys.of(ROW)
                .number(statistic.ordinal())
                .number(Math.max(0, start))
                .build();
    }

    /**
     * Writes the rows of a statistic. A row is final, so every put may be repeated. Rows that are too old already are
     * skipped.
     */
    static final class Writer extends ContextualProcessor<byte[], byte[], Void, Void> {
        /** Maximum rows that one slice deletes. */
        private static final int SLICE = 2_000;

        private final Statistic statistic;
        private final Topic<String, ? extends SpecificRecord> topic;
        private final long retention;
        private KeyValueStore<Bytes, byte[]> store;

        Writer(Statistic statistic, Topics topics, ViewRetention retention) {
            this.statistic = statistic;
            this.topic = statistic.topic(topics);
            this.retention = retention.statistics();
        }

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            super.init(context);
            store = context.getStateStore(ViewStores.STATISTICS);
            if (retention != ViewRetention.FOREVER) {
                StoreSweeper.schedule(context, this::expire);
            }
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            if (record.key() == null || record.value() == null) {
                return;
            }
            StatisticRow row = new StatisticRow(RegistryRetry.read(topic, record.value()));
            if (retention == ViewRetention.FOREVER || row.start() >= context().currentSystemTimeMs() - retention) {
                String key = new String(record.key(), StandardCharsets.UTF_8);
                store.put(key(statistic, row.start(), key), record.value());
            }
        }

        /** Deletes a slice. Returns whether nothing remains to be deleted. */
        private boolean expire(long now) {
            List<Bytes> expired = new ArrayList<>();
            Bytes end = window(statistic, now - retention);
            StoreSweeper.Budget budget = new StoreSweeper.Budget(SLICE);
            boolean all = StoreSweeper.read(store, window(statistic, 0), end, budget, row -> expired.add(row.key));
            expired.forEach(store::delete);
            return all;
        }
    }
}
