package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.ParleyTopology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsSettingsTest {

    private static ParleyConfig config(Map<String, String> more) {
        Map<String, Object> values = new HashMap<>(more);
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, "localhost:9092");
        values.put(ParleyConfig.REGISTRY_URL, "http://localhost:8081");
        return new ParleyConfig(values);
    }

    private static void assertAThreadLeavesItsGroupBeforeItsProducerGivesUp(Properties settings) {
        StreamsConfig streams = new StreamsConfig(settings);
        Map<String, Object> producer = streams.getProducerConfigs("any");
        ConsumerConfig consumer =
                new ConsumerConfig(withDeserializers(streams.getMainConsumerConfigs("any", "any", 0)));
        ProducerConfig given = new ProducerConfig(withSerializers(producer));
        int silence = consumer.getInt(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);

        assertThat(given.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG)).isGreaterThan(silence);
        assertThat(given.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)).isGreaterThan(silence);
    }

    private static Map<String, Object> withSerializers(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        String serializer = "org.apache.kafka.common.serialization.ByteArraySerializer";
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, serializer);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, serializer);
        return all;
    }

    private static Map<String, Object> withDeserializers(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        String deserializer = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, deserializer);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, deserializer);
        return all;
    }

    @Test
    void valuesOfAConfigProviderAreValid(@TempDir Path directory) throws IOException {
        Path values = Files.writeString(directory.resolve("values.properties"), "backoff=100\n");
        ParleyConfig config = config(Map.of(
                "kafka.config.providers",
                "file",
                "kafka.config.providers.file.class",
                FileConfigProvider.class.getName(),
                "kafka.retry.backoff.ms",
                "${file:" + values + ":backoff}"));

        assertThatCode(() -> StreamsSettings.validate(config, ParleyTopology.config(config)))
                .doesNotThrowAnyException();
        assertThat(StreamsSettings.unknown(config)).isEmpty();
    }

    @Test
    void aThreadLeavesItsGroupBeforeItsProducerGivesUp() {
        assertAThreadLeavesItsGroupBeforeItsProducerGivesUp(ParleyTopology.config(config(Map.of())));
        assertAThreadLeavesItsGroupBeforeItsProducerGivesUp(TrafficTopology.config(config(Map.of())));
    }

    @Test
    void theRecordCachesShrinkWithTheHeap() {
        assertThat(StreamsSettings.cacheBytes(192L << 20)).isEqualTo(3L << 20);
        assertThat(StreamsSettings.cacheBytes(64L << 30)).isEqualTo(10L << 20);
        assertThat(ParleyTopology.config(config(Map.of("kafka.statestore.cache.max.bytes", "7"))))
                .containsEntry("statestore.cache.max.bytes", "7");
    }

    /** A restore finds a tombstone of another client only while it remains. */
    @Test
    void tombstonesOfChangelogsRemainForAWeek() {
        assertThat(new StreamsConfig(ParleyTopology.config(config(Map.of()))).originalsWithPrefix("topic."))
                .containsEntry("delete.retention.ms", TimeUnit.DAYS.toMillis(7));
    }

    /** A fetch is bounded in compressed bytes; the records of a poll are bounded by what the heap can hold of them. */
    @Test
    void theRecordsThatAThreadHoldsAreBoundedByTheHeap() {
        assertThat(StreamsSettings.memoryLimits(512L << 20, 1, 1 << 20))
                .containsEntry("max.poll.records", 128)
                .containsEntry("buffered.records.per.partition", 16);
        assertThat(StreamsSettings.memoryLimits(64L << 30, 4, 1 << 20))
                .containsEntry("max.poll.records", 1_000)
                .containsEntry("buffered.records.per.partition", 125);
        assertThat(StreamsSettings.memoryLimits(256L << 20, 8, 128 << 20)).containsEntry("max.poll.records", 16);
        for (Properties settings :
                List.of(ParleyTopology.config(config(Map.of())), TrafficTopology.config(config(Map.of())))) {
            assertThat(settings).containsKeys("max.poll.records", "buffered.records.per.partition");
        }
        assertThat(new StreamsConfig(ParleyTopology.config(config(Map.of("kafka.max.poll.records", "7"))))
                        .getMainConsumerConfigs("any", "any", 0))
                .containsEntry("max.poll.records", "7");
    }

    @Test
    void settingsForOneKindOfClientReachThatKindOnly() {
        Map<String, Object> clients = StreamsSettings.clientSettings(config(Map.of(
                "kafka.security.protocol", "SSL",
                "kafka.consumer.fetch.min.bytes", "7",
                "kafka.producer.linger.ms", "9",
                "kafka.group.protocol", "streams",
                "kafka.num.standby.replicas", "1",
                "kafka.main.consumer.max.poll.records", "5")));

        assertThat(StreamsSettings.committedReader(clients))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("fetch.min.bytes", "7")
                .doesNotContainKeys("linger.ms", "producer.linger.ms", "consumer.fetch.min.bytes")
                .doesNotContainKeys("group.protocol", "num.standby.replicas", "main.consumer.max.poll.records");
        assertThat(StreamsSettings.producer(clients))
                .containsOnly(
                        Map.entry("bootstrap.servers", "localhost:9092"),
                        Map.entry("security.protocol", "SSL"),
                        Map.entry("linger.ms", "9"));
        assertThat(ParleyTopology.config(config(Map.of("kafka.group.protocol", "streams"))))
                .containsEntry("group.protocol", "streams");
    }

    @Test
    void theTrafficCountsCommitOnceASecond() {
        assertThat(TrafficTopology.config(config(Map.of()))).containsEntry("commit.interval.ms", 1_000);
        assertThat(TrafficTopology.config(config(Map.of("kafka.commit.interval.ms", "7"))))
                .containsEntry("commit.interval.ms", "7");
    }

    @Test
    void aFetchIsShortUnlessTheOperatorSetsOtherwise() {
        String key = "fetch.max.wait.ms";
        assertThat(new StreamsConfig(ParleyTopology.config(config(Map.of()))).getMainConsumerConfigs("any", "any", 0))
                .containsEntry(key, 200);
        for (String kind : List.of("kafka.", "kafka.consumer.", "kafka.main.consumer.")) {
            assertThat(new StreamsConfig(ParleyTopology.config(config(Map.of(kind + key, "7"))))
                            .getMainConsumerConfigs("any", "any", 0))
                    .as(kind)
                    .containsEntry(key, "7");
        }
    }

    @Test
    void outputsAreCompressedUnlessTheOperatorSetsOtherwise() {
        for (Properties settings : List.of(
                ParleyTopology.config(config(Map.of())),
                TrafficTopology.config(config(Map.of())),
                StreamsSettings.outputReader(config(Map.of()), "views"))) {
            assertThat(new StreamsConfig(settings).getProducerConfigs("any")).containsEntry("compression.type", "lz4");
        }
        for (String key : List.of("kafka.compression.type", "kafka.producer.compression.type")) {
            assertThat(new StreamsConfig(ParleyTopology.config(config(Map.of(key, "none")))).getProducerConfigs("any"))
                    .containsEntry("compression.type", "none");
        }
    }

    /** Larger batches are made of such polls, so {@link SizeBoundedConsumer} sees their bytes early. */
    @Test
    void aRestorePollsAsFewRecordsAsTheHeapAllows() {
        Properties settings = StreamsSettings.outputReader(config(Map.of()), "views");

        assertThat(new StreamsConfig(settings).getRestoreConsumerConfigs("any"))
                .containsEntry("max.poll.records", settings.get("max.poll.records"));
    }

    /** A small batch can contain many records of the largest size, whatever stream threads may poll. */
    @Test
    void aReaderOfCommittedRecordsPollsFewOfThem() {
        assertThat(StreamsSettings.committedReader(Map.of("max.poll.records", "1000")))
                .containsEntry("max.poll.records", 16);
    }

    /** Its next read waits for the response to the previous fetch, which it did not need. */
    @Test
    void aReaderOfCommittedRecordsLetsTheBrokerWaitOnlyBriefly() {
        assertThat(StreamsSettings.committedReader(Map.of())).containsEntry("fetch.max.wait.ms", 50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.max.poll.interval.ms",
                "kafka.consumer.max.poll.interval.ms",
                "kafka.main.consumer.max.poll.interval.ms"
            })
    void itDoesSoWhenItMayBeSilentForLonger(String key) {
        assertAThreadLeavesItsGroupBeforeItsProducerGivesUp(ParleyTopology.config(config(Map.of(key, "1800000"))));
    }
}
