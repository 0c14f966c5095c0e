package dev.parley.topology.views;

import dev.parley.avro.EdgeCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** An analytics topic whose rows the views keep for a while. A constant's place is part of the keys of its rows. */
public enum Statistic {
    TRAFFIC("traffic", TrafficCount.getClassSchema(), Topics::traffic),
    VIOLATIONS("violations", ViolationCount.getClassSchema(), Topics::violation),
    EDGES("edges", EdgeCount.getClassSchema(), Topics::edge),
    TURNAROUND("turnaround", TurnaroundCount.getClassSchema(), Topics::turnaround);

    private final String text;
    private final Schema schema;
    private final Function<Topics, Topic<String, ? extends SpecificRecord>> topic;

    Statistic(String text, Schema schema, Function<Topics, Topic<String, ? extends SpecificRecord>> topic) {
        this.text = text;
        this.schema = schema;
        this.topic = topic;
    }

    /** Name in the paths of the API. */
    public String text() {
        return text;
    }

    /** Schema of the rows. */
    public Schema schema() {
        return schema;
    }

    public Topic<String, ? extends SpecificRecord> topic(Topics topics) {
        return topic.apply(topics);
    }
}
