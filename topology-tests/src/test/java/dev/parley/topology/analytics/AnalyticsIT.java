package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.OpenItem;
import dev.parley.avro.Protocol;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.NewTopicProducers;
import dev.parley.topology.analytics.AuditLoad.Audited;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.AuditRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the analytics topics with an independent count, on a real broker, with tasks that stop and start. */
@Tag("long")
class AnalyticsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 3_000;
    private static final int LIVES = 4;
    private static final String SENTINEL = "sentinel";
    private static final List<String> OUTPUTS = List.of(
            TopicNames.DEFAULT.traffic(),
            TopicNames.DEFAULT.violation(),
            TopicNames.DEFAULT.edge(),
            TopicNames.DEFAULT.turnaround(),
            TopicNames.DEFAULT.openItem(),
            TopicNames.DEFAULT.patch(),
            TopicNames.DEFAULT.definitionChange());
    private static final long SEED = Long.getLong("analytics.seed", 12);

    @TempDir
    private Path directory;

    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Topics topics = new Topics(TopicNames.DEFAULT, serdes);
    private final RowTotals rows = new RowTotals();
    private final Map<String, OpenItem> open = new TreeMap<>();
    private int hours;
    private EmbeddedKafka kafka;
    private ParleyConfig config;
    private Admin admin;
    private KafkaProducer<String, byte[]> producer;
    private KafkaConsumer<String, byte[]> consumer;

    @BeforeEach
    void start() throws Exception {
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                .withMaxMessageBytes(new ParleyConfig(Map.of()).outputRecordBytes()));
        config = new ParleyConfig(Map.of(
                ParleyConfig.BOOTSTRAP_SERVERS,
                kafka.bootstrapServers(),
                ParleyConfig.REPLICATION,
                (short) 1,
                ParleyConfig.STATE_DIR,
                directory.resolve("state").toString()));
        Map<String, Object> clients = StreamsSettings.clientSettings(config);
        admin = Admin.create(clients);
        admin.createTopics(Stream.concat(Stream.of(TopicNames.DEFAULT.audit()), OUTPUTS.stream())
                        .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                        .toList())
                .all()
                .get();
        producer = new KafkaProducer<>(
                NewTopicProducers.settings(clients), new StringSerializer(), new ByteArraySerializer());
        consumer = new KafkaConsumer<>(
                StreamsSettings.committedReader(clients), new StringDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = OUTPUTS.stream()
                .flatMap(topic -> IntStream.range(0, PARTITIONS).mapToObj(i -> new TopicPartition(topic, i)))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    @AfterEach
    void stop() throws IOException {
        consumer.close();
        producer.close();
        admin.close();
        kafka.close();
        serdes.close();
    }

    @Test
    void everyNumberEqualsAnIndependentCountAcrossRestarts() throws Exception {
        List<Audited> load = AuditLoad.judged(directory.resolve("pipeline"), SEED, RECORDS);
        AuditTotals expected = new AuditTotals(TrafficSettings.DEFAULT.grace());
        load.forEach(expected::add);
        int part = load.size() / LIVES + 1;
        for (int life = 0; life < LIVES; life++) {
            load.subList(Math.min(load.size(), life * part), Math.min(load.size(), (life + 1) * part))
                    .forEach(this::send);
            // Every second start has no local state, so the stores come from their changelogs.
            try (KafkaStreams streams = streams("state-" + life / 2)) {
                streams.start();
                long sent = Math.min(load.size(), (life + 1L) * part);
                await().atMost(TIMEOUT).until(() -> committed() >= sent);
                if (life == LIVES - 1) {
                    await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                        closeMinutes();
                        readRows();
                        assertThat(byDimensions(rows.totals()))
                                .as("analytics.seed=%d", SEED)
                                .isEqualTo(byDimensions(expected.totals()));
                        assertThat(open).as("analytics.seed=%d", SEED).isEqualTo(expected.open());
                    });
                }
                // Otherwise the next start waits until the session of this one has timed out.
                streams.close(CloseOptions.timeout(TIMEOUT)
                        .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            }
        }
    }

    private void send(Audited entry) {
        send(entry, Math.floorMod(entry.record().getChain().hashCode(), PARTITIONS));
    }

    private void send(Audited entry, int partition) {
        ProducerRecord<String, byte[]> record = new ProducerRecord<>(
                TopicNames.DEFAULT.audit(),
                partition,
                entry.record().getChain(),
                topics.audit().write(entry.record()));
        record.headers().add("ce_time", entry.decided().toString().getBytes(StandardCharsets.UTF_8));
        producer.send(record);
    }

    /** Sends a record of an hour later to each partition. */
    private void closeMinutes() {
        Instant time = PipelineDriver.START.plus(Duration.ofHours(++hours));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            send(Audited.atOnce(AuditRecords.accepted(SENTINEL, Protocol.SLIP, "7", 0, "sender", time)), partition);
        }
        producer.flush();
    }

    private KafkaStreams streams(String state) {
        Properties settings = TrafficTopology.config(config);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(state).toString());
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        return new KafkaStreams(TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT), settings);
    }

    /** The number of audit records that the application has read in committed transactions. */
    private long committed() throws Exception {
        return admin
                .listConsumerGroupOffsets(StreamsSettings.outputReaderId(config, "traffic"))
                .partitionsToOffsetAndMetadata()
                .get()
                .entrySet()
                .stream()
                .filter(committed -> committed.getKey().topic().equals(TopicNames.DEFAULT.audit()))
                .mapToLong(committed -> committed.getValue().offset())
                .sum();
    }

    private void readRows() {
        ConsumerRecords<String, byte[]> records = consumer.poll(Duration.ofMillis(500));
        while (!records.isEmpty()) {
            for (ConsumerRecord<String, byte[]> record : records) {
                if (record.topic().equals(topics.openItem().name())) {
                    compact(record);
                } else {
                    rows.add(record.key(), row(record));
                }
            }
            records = consumer.poll(Duration.ofMillis(500));
        }
    }

    private SpecificRecord row(ConsumerRecord<String, byte[]> record) {
        return Stream.of(Statistic.values())
                .map(statistic -> statistic.topic(topics))
                .filter(topic -> topic.name().equals(record.topic()))
                .findFirst()
                .orElseThrow()
                .read(record.value());
    }

    private void compact(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            open.remove(record.key());
        } else {
            open.put(record.key(), topics.openItem().read(record.value()));
        }
    }

    /** Sums over all windows: which records are late depends on the progress of the tasks. */
    private static SortedMap<String, Long> byDimensions(SortedMap<String, Long> totals) {
        SortedMap<String, Long> sums = new TreeMap<>();
        totals.forEach((name, number) -> {
            if (!name.contains(SENTINEL)) {
                int window = name.indexOf(" / ");
                String kind = name.substring(0, window);
                sums.merge(
                        kind + name.substring(name.indexOf(" / ", window + 3)),
                        number,
                        name.contains(" / max") ? Math::max : Long::sum);
            }
        });
        return sums;
    }
}
