package dev.parley.topology.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.TrafficCount;
import dev.parley.load.CommittedRecords;
import dev.parley.log.KeyFiles;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.NewTopicProducers;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.AuditRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real broker: TopologyTestDriver does not restore stores. */
@Tag("long")
class TrafficRestoreTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final TopicNames names = SharedCluster.newDeployment();
    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Topics topics = new Topics(names, serdes);

    @Test
    void aReadableCountWithoutAValidCodeIsLost() throws Exception {
        Path key = directory.resolve("internal.key");
        Files.writeString(key, KeyFiles.privatePem(KeyFiles.newPair()));
        ParleyConfig config = new ParleyConfig(Map.of(
                ParleyConfig.BOOTSTRAP_SERVERS, SharedCluster.brokers(),
                ParleyConfig.PREFIX, names.prefix(),
                ParleyConfig.REPLICATION, "1",
                ParleyConfig.STATE_DIR, directory.toString(),
                AuditKeys.INTERNAL_KEY_FILES, key.toString()));
        String changelog =
                StreamsSettings.outputReaderId(config, "traffic") + "-" + TrafficTopology.COUNTS + "-changelog";
        Map<String, Object> clients = StreamsSettings.clientSettings(config);
        try (Admin admin = Admin.create(clients)) {
            admin.createTopics(Stream.concat(
                                    Stream.of(names.audit(), names.openItem()),
                                    Stream.of(Statistic.values())
                                            .map(statistic ->
                                                    statistic.topic(topics).name()))
                            .map(topic -> new NewTopic(topic, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        try (serdes;
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        NewTopicProducers.settings(clients), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(audited(0, AuditRecords.NOON));
            try (KafkaStreams first = streams(config, "first")) {
                first.start();
                await().atMost(TIMEOUT).until(() -> !read(changelog).isEmpty());
                leave(first);
            }
            for (ConsumerRecord<byte[], byte[]> honest : read(changelog)) {
                if (honest.value() != null) {
                    long[] counts = CountsSerde.COUNTS.deserializer().deserialize(changelog, honest.value());
                    counts[0] += 1_000;
                    producer.send(new ProducerRecord<>(
                            changelog,
                            0,
                            honest.key(),
                            CountsSerde.COUNTS.serializer().serialize(changelog, counts)));
                }
            }

            Instant next = AuditRecords.NOON.plus(2, ChronoUnit.HOURS);
            producer.send(audited(1, next));
            producer.send(audited(2, next.plus(2, ChronoUnit.HOURS)));
            producer.flush();
            try (KafkaStreams second = streams(config, "second")) {
                second.start();
                // The count of noon would come first.
                await().atMost(TIMEOUT).until(() -> !read(names.traffic()).isEmpty());
                leave(second);
            }
            assertThat(read(names.traffic()))
                    .extracting(row -> topics.traffic().read(row.value()))
                    .extracting(TrafficCount::getWindowStart, TrafficCount::getMessages)
                    .containsExactly(tuple(next, 1L));
        }
    }

    private ProducerRecord<byte[], byte[]> audited(long sequence, Instant time) {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", sequence, "1", time);
        return new ProducerRecord<>(
                names.audit(), record.getChain().getBytes(UTF_8), topics.audit().write(record));
    }

    private KafkaStreams streams(ParleyConfig config, String state) {
        Properties settings = TrafficTopology.config(config);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(state).toString());
        return new KafkaStreams(
                TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT),
                settings,
                new CheckedRestores(StreamsSettings.outputReaderId(config, "traffic"), TrafficTopology.CHECKS));
    }

    /** Otherwise the next start waits for the end of the session. */
    private static void leave(KafkaStreams streams) {
        streams.close(CloseOptions.timeout(TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        return CommittedRecords.read(
                SharedCluster.brokers(), List.of(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
