package dev.parley.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.AuditRecords;
import dev.parley.topology.views.StoredViews;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.ViewsDriver;
import dev.parley.topology.views.store.ViewStores;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Unreadable values in every topic that Parley reads: each is skipped or dead-lettered, and the record behind it flows.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("long")
class UnreadableTopicsTest {

    @TempDir
    private Path directory;

    private SchemaRegistryEndpoint registry;
    private AvroSerdes serdes;
    private Topics topics;

    /** What is wrong with a value. */
    enum Damage {
        EMPTY,
        SHORT_HEADER,
        OTHER_MAGIC,
        UNKNOWN_SCHEMA,
        NEGATIVE_SCHEMA,
        OTHER_SCHEMA,
        HEADER_ALONE,
        TRUNCATED,
        LENGTH_BOMB;

        byte[] of(byte[] valid, AvroSerdes serdes, String topic) {
            return switch (this) {
                case EMPTY -> new byte[0];
                case SHORT_HEADER -> new byte[] {0, 0, 0};
                case OTHER_MAGIC -> with(valid, 0, 9);
                case UNKNOWN_SCHEMA -> with(valid, 2, 99);
                case NEGATIVE_SCHEMA -> with(valid, 1, 255);
                case OTHER_SCHEMA ->
                    serdes.values(Accounting.class)
                            .serializer()
                            .serialize(
                                    topic + ".other",
                                    new Accounting(
                                            "t", 0, 1L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null, -1, List.of()));
                case HEADER_ALONE -> Arrays.copyOf(valid, 5);
                case TRUNCATED -> Arrays.copyOf(valid, valid.length - 1);
                case LENGTH_BOMB ->
                    ByteBuffer.allocate(10)
                            .put(valid, 0, 5)
                            // 2^31 - 9 as Avro writes it.
                            .put(new byte[] {(byte) 0xee, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f})
                            .array();
            };
        }

        private static byte[] with(byte[] valid, int at, int value) {
            byte[] bytes = valid.clone();
            bytes[at] = (byte) value;
            return bytes;
        }
    }

    @BeforeEach
    void open() {
        registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0);
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", registry.url()));
        topics = new Topics(TopicNames.DEFAULT, serdes);
    }

    @AfterEach
    void close() throws Exception {
        serdes.close();
        registry.close();
    }

    private static AuditRecord audited(long sequence) {
        return AuditRecords.accepted(
                "default", Protocol.SLIP, "7", sequence, "1", AuditRecords.NOON.plusSeconds(sequence));
    }

    private static Redaction redaction(AuditRecord of) {
        return AuditRecords.redaction(of);
    }

    @ParameterizedTest
    @EnumSource
    void redactionTopicCannotStopThePipeline(Damage damage) {
        byte[] valid = topics.redaction().write(redaction(audited(0)));
        try (PipelineDriver pipeline =
                PipelineDriver.in(directory.resolve("state"), Map.of(ParleyConfig.REGISTRY_URL, registry.url()))) {
            Source unreadable =
                    pipeline.send(InputRecord.bytes(damage.of(valid, serdes, TopicNames.DEFAULT.redaction()))
                            .to(TopicNames.DEFAULT.redaction())
                            .key("default|SLIP|7"));
            Source next = pipeline.send(InputRecord.slipRequest(7, 1));

            assertThat(pipeline.auditOf(unreadable).getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
            assertThat(pipeline.auditOf(unreadable).getCode()).isEqualTo(Code.REDACTION_MALFORMED.name());
            assertThat(pipeline.deadLetters(Stage.DECODE)).hasSize(1);
            assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        }
    }

    @ParameterizedTest
    @EnumSource
    void viewsSkipUnreadableRecords(Damage damage) throws Exception {
        try (ViewsDriver driver = ViewsDriver.in(directory.resolve("views"), registry.url())) {
            byte[] key = "default|SLIP|7".getBytes(UTF_8);
            driver.audit(audited(0));
            driver.record(
                    TopicNames.DEFAULT.audit(),
                    key,
                    damage.of(topics.audit().write(audited(1)), serdes, TopicNames.DEFAULT.audit()));
            driver.audit(audited(1));
            byte[] redaction = topics.redaction().write(redaction(audited(1)));
            driver.record(
                    TopicNames.DEFAULT.redaction(), key, damage.of(redaction, serdes, TopicNames.DEFAULT.redaction()));
            driver.redaction(redaction(audited(0)));
            byte[] checkpoint = topics.checkpoint().write(AuditRecords.checkpoint("ctx", "C1", "C0", 1));
            driver.record(
                    TopicNames.DEFAULT.checkpoint(),
                    key,
                    damage.of(checkpoint, serdes, TopicNames.DEFAULT.checkpoint()));
            driver.checkpoint(AuditRecords.checkpoint("ctx", "C1", "C0", 1));

            Views views = driver.views();
            assertThat(views.messages("default|SLIP|7", 0, 10)).hasSize(2);
            assertThat(views.redactions()
                            .of(
                                    new InputPosition("parley.wire", 0, 0),
                                    audited(0).getHash()))
                    .isPresent();
            assertThat(views.redactions()
                            .of(
                                    new InputPosition("parley.wire", 0, 1),
                                    audited(1).getHash()))
                    .isEmpty();
            assertThat(views.checkpoint("default", "ctx", "C1")).isPresent();
        }
    }

    @Test
    void viewsSkipRecordsWithoutValue() throws Exception {
        try (ViewsDriver driver = ViewsDriver.in(directory.resolve("views"), registry.url())) {
            byte[] key = "default|SLIP|7".getBytes(UTF_8);
            for (String topic : List.of(
                    TopicNames.DEFAULT.audit(),
                    TopicNames.DEFAULT.redaction(),
                    TopicNames.DEFAULT.checkpoint(),
                    TopicNames.DEFAULT.accounting())) {
                driver.record(topic, key, null);
            }
            driver.audit(audited(0));
            assertThat(driver.views().messages("default|SLIP|7", 0, 10)).hasSize(1);
        }
    }

    @Test
    void damagedSummaryInTheChangelogIsRestarted() throws Exception {
        try (ViewsDriver driver = ViewsDriver.in(directory.resolve("views"), registry.url())) {
            driver.audit(audited(0));
            KeyValueStore<Bytes, byte[]> store = driver.store(ViewStores.AUDIT);
            store.put(StoredViews.conversation("default", Protocol.SLIP, "7"), new byte[] {2, 3});
            driver.audit(audited(1));

            assertThat(driver.views().messages("default|SLIP|7", 0, 10)).hasSize(2);
            assertThat(driver.views().conversation("default", Protocol.SLIP, "7"))
                    .get()
                    .satisfies(summary -> assertThat(summary.getLastSequence()).isEqualTo(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void trafficCountsSkipUnreadableRecords(Damage damage) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, "unused:1");
        values.put(ParleyConfig.REGISTRY_URL, registry.url());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("traffic").toString());
        Properties settings = TrafficTopology.config(new ParleyConfig(values));
        try (TopologyTestDriver driver =
                new TopologyTestDriver(TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT), settings)) {
            TestInputTopic<byte[], byte[]> audit = driver.createInputTopic(
                    TopicNames.DEFAULT.audit(), new ByteArraySerializer(), new ByteArraySerializer());
            TestOutputTopic<String, TrafficCount> traffic = driver.createOutputTopic(
                    TopicNames.DEFAULT.traffic(),
                    new StringDeserializer(),
                    topics.traffic().values().deserializer());
            Map<Long, AuditRecord> records = new LinkedHashMap<>();
            records.put(0L, audited(0));
            records.put(1L, audited(500));
            byte[] key = "default|SLIP|7".getBytes(UTF_8);
            records.forEach((number, record) -> {
                byte[] valid = topics.audit().write(record);
                audit.pipeInput(
                        key,
                        damage.of(valid, serdes, TopicNames.DEFAULT.audit()),
                        record.getSource().getTimestamp());
                audit.pipeInput(key, valid, record.getSource().getTimestamp());
            });
            assertThat(traffic.readValuesToList()).hasSize(1);
        }
    }
}
