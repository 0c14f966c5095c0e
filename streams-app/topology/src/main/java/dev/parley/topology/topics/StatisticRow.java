package dev.parley.topology.topics;

import dev.parley.avro.Verdict;
import java.time.Instant;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * A row of an analytics topic by the form that all of them have: {@code windowStart}, texts and {@code other} as
 * dimensions, and integers as measures. The sum of a measure over rows has a meaning, unless its name begins with max:
 * then the largest has.
 *
 * @param row the row
 */
public record StatisticRow(SpecificRecord row) {

    /** Replaces the names that agents choose, in rows beyond the maximum number of a minute. */
    public static final String OTHER_NAME = "(other)";

    private static final String START = "windowStart";
    private static final String OTHER = "other";
    private static final String MAXIMUM = "max";
    private static final String UNDECODABLE = Verdict.UNDECODABLE.name();
    private static final String DECODE_ERROR = "DECODE_ERROR";

    /** Names of the dimensions of a row. */
    static List<String> dimensions(Schema schema) {
        return schema.getFields().stream()
                .filter(field -> field.schema().getType() == Schema.Type.STRING
                        || field.schema().isUnion())
                .map(Schema.Field::name)
                .toList();
    }

    /** Names of the measures of a row. */
    static List<String> measures(Schema schema) {
        return schema.getFields().stream()
                .filter(field -> field.schema().getType() == Schema.Type.LONG
                        && field.schema().getLogicalType() == null)
                .map(Schema.Field::name)
                .toList();
    }

    /** Combines the values of a measure in two rows. */
    public static long combine(String measure, long first, long second) {
        return measure.startsWith(MAXIMUM) ? Math.max(first, second) : first + second;
    }

    /** Start of the window, in milliseconds since the epoch. */
    public long start() {
        return ((Instant) get(START)).toEpochMilli();
    }

    /** Whether the row counts messages beyond a maximum, without their names. */
    public boolean isOther() {
        return (boolean) get(OTHER);
    }

    /** Whether a dimension has no name because the row counts messages beyond a maximum. */
    public boolean isUnnamed(String dimension) {
        return isOther() && OTHER_NAME.equals(dimension(dimension));
    }

    /** Whether the row counts undecodable records, which only claim their namespace. */
    public boolean isClaimed() {
        return UNDECODABLE.equals(dimension("verdict")) || DECODE_ERROR.equals(dimension("kind"));
    }

    /** The value of a dimension; may be null. */
    public String dimension(String name) {
        Object value = get(name);
        return value == null ? null : value.toString();
    }

    /** The value of a measure. */
    public long measure(String name) {
        return ((Number) get(name)).longValue();
    }

    private Object get(String name) {
        Schema.Field field = row.getSchema().getField(name);
        return field == null ? null : row.get(field.pos());
    }
}
