package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.OpenItem;
import dev.parley.avro.TrackedItems;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.analytics.AuditLoad.Audited;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** Runs the analytics in Kafka's test driver. A restart keeps what a changelog keeps: the content of the stores. */
final class TrafficDriver implements AutoCloseable {
    private final Path directory;
    private final TrafficSettings settings;
    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Topics topics = new Topics(TopicNames.DEFAULT, serdes);
    private final Map<String, OpenItem> open = new TreeMap<>();
    private int lives;
    private TopologyTestDriver driver;
    private TestInputTopic<String, AuditRecord> audit;

    TrafficDriver(Path directory, int maxKeys) {
        this(directory, settings(maxKeys, TrafficSettings.DEFAULT.maxOpenItems()));
    }

    /** The default settings with other limits. */
    static TrafficSettings settings(int maxKeys, int maxOpenItems) {
        TrafficSettings usual = TrafficSettings.DEFAULT;
        return new TrafficSettings(usual.grace(), usual.pause(), maxKeys, maxOpenItems, usual.items());
    }

    TrafficDriver(Path directory, TrafficSettings settings) {
        this.directory = directory;
        this.settings = settings;
        start();
    }

    private void start() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "parley-traffic");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
        properties.put(
                StreamsConfig.STATE_DIR_CONFIG,
                directory.resolve("life-" + lives++).toString());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        driver = new TopologyTestDriver(TrafficTopology.build(topics, 1, settings), properties);
        audit = driver.createInputTopic(
                topics.audit().name(),
                new StringSerializer(),
                topics.audit().values().serializer());
    }

    void audit(AuditRecord record) {
        audit(Audited.atOnce(record));
    }

    void audit(Audited entry) {
        audit(entry.record(), entry.decided().toString());
    }

    /** Sends a record with the text of the time of its verdict. */
    void audit(AuditRecord record, String decided) {
        Headers headers = new RecordHeaders().add("ce_time", decided.getBytes(StandardCharsets.UTF_8));
        audit.pipeInput(new TestRecord<>(
                record.getChain(), record, headers, record.getSource().getTimestamp()));
    }

    void later(Duration duration) {
        driver.advanceWallClockTime(duration);
    }

    /** Stops and starts the application. Read the rows before. */
    void restart() {
        Map<String, long[]> counts = counts();
        Map<String, TrackedItems> items = tracked();
        openItems();
        driver.close();
        start();
        KeyValueStore<String, TrackedItems> restored = driver.getKeyValueStore(TrafficTopology.OPEN_ITEMS);
        items.forEach(restored::put);
        KeyValueStore<String, long[]> restoredCounts = driver.getKeyValueStore(TrafficTopology.COUNTS);
        counts.forEach(restoredCounts::put);
    }

    private Map<String, long[]> counts() {
        Map<String, long[]> content = new HashMap<>();
        KeyValueStore<String, long[]> store = driver.getKeyValueStore(TrafficTopology.COUNTS);
        try (KeyValueIterator<String, long[]> all = store.all()) {
            all.forEachRemaining(entry -> content.put(entry.key, entry.value));
        }
        return content;
    }

    /** The content of the store of open items. */
    Map<String, TrackedItems> tracked() {
        Map<String, TrackedItems> items = new HashMap<>();
        KeyValueStore<String, TrackedItems> store = driver.getKeyValueStore(TrafficTopology.OPEN_ITEMS);
        try (KeyValueIterator<String, TrackedItems> all = store.all()) {
            all.forEachRemaining(entry -> items.put(entry.key, entry.value));
        }
        return items;
    }

    /** Bytes that the store of open items has written since the last call. */
    long bytesOfItems() {
        return driver
                .createOutputTopic(
                        "parley-traffic-" + TrafficTopology.OPEN_ITEMS + "-changelog",
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())
                .readRecordsToList()
                .stream()
                .mapToLong(record -> record.key().length + (record.value() == null ? 0 : record.value().length))
                .sum();
    }

    /** The rows of open items, as compaction leaves them. */
    Map<String, OpenItem> openItems() {
        driver.createOutputTopic(
                        topics.openItem().name(),
                        new StringDeserializer(),
                        topics.openItem().values().deserializer())
                .readKeyValuesToList()
                .forEach(row -> {
                    if (row.value == null) {
                        open.remove(row.key);
                    } else {
                        open.put(row.key, row.value);
                    }
                });
        return open;
    }

    /** The rows of one topic since the last call. */
    <R extends SpecificRecord> List<R> rows(Function<Topics, Topic<String, R>> select) {
        return keyedRows(select.apply(topics)).stream().map(row -> row.value).toList();
    }

    /** The rows of all topics since the last call, with their keys. */
    List<KeyValue<String, ? extends SpecificRecord>> allRows() {
        List<KeyValue<String, ? extends SpecificRecord>> rows = new ArrayList<>();
        for (Statistic statistic : Statistic.values()) {
            rows.addAll(keyedRows(statistic.topic(topics)));
        }
        return rows;
    }

    private <R extends SpecificRecord> List<KeyValue<String, R>> keyedRows(Topic<String, R> topic) {
        return driver.createOutputTopic(
                        topic.name(), new StringDeserializer(), topic.values().deserializer())
                .readKeyValuesToList();
    }

    @Override
    public void close() throws IOException {
        driver.close();
        serdes.close();
    }
}
