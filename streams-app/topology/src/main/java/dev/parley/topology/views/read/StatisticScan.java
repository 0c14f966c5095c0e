package dev.parley.topology.views.read;

import dev.parley.topology.views.store.Statistic;
import dev.parley.topology.views.store.StatisticRow;
import dev.parley.topology.views.store.ViewKeys;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads the rows of a statistic in a time range, in no particular order. */
final class StatisticScan {

    private StatisticScan() {}

    static void scan(
            List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
            Statistic statistic,
            long from,
            long to,
            Function<byte[], ? extends SpecificRecord> decoder,
            Predicate<StatisticRow> visitor) {
        Bytes end = ViewKeys.statistics(statistic, to);
        try (MergedRange rows = new MergedRange(partitions, ViewKeys.statistics(statistic, from), end)) {
            while (rows.hasNext() && rows.peekNextKey().compareTo(end) < 0) {
                if (!visitor.test(new StatisticRow(decoder.apply(rows.next().value)))) {
                    return;
                }
            }
        }
    }
}
