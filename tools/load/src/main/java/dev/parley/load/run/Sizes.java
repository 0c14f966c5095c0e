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
 * @param first record of the first output
 * @param second record of the second output
 */
record Sizes(int repartition, int state, int count, Output first, Output second) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Small stores, and outputs that are the input. */
    static final Sizes SMALL = new Sizes(0, 120, Long.BYTES, Output.INPUT, Output.INPUT);

    /**
     * A record of an output.
     *
     * @param value bytes of the value; 0 for the value and the headers of the input
     * @param headers number of headers
     * @param headerBytes bytes of their names and values together
     */
    record Output(int value, int headers, int headerBytes) {
        static final Output INPUT = new Output(0, 0, 0);

        private static Output of(TopicBytes topic) {
            return new Output(round(topic.value()), round(topic.headerCount()), round(topic.headers()));
        }
    }

    private static int round(double bytes) {
        return (int) Math.round(bytes);
    }

    /** Returns the sizes of Parley's records, from a measurement of its topics; small ones for missing stores. */
    static Sizes of(List<TopicBytes> topics) {
        Map<String, Integer> values =
                topics.stream().collect(Collectors.toMap(TopicBytes::topic, topic -> round(topic.value())));
        return new Sizes(
                values.getOrDefault("by-conversation-repartition", SMALL.repartition),
                values.getOrDefault("conversations-changelog", SMALL.state),
                values.getOrDefault("outcomes-changelog", SMALL.count),
                Output.of(TopicBytes.named(topics, "parley.audit.v1")),
                Output.of(TopicBytes.named(topics, "parley.message.v1")));
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
