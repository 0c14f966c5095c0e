package dev.parley.topology.views;

import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.Statistic;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores the rows of the analytics topics in {@link ViewStores#STATISTICS} for {@link ViewRetention#statistics}. A row
 * is final, so every put may be repeated. Rows that are too old already are skipped.
 */
final class StatisticView extends ContextualProcessor<byte[], byte[], Void, Void> {
    /** Maximum rows that one slice deletes for each statistic. */
    private static final int SLICE = 2_000;

    private final Topics topics;
    private final long retention;
    private KeyValueStore<Bytes, byte[]> store;

    StatisticView(Topics topics, ViewRetention retention) {
        this.topics = topics;
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
        Statistic statistic = statistic(context().recordMetadata().orElseThrow().topic());
        StatisticRow row = new StatisticRow(read(statistic.topic(topics), record.value()));
        if (retention == ViewRetention.FOREVER || row.start() >= context().currentSystemTimeMs() - retention) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            store.put(ViewKeys.statistic(statistic, row.start(), key, row.isLate()), record.value());
        }
    }

    private Statistic statistic(String topic) {
        for (Statistic statistic : Statistic.values()) {
            if (statistic.topic(topics).name().equals(topic)) {
                return statistic;
            }
        }
        throw new IllegalArgumentException("not a topic of a statistic: " + topic);
    }

    private static <R extends SpecificRecord> R read(Topic<String, R> topic, byte[] value) {
        return RegistryRetry.read(topic, value);
    }

    /** Deletes a slice of each statistic. Returns whether nothing remains to be deleted. */
    private boolean expire(long now) {
        boolean all = true;
        for (Statistic statistic : Statistic.values()) {
            List<Bytes> expired = new ArrayList<>();
            all &= StoreSweeper.read(
                    store,
                    ViewKeys.statistics(statistic, 0),
                    ViewKeys.statistics(statistic, now - retention),
                    new StoreSweeper.Budget(SLICE),
                    row -> expired.add(row.key));
            expired.forEach(store::delete);
        }
        return all;
    }
}
