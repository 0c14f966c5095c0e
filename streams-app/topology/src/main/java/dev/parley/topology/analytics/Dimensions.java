package dev.parley.topology.analytics;

import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.StatisticRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * The dimensions of one row of an analytics topic. Equal dimensions are counted together. The counts of a row are an
 * array in the order of its fields, and {@link #merge} merges those of the same dimensions.
 *
 * @param values texts in the order of the row's fields; null if unknown
 * @param isOther whether they count what exceeds a maximum
 */
public record Dimensions(Statistic statistic, List<String> values, boolean isOther) {

    private static final Set<String> CHOSEN_BY_AGENTS =
            Set.of("namespace", "sender", "recipient", "agent", "name", "context", "definition");
    private static final char SEPARATOR = '|';
    private static final String OTHER_PREFIX = "other" + SEPARATOR;
    private static final Statistic[] STATISTICS = Statistic.values();

    public static Dimensions of(Statistic statistic, String... values) {
        return new Dimensions(statistic, Arrays.asList(values), false);
    }

    /**
     * Returns the statistic of a key that {@link #toKey} made. Any other key, which another client wrote, counts as
     * traffic until {@link #parse} rejects it.
     */
    static Statistic statisticOf(String key) {
        for (Statistic statistic : STATISTICS) {
            int length = statistic.text().length();
            if (key.length() > length && key.charAt(length) == SEPARATOR && key.startsWith(statistic.text())) {
                return statistic;
            }
        }
        return Statistic.TRAFFIC;
    }

    /** Merges two counts of a statistic: sums, except for a maximum. */
    static long[] merge(Statistic statistic, long[] one, long[] other) {
        long[] merged = new long[one.length];
        for (int i = 0; i < merged.length; i++) {
            merged[i] = StatisticRow.combine(statistic.measures().get(i), one[i], other[i]);
        }
        return merged;
    }

    /** Reads the dimensions in a key that {@link #toKey} made. */
    static Dimensions parse(String key) {
        Statistic statistic = statisticOf(key);
        int start = statistic.text().length() + 1;
        boolean isOther = key.startsWith(OTHER_PREFIX, start);
        KeyFields fields = new KeyFields(key, isOther ? start + OTHER_PREFIX.length() : start);
        List<String> values = new ArrayList<>(statistic.dimensions());
        values.replaceAll(name -> fields.next());
        return new Dimensions(statistic, values, isOther);
    }

    /** Returns these dimensions as one string. */
    public String toKey() {
        StringBuilder key =
                new StringBuilder(96).append(statistic.text()).append(SEPARATOR).append(isOther ? OTHER_PREFIX : "");
        values.forEach(value -> KeyFields.append(key, value));
        return key.toString();
    }

    /**
     * Returns the dimensions that count what exceeds the maximum: each name that agents choose is
     * {@link StatisticRow#OTHER_NAME}.
     */
    Dimensions other() {
        List<String> others = new ArrayList<>(values);
        for (int i = 0; i < others.size(); i++) {
            if (CHOSEN_BY_AGENTS.contains(statistic.dimensions().get(i))) {
                others.set(i, StatisticRow.OTHER_NAME);
            }
        }
        return new Dimensions(statistic, others, true);
    }

    /**
     * Returns the row of these dimensions.
     *
     * @param start start of its minute
     * @param counts its counts
     * @param late whether they belong to earlier minutes
     */
    SpecificRecord row(Instant start, long[] counts, boolean late) {
        SpecificRecordBase row = statistic.newRow();
        int field = 0;
        row.put(field++, start);
        row.put(field++, start.plus(TrafficTopology.WINDOW));
        for (String value : values) {
            row.put(field++, value);
        }
        for (long count : counts) {
            row.put(field++, count);
        }
        row.put(field++, late);
        row.put(field, isOther);
        return row;
    }
}
