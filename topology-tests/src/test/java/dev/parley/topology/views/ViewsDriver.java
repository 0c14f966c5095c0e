package dev.parley.topology.views;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.log.LogNoteReader;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.api.Standalone;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.StatisticBounds;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.metrics.Metrics;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.StandaloneStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.BytesDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** The views under the test driver: what comes into them, and what they show. */
public final class ViewsDriver implements AutoCloseable {
    private final AvroSerdes serdes;
    private final Topics topics;
    private final TopologyTestDriver driver;
    private final TestInputTopic<String, AuditRecord> audit;
    private final TestInputTopic<String, Checkpoint> checkpoints;
    private final Views views;

    /** Views with unlimited retention and without a listener. */
    public static ViewsDriver in(Path directory) {
        return new ViewsDriver(directory, ViewRetention.NONE, ViewsListener.NONE, Instant.now());
    }

    /** The same over a registry. */
    public static ViewsDriver in(Path directory, String registryUrl) {
        return new ViewsDriver(
                directory, 1, ViewRetention.NONE, ViewsListener.NONE, Instant.now(), List.of(), registryUrl);
    }

    /** Views that forget conversations and chains that are idle for a time. */
    static ViewsDriver forgetting(Path directory, Duration idle, Instant clock) {
        ViewRetention retention = new ViewRetention(idle.toMillis(), ViewRetention.FOREVER, ViewRetention.FOREVER);
        return new ViewsDriver(directory, retention, ViewsListener.NONE, clock);
    }

    /**
     * Views with an empty registry of their own.
     *
     * @param directory of their stores
     * @param clock what the clock shows at first; only {@link #pass} moves it
     */
    public ViewsDriver(Path directory, ViewRetention retention, ViewsListener listener, Instant clock) {
        this(directory, 1, retention, listener, clock, List.of(), "mock://" + UUID.randomUUID());
    }

    /** Views that show only heads that a key signed. */
    static ViewsDriver trusting(Path directory, VerifierKey key) {
        String registryUrl = "mock://" + UUID.randomUUID();
        return new ViewsDriver(
                directory, 1, ViewRetention.NONE, ViewsListener.NONE, Instant.now(), List.of(key), registryUrl);
    }

    /** Views of the first of several partitions. */
    static ViewsDriver ofPartitions(Path directory, int partitions) {
        return new ViewsDriver(
                directory,
                partitions,
                ViewRetention.NONE,
                ViewsListener.NONE,
                Instant.now(),
                List.of(),
                "mock://" + UUID.randomUUID());
    }

    private ViewsDriver(
            Path directory,
            int partitions,
            ViewRetention retention,
            ViewsListener listener,
            Instant clock,
            List<VerifierKey> keys,
            String registryUrl) {
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", registryUrl));
        topics = new Topics(TopicNames.DEFAULT, serdes);
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "parley-views");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        settings.putAll(ViewsTopology.config());
        driver = new TopologyTestDriver(
                ViewsTopology.build(
                        topics,
                        partitions,
                        retention,
                        () -> new LogNoteReader(keys),
                        Optional.of(PublicContent.WITHOUT_RULES),
                        listener),
                settings,
                clock);
        audit = input(topics.audit());
        checkpoints = input(topics.checkpoint());
        views = new Views(new StandaloneStores(driver::getKeyValueStore), topics);
    }

    private <V> TestInputTopic<String, V> input(Topic<String, V> topic) {
        return driver.createInputTopic(
                topic.name(), new StringSerializer(), topic.values().serializer());
    }

    private TestInputTopic<byte[], byte[]> bytes(String topic) {
        return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
    }

    Topics topics() {
        return topics;
    }

    public Views views() {
        return views;
    }

    public KeyValueStore<Bytes, byte[]> store(String name) {
        return driver.getKeyValueStore(name);
    }

    /** The changes that a store has sent to its changelog since the last call, in order. */
    public List<KeyValue<Bytes, byte[]>> changes(String store) {
        return driver.createOutputTopic(
                        "parley-views-" + store + "-changelog", new BytesDeserializer(), new ByteArrayDeserializer())
                .readKeyValuesToList();
    }

    public void pass(Duration time) {
        driver.advanceWallClockTime(time);
    }

    /** As the pipeline sends it: by its chain, at the time of its input. */
    public void audit(AuditRecord record) {
        audit.pipeInput(record.getChain(), record, record.getSource().getTimestamp());
    }

    public void checkpoint(Checkpoint checkpoint) {
        checkpoints.pipeInput(
                checkpoint.getNamespace() + '|' + checkpoint.getContext() + '|' + checkpoint.getId(), checkpoint);
    }

    /** The latest counts of a task; null removes them. */
    void accounting(String key, Accounting counts) {
        input(topics.accounting()).pipeInput(key, counts);
    }

    /** A row of an open item; null ends it. */
    void openItem(String key, OpenItem item) {
        input(topics.openItem()).pipeInput(key, item);
    }

    /** A row of a parked patch; null ends it. */
    void parked(String key, ParkedItem item) {
        input(topics.parkedItem()).pipeInput(key, item);
    }

    public void redaction(Redaction redaction) {
        redaction(redaction, new RecordHeaders());
    }

    void redaction(Redaction redaction, Headers headers) {
        input(topics.redaction()).pipeInput(new TestRecord<>(redaction.getChain(), redaction, headers));
    }

    void head(AuditHead head) {
        input(topics.auditHead()).pipeInput(head.getOrigin(), head);
    }

    void tile(AuditTile tile) {
        input(topics.auditTile()).pipeInput("tile", tile);
    }

    public void deadLetter(Stage stage, byte[] key, byte[] value, Headers headers, Instant time) {
        bytes(TopicNames.DEFAULT.deadLetters(stage)).pipeInput(new TestRecord<>(key, value, headers, time));
    }

    /** A record of any bytes. */
    public void record(String topic, byte[] key, byte[] value) {
        bytes(topic).pipeInput(new TestRecord<>(key, value));
    }

    /** Starts the HTTP API over these views on a free loopback port. */
    public QueryServer serve(HttpSecurity security, Metrics metrics) {
        return QueryServer.start(
                Loopback.bind(),
                new QueryServer.Components(
                        Optional.of(Standalone.distributed(views)),
                        List::of,
                        new Accounts(views::accounting),
                        StatisticBounds.UNKNOWN,
                        metrics,
                        Glosses.STANDARD,
                        PublicContent.WITHOUT_RULES,
                        true,
                        TopicNames.DEFAULT,
                        StageSettings.DEFAULT,
                        List.of()),
                security);
    }

    @Override
    public void close() throws IOException {
        driver.close();
        serdes.close();
    }
}
