package dev.parley.testing;

import static org.awaitility.Awaitility.await;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * A broker and a Schema Registry for all tests of a JVM that neither configure, stop nor overload them. Starts with the
 * first test and stops with the JVM. Each test has a deployment with a prefix of its own.
 */
public final class SharedCluster {
    private static final Duration MARKERS = Duration.ofSeconds(60);
    private static final AtomicInteger DEPLOYMENTS = new AtomicInteger();

    private final EmbeddedKafka kafka;
    private final SchemaRegistryEndpoint registry;

    private SharedCluster() {
        try {
            Path directory = Files.createTempDirectory("parley-shared-cluster");
            kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                    .withMaxMessageBytes(ServerConfig.of(Map.of()).outputRecordBytes()));
            registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(directory), "stop-shared-cluster"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Holder {
        private static final SharedCluster INSTANCE = new SharedCluster();
    }

    public static String brokers() {
        return Holder.INSTANCE.kafka.bootstrapServers();
    }

    public static String registry() {
        return Holder.INSTANCE.registry.url();
    }

    /**
     * Returns a producer whose transactions may last as long as the broker allows. One that the broker ends while the
     * producer commits it fails with INVALID_TXN_STATE (KAFKA-20785), however short the test.
     */
    public static KafkaProducer<byte[], byte[]> transactionalProducer(String transactionalId) {
        Map<String, Object> configs = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                transactionalId,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                900_000);
        return new KafkaProducer<>(configs, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Returns the end of a partition as soon as no transaction is open in it. The broker confirms a commit before its
     * marker is in every partition, so that a consumer of committed records may miss the last ones.
     */
    public static long committedEnd(TopicPartition partition) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers()))) {
            return await().atMost(MARKERS)
                    .until(
                            () -> end(admin, partition, IsolationLevel.READ_COMMITTED),
                            end -> end == end(admin, partition, IsolationLevel.READ_UNCOMMITTED));
        }
    }

    private static long end(Admin admin, TopicPartition partition, IsolationLevel isolation) {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                .partitionResult(partition)
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .offset();
    }

    /** Returns the names of the topics of a new deployment. */
    public static TopicNames newDeployment() {
        return new TopicNames("test" + DEPLOYMENTS.incrementAndGet() + ".");
    }

    private void close(Path directory) {
        try (kafka;
                registry) {
            // Closes both.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Utils.delete(directory.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
