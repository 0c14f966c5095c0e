package dev.parley.load.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sizes of the records of a shape, in bytes.
 *
 * @param repartition value in the repartition topic; 0 for that of the input
 * @param state value in the first store
 * @param count value in the second store
 * @param first records of the first output; null for those of the input
 * @param second records of the second output; null for those of the input
 */
record Sizes(int repartition, int state, int count, TopicBytes first, TopicBytes second) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Small stores, and outputs that are the input. */
    static final Sizes SMALL = new Sizes(0, 120, Long.BYTES, null, null);

    /** Returns the sizes of Parley's records, from a measurement of its topics; small ones for missing stores. */
    static Sizes of(List<TopicBytes> topics) {
        Map<String, Integer> values =
                topics.stream().collect(Collectors.toMap(TopicBytes::topic, topic -> (int) Math.round(topic.value())));
        return new Sizes(
                values.getOrDefault("by-conversation-repartition", SMALL.repartition),
                values.getOrDefault("conversations-changelog", SMALL.state),
                values.getOrDefault("outcomes-changelog", SMALL.count),
                TopicBytes.named(topics, "parley.audit.v1"),
                TopicBytes.named(topics, "parley.message.v1"));
    }

    /** Returns the sizes as JSON, an argument of {@link ReferenceTopology}. */
    String json() throws IOException {
        return JSON.writeValueAsString(this);
    }

    /** Parses the result of {@link #json}. */
    static Sizes parse(String json) throws IOException {
        return JSON.readValue(json, Sizes.class);
    }
}
