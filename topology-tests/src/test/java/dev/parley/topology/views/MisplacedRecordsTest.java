package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ViewStores;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of records of the output topics outside of the partitions of their chains. The driver has partition 0. */
class MisplacedRecordsTest {
    private static final int PARTITIONS = 4;

    @TempDir
    private Path directory;

    @Test
    void viewsSkipRecordsOutsideOfThePartitionOfTheirChain() throws Exception {
        try (ViewsDriver driver = ViewsDriver.ofPartitions(directory, PARTITIONS)) {
            int empty = size(driver, ViewStores.AUDIT);
            String foreign = name(1, number -> "default|SLIP|" + number);
            String context = name(1, number -> "default|CSP|" + number);
            driver.audit(audited(foreign));
            driver.checkpoint(checkpoint(context));
            driver.parked(context + "|parley.wire-0@7", parked(context));
            assertThat(size(driver, ViewStores.AUDIT)).isEqualTo(empty);
            assertThat(size(driver, ViewStores.CHECKPOINTS)).isZero();

            String own = name(0, number -> "default|SLIP|" + number);
            String ownContext = name(0, number -> "default|CSP|" + number);
            driver.audit(audited(own));
            driver.checkpoint(checkpoint(ownContext));
            driver.parked(ownContext + "|parley.wire-0@7", parked(ownContext));
            assertThat(driver.views().messages(own, 0, 10)).hasSize(1);
            assertThat(driver.views().checkpoint("default", conversation(ownContext), "C1"))
                    .isPresent();
            assertThat(size(driver, ViewStores.CHECKPOINTS)).isGreaterThan(3);
        }
    }

    @Test
    void countsSkipRecordsOutsideOfThePartitionOfTheirChain() throws Exception {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, "unused:1");
        values.put(ParleyConfig.REGISTRY_URL, "mock://" + UUID.randomUUID());
        values.put(ParleyConfig.STATE_DIR, directory.toString());
        ParleyConfig config = new ParleyConfig(values);
        Properties settings = TrafficTopology.config(config);
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.serdeSettings())) {
            Topics topics = new Topics(config.topics(), serdes);
            try (TopologyTestDriver driver = new TopologyTestDriver(
                    TrafficTopology.build(topics, PARTITIONS, TrafficSettings.DEFAULT), settings)) {
                TestInputTopic<String, AuditRecord> audit = driver.createInputTopic(
                        topics.audit().name(),
                        new StringSerializer(),
                        topics.audit().values().serializer());
                TestOutputTopic<String, ?> items = driver.createOutputTopic(
                        topics.openItem().name(),
                        new StringDeserializer(),
                        topics.openItem().values().deserializer());
                String foreign = name(1, number -> "default|SLIP|" + number);
                String own = name(0, number -> "default|SLIP|" + number);

                audit.pipeInput(foreign, audited(foreign), AuditRecords.NOON);
                audit.pipeInput(own, audited(own), AuditRecords.NOON);

                try (KeyValueIterator<String, long[]> counts = driver.<String, long[]>getKeyValueStore(
                                TrafficTopology.COUNTS)
                        .all()) {
                    assertThat(counts)
                            .toIterable()
                            .hasSizeGreaterThan(0)
                            .allSatisfy(count -> assertThat(count.value[0])
                                    .as("%s", count.key)
                                    .isEqualTo(1));
                }
                assertThat(items.readKeyValuesToList())
                        .extracting(row -> row.key)
                        .noneMatch(row -> row.contains(foreign));
            }
        }
    }

    private static AuditRecord audited(String chain) {
        return AuditRecords.accepted("default", Protocol.SLIP, conversation(chain), 0, "1", AuditRecords.NOON);
    }

    private static Checkpoint checkpoint(String chain) {
        return AuditRecords.checkpoint(conversation(chain), "C1", "C0", 1);
    }

    private static ParkedItem parked(String chain) {
        return new ParkedItem(
                "default",
                conversation(chain),
                "P2",
                "C1",
                "C2",
                "A",
                checkpoint(chain).getSource());
    }

    private static String conversation(String chain) {
        return chain.substring(chain.lastIndexOf('|') + 1);
    }

    /** The first name that belongs to a partition. */
    private static String name(int partition, IntFunction<String> names) {
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(names)
                .filter(name -> ChainPartitioner.partition(name, PARTITIONS) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static int size(ViewsDriver driver, String store) {
        int size = 0;
        try (KeyValueIterator<Bytes, byte[]> all = driver.store(store).all()) {
            for (; all.hasNext(); all.next()) {
                size++;
            }
        }
        return size;
    }
}
