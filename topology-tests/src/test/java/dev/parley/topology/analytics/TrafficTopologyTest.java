package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.AuditRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficTopologyTest {

    @TempDir
    private Path directory;

    private AvroSerdes serdes;
    private Topology topology;
    private TopologyTestDriver driver;
    private TestInputTopic<String, AuditRecord> audit;
    private TestOutputTopic<String, TrafficCount> traffic;

    @BeforeEach
    void open() {
        open(Instant.now());
    }

    /** Starts the application when its clock has this time. */
    private void open(Instant clock) {
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
        Topics topics = new Topics(TopicNames.DEFAULT, serdes);
        topology = TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT);
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "parley-traffic");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                directory.resolve(UUID.randomUUID().toString()).toString());
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        driver = new TopologyTestDriver(topology, settings, clock);
        audit = driver.createInputTopic(
                topics.audit().name(),
                new StringSerializer(),
                topics.audit().values().serializer());
        traffic = driver.createOutputTopic(
                topics.traffic().name(),
                new StringDeserializer(),
                topics.traffic().values().deserializer());
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
        serdes.close();
    }

    /** Lets the clock run, and with it what is due every second. */
    private void pass(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            driver.advanceWallClockTime(Duration.ofSeconds(1));
        }
    }

    private void record(String sender, long second) {
        Instant time = AuditRecords.NOON.plusSeconds(second);
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", second, sender, time);
        audit.pipeInput(record.getChain(), record, time);
    }

    @Test
    void everyNodeHasAnExplicitName() {
        assertThat(topology.describe().toString())
                .doesNotContain("KSTREAM", "KTABLE", "0000")
                .contains("traffic-audit-source", "traffic-counts", "traffic-open-items", "traffic-sink");
    }

    @Test
    void minuteIsForwardedOnceAfterItsGracePeriod() {
        record("A", 0);
        record("A", 59);
        record("B", 30);
        record("A", 119);
        assertThat(traffic.isEmpty()).isTrue();

        record("A", 121);

        List<TrafficCount> counts = traffic.readValuesToList();
        assertThat(counts).hasSize(2);
        TrafficCount first = counts.stream()
                .filter(count -> count.getSender().equals("A"))
                .findFirst()
                .orElseThrow();
        assertThat(first.getWindowStart()).isEqualTo(AuditRecords.NOON);
        assertThat(first.getWindowEnd()).isEqualTo(AuditRecords.NOON.plusSeconds(60));
        assertThat(first.getMessages()).isEqualTo(2);
        assertThat(first.getNamespace()).isEqualTo("default");
        assertThat(first.getProtocol()).isEqualTo(Protocol.SLIP.name());
        assertThat(first.getPerformative()).isEqualTo(Performative.ASK.name());
        assertThat(first.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
    }

    @Test
    void clockClosesTheLastMinuteAfterAPause() {
        driver.close();
        open(AuditRecords.NOON);
        record("A", 30);
        pass(Duration.ofSeconds(119));
        assertThat(traffic.isEmpty()).isTrue();

        pass(Duration.ofSeconds(1));

        assertThat(traffic.readValuesToList()).singleElement().satisfies(count -> {
            assertThat(count.getWindowStart()).isEqualTo(AuditRecords.NOON);
            assertThat(count.getLate()).isFalse();
        });
        record("A", 45);
        pass(Duration.ofMinutes(3));
        assertThat(traffic.readValuesToList()).singleElement().satisfies(count -> {
            assertThat(count.getWindowStart()).isEqualTo(AuditRecords.NOON.plusSeconds(120));
            assertThat(count.getLate()).isTrue();
            assertThat(count.getMessages()).isEqualTo(1);
        });
    }

    @Test
    void clockClosesNoMinuteWhileRecordsArrive() {
        driver.close();
        open(AuditRecords.NOON.plus(Duration.ofDays(1)));
        for (int second = 0; second < 58; second += 2) {
            record("A", second);
            pass(Duration.ofSeconds(25));
        }

        assertThat(traffic.isEmpty()).isTrue();
    }

    @Test
    void pauseWhileOldRecordsAreReadAgainMakesNoLaterMinuteLate() {
        driver.close();
        open(AuditRecords.NOON.plus(Duration.ofDays(1)));
        record("A", 30);
        pass(Duration.ofMinutes(1));
        assertThat(traffic.readValuesToList()).hasSize(1);

        record("A", 120);
        pass(Duration.ofMinutes(1));

        assertThat(traffic.readValuesToList()).singleElement().satisfies(count -> {
            assertThat(count.getWindowStart()).isEqualTo(AuditRecords.NOON.plusSeconds(120));
            assertThat(count.getLate()).isFalse();
        });
    }

    @Test
    void minuteThatTheClockClosedStaysClosedAfterARestart() {
        driver.close();
        open(AuditRecords.NOON.plus(Duration.ofDays(1)));
        record("A", 30);
        pass(Duration.ofMinutes(1));
        assertThat(traffic.readValuesToList()).hasSize(1);
        KeyValueStore<String, long[]> store = driver.getKeyValueStore(TrafficTopology.COUNTS);
        Map<String, long[]> kept = new HashMap<>();
        try (KeyValueIterator<String, long[]> all = store.all()) {
            all.forEachRemaining(entry -> kept.put(entry.key, entry.value));
        }

        driver.close();
        open(AuditRecords.NOON.plus(Duration.ofDays(1)));
        KeyValueStore<String, long[]> restored = driver.getKeyValueStore(TrafficTopology.COUNTS);
        kept.forEach(restored::put);
        record("A", 45);
        pass(Duration.ofMinutes(1));

        assertThat(traffic.readValuesToList())
                .singleElement()
                .satisfies(count -> assertThat(count.getLate()).isTrue());
    }

    @Test
    void lastMinuteBeforeALongPauseIsCounted() {
        record("A", 0);
        record("A", 1);

        record("A", 100_000);

        assertThat(traffic.readValuesToList())
                .extracting(TrafficCount::getMessages)
                .containsExactly(2L);
    }

    @Test
    void messageAfterTheGracePeriodCountsAsLateInTheCurrentMinute() {
        record("A", 0);
        record("A", 100);
        record("A", 10);
        record("A", 121);
        assertThat(traffic.readValuesToList())
                .extracting(TrafficCount::getMessages)
                .containsExactly(2L);

        record("A", 20);
        record("A", 30);
        record("A", 181);
        record("A", 241);

        assertThat(traffic.readValuesToList())
                .extracting(TrafficCount::getWindowStart, TrafficCount::getMessages, TrafficCount::getLate)
                .containsExactly(
                        tuple(AuditRecords.NOON.plusSeconds(60), 1L, false),
                        tuple(AuditRecords.NOON.plusSeconds(120), 1L, false),
                        tuple(AuditRecords.NOON.plusSeconds(120), 2L, true));
        assertThat(driver.metrics().entrySet())
                .filteredOn(metric -> metric.getKey().name().equals("late-total"))
                .singleElement()
                .satisfies(late -> assertThat(late.getValue().metricValue()).isEqualTo(2.0));
    }

    @Test
    void undecodableMessageHasNoNamespaceAndNoSender() {
        AuditRecord record = AuditRecords.undecodable(0, 0);
        audit.pipeInput(record.getChain(), record, AuditRecords.NOON);
        record("A", 121);

        TrafficCount count = traffic.readValue();
        assertThat(count.getNamespace()).isEmpty();
        assertThat(count.getProtocol()).isEqualTo(Protocol.UNKNOWN.name());
        assertThat(count.getPerformative()).isEqualTo(Performative.UNSPECIFIED.name());
        assertThat(count.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(count.getSender()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "POSTPONED", "SLIP|ASK|ACCEPTED|5|other|B", "late|SLIP", "accepted"})
    void unknownSymbolsAreCountedAsUnknown(String text) {
        for (int second = 0; second < 2; second++) {
            AuditRecord record = AuditRecords.accepted(
                    "default", Protocol.SLIP, "7", second, "A", AuditRecords.NOON.plusSeconds(second));
            record.setVerdict(text + second);
            record.getMessage().setProtocol(text + second);
            record.getMessage().setPerformative(text + second);
            audit.pipeInput(record.getChain(), record, AuditRecords.NOON);
        }
        record("A", 121);

        TrafficCount count = traffic.readValue();
        assertThat(traffic.isEmpty()).isTrue();
        assertThat(count.getMessages()).isEqualTo(2);
        assertThat(count.getProtocol()).isEqualTo("UNKNOWN");
        assertThat(count.getPerformative()).isEqualTo("UNSPECIFIED");
        assertThat(count.getVerdict()).isEqualTo("UNSPECIFIED");
        assertThat(count.getNamespace()).isEqualTo("default");
        assertThat(count.getSender()).isEqualTo("A");
        assertThat(count.getLate()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"default, A", "default, null", "default, ''", "'', A|B", "a|1|b, '|'", "'|', null", "7|, 'Λ'"})
    void keyContainsItsDimensions(String namespace, String sender) {
        Dimensions traffic = Dimensions.of(Statistic.TRAFFIC, namespace, "SLIP", "ASK", sender, "FLAGGED");
        Dimensions violation =
                Dimensions.of(Statistic.VIOLATIONS, namespace, "SLIP", sender, "WARNING", "BYTE_ORDER_MARK");
        Dimensions edge = Dimensions.of(Statistic.EDGES, namespace, "CSP", sender, namespace);
        for (Dimensions dimensions : List.of(traffic, violation, edge)) {
            assertThat(Dimensions.parse(dimensions.toKey())).isEqualTo(dimensions);
            assertThat(Dimensions.parse(dimensions.other().toKey())).isEqualTo(dimensions.other());
        }
    }

    @Test
    void futureTimestampMakesNoHonestRecordLate() {
        Instant now = Instant.now();
        long hour = Duration.ofHours(1).toSeconds();
        long second = Duration.between(AuditRecords.NOON, now).toSeconds();
        record("A", second);
        record("B", second + hour);
        record("A", second);

        assertThat(driver.metrics().entrySet())
                .filteredOn(metric -> metric.getKey().name().equals("late-total"))
                .allSatisfy(late -> assertThat(late.getValue().metricValue()).isEqualTo(0.0));
    }
}
