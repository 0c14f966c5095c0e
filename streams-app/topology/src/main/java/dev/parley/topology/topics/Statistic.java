package dev.parley.topology.topics;

import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.PatchCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * The analytics topics of counts. Their rows have the form of {@link StatisticRow}. A constant's place is part of the
 * keys in the view of rows.
 */
public enum Statistic {
    /** Messages: {@code parley.traffic-1m.v1}. */
    TRAFFIC("traffic", TrafficCount::new, Topics::traffic),
    /** Decode errors, violations and warnings: {@code parley.violation-1m.v1}. */
    VIOLATIONS("violations", ViolationCount::new, Topics::violation),
    /** Messages between two agents: {@code parley.edge-1m.v1}. */
    EDGES("edges", EdgeCount::new, Topics::edge),
    /** Times from request to result: {@code parley.turnaround-1m.v1}. */
    TURNAROUND("turnaround", TurnaroundCount::new, Topics::turnaround),
    /** Patches: {@code parley.patch-1m.v1}. */
    PATCHES("patches", PatchCount::new, Topics::patch),
    /** Changes of definitions: {@code parley.definition-change-1m.v1}. */
    DEFINITION_CHANGES("definition-changes", DefinitionChangeCount::new, Topics::definitionChange);

    /** The statistics whose rows the views keep for a while. */
    public static final List<Statistic> IN_VIEWS = List.of(TRAFFIC, VIOLATIONS, EDGES, TURNAROUND);

    private final String text;
    private final Supplier<SpecificRecordBase> rows;
    private final Function<Topics, Topic<String, ? extends SpecificRecord>> topic;
    private final List<String> dimensions;
    private final List<String> measures;

    Statistic(
            String text,
            Supplier<SpecificRecordBase> rows,
            Function<Topics, Topic<String, ? extends SpecificRecord>> topic) {
        this.text = text;
        this.rows = rows;
        this.topic = topic;
        Schema schema = rows.get().getSchema();
        this.dimensions = StatisticRow.dimensions(schema);
        this.measures = StatisticRow.measures(schema);
    }

    /** Name in the paths of the API and in keys of rows. */
    public String text() {
        return text;
    }

    /** Names of the dimensions, in the order of the row's fields. */
    public List<String> dimensions() {
        return dimensions;
    }

    /** Names of the measures, in the order of the row's fields. */
    public List<String> measures() {
        return measures;
    }

    public SpecificRecordBase newRow() {
        return rows.get();
    }

    public Topic<String, ? extends SpecificRecord> topic(Topics topics) {
        return topic.apply(topics);
    }
}
