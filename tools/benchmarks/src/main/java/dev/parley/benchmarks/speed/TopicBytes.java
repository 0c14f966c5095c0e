package dev.parley.benchmarks.speed;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Average records of a topic.
 *
 * @param topic its name, for an internal topic without the application ID
 * @param records records per input message
 * @param key bytes of the key of a record
 * @param headers bytes of the names and values of its headers
 * @param headerCount number of its headers
 * @param value bytes of its value
 */
record TopicBytes(String topic, double records, double key, double headers, double headerCount, double value) {
    /** Topics with less than this many bytes per message are summarized. */
    private static final double MIN_BYTES = 0.5;

    /** Returns the bytes of its records per input message, without the framing of records and batches. */
    double perMessage() {
        return records * (key + headers + value);
    }

    /**
     * Returns the topic of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static TopicBytes named(List<TopicBytes> topics, String name) {
        return topics.stream()
                .filter(topic -> topic.topic.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No records in a topic " + name + " of " + topics));
    }

    /** Returns a table, the largest topic first. */
    static String table(List<TopicBytes> topics) {
        StringBuilder table = new StringBuilder(
                "| topic | records per message | key | headers | value | bytes per message |\n|---|---|---|---|---|---|\n");
        topics.stream()
                .filter(topic -> topic.perMessage() >= MIN_BYTES)
                .sorted(Comparator.comparingDouble(TopicBytes::perMessage).reversed())
                .forEach(topic -> table.append(String.format(
                        Locale.ROOT,
                        "| %s | %.2f | %.0f | %.0f | %.0f | %,.0f |\n",
                        topic.topic,
                        topic.records,
                        topic.key,
                        topic.headers,
                        topic.value,
                        topic.perMessage())));
        double sum = topics.stream().mapToDouble(TopicBytes::perMessage).sum();
        return table.append(String.format(Locale.ROOT, "| all topics | | | | | %,.0f |\n", sum))
                .toString();
    }
}
