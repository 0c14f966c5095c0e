package dev.parley.benchmarks.speed;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            return new Output((int) Math.round(topic.value()), (int) Math.round(topic.headerCount()), (int)
                    Math.round(topic.headers()));
        }
    }

    /** Returns the sizes of Parley's records, from a measurement of its topics; small ones for missing stores. */
    static Sizes of(List<TopicBytes> topics) {
        return new Sizes(
                value(topics, "by-conversation-repartition", SMALL.repartition),
                value(topics, "conversations-changelog", SMALL.state),
                value(topics, "outcomes-changelog", SMALL.count),
                Output.of(TopicBytes.named(topics, "parley.audit.v1")),
                Output.of(TopicBytes.named(topics, "parley.message.v1")));
    }

    private static int value(List<TopicBytes> topics, String name, int missing) {
        return topics.stream()
                .filter(topic -> topic.topic().equals(name))
                .findFirst()
                .map(topic -> (int) Math.round(topic.value()))
                .orElse(missing);
    }

    /** Reads what {@link #toString} returns. */
    static Sizes parse(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String number : text.split(",", -1)) {
            numbers.add(Integer.valueOf(number));
        }
        return new Sizes(
                numbers.get(0),
                numbers.get(1),
                numbers.get(2),
                new Output(numbers.get(3), numbers.get(4), numbers.get(5)),
                new Output(numbers.get(6), numbers.get(7), numbers.get(8)));
    }

    /** Returns the numbers in order, separated by commas. */
    @Override
    public String toString() {
        return Stream.of(
                        repartition,
                        state,
                        count,
                        first.value,
                        first.headers,
                        first.headerBytes,
                        second.value,
                        second.headers,
                        second.headerBytes)
                .map(Object::toString)
                .collect(Collectors.joining(","));
    }
}
