package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A page of the rows of a statistic.
 *
 * @param step seconds
 * @param keptFrom time before which rows may be deleted; null if all are kept
 * @param completeTo time up to which rows will not change; null if unknown, or if records are overdue
 */
public record Statistics(
        Instant from,
        Instant to,
        long step,
        @Nullable Instant keptFrom,
        @Nullable Instant completeTo,
        List<Row> rows,
        @Nullable String next) {

    /**
     * Sums over one step of time.
     *
     * @param time start of the step
     * @param dimensions dimensions by name, whose values may be null
     * @param other whether the row counts messages without their names
     * @param measures sums by name
     */
    public record Row(
            Instant time,
            @JsonIgnore Map<String, String> dimensions,
            boolean other,
            @JsonIgnore Map<String, Long> measures) {

        /** The dimensions and measures, which are keys of the object. */
        @JsonAnyGetter
        Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>(dimensions);
            values.putAll(measures);
            return values;
        }
    }
}
