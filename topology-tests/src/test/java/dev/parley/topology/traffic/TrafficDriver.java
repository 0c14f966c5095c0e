package dev.parley.topology.traffic;

import dev.parley.avro.AuditRecord;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.setup.Topic;
import dev.parley.topology.setup.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Runs the analytics in Kafka's test driver. A restart keeps what a changelog keeps: the content of the stores. */
final class TrafficDriver implements AutoCloseable {
    private static final List<String> STORES = List.of(TrafficTopology.PARTIALS, TrafficTopology.STORE);

    private final Path directory;
    private final int maxKeys;
    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Topics topics = new Topics(serdes);
    private int lives;
    private TopologyTestDriver driver;
    private TestInputTopic<String, AuditRecord> audit;

    TrafficDriver(Path directory, int maxKeys) {
        this.directory = directory;
        this.maxKeys = maxKeys;
        start();
    }

    private void start() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "parley-traffic");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                directory.resolve("life-" + lives++).toString());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        driver =
                new TopologyTestDriver(TrafficTopology.build(topics, TrafficTopology.DEFAULT_GRACE, maxKeys), settings);
        audit = driver.createInputTopic(
                topics.audit().name(),
                new StringSerializer(),
                topics.audit().values().serializer());
    }

    void audit(AuditRecord record) {
        audit.pipeInput(record.getChain(), record, record.getSource().getTimestamp());
    }

    void later(Duration duration) {
        driver.advanceWallClockTime(duration);
    }

    /** Stops and starts the application. Read the rows before. */
    void restart() {
        Map<String, Map<String, long[]>> kept = new HashMap<>();
        for (String name : STORES) {
            kept.put(name, content(name));
        }
        driver.close();
        start();
        for (String name : STORES) {
            KeyValueStore<String, long[]> store = driver.getKeyValueStore(name);
            kept.get(name).forEach(store::put);
        }
    }

    Map<String, long[]> content(String name) {
        Map<String, long[]> content = new HashMap<>();
        KeyValueStore<String, long[]> store = driver.getKeyValueStore(name);
        try (KeyValueIterator<String, long[]> all = store.all()) {
            all.forEachRemaining(entry -> content.put(entry.key, entry.value));
        }
        return content;
    }

    /** The rows of one topic since the last call. */
    <R extends SpecificRecord> List<R> rows(Function<Topics, Topic<String, R>> select) {
        Topic<String, R> topic = select.apply(topics);
        TestOutputTopic<String, R> output = driver.createOutputTopic(
                topic.name(), new StringDeserializer(), topic.values().deserializer());
        return new ArrayList<>(output.readValuesToList());
    }

    @Override
    public void close() throws IOException {
        driver.close();
        serdes.close();
    }
}
