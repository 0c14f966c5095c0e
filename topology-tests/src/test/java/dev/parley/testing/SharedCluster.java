package dev.parley.testing;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * A broker and a Schema Registry for all tests of a JVM that neither configure, stop nor overload them. Starts with the
 * first test and stops with the JVM. Each test has a deployment with a prefix of its own.
 */
public final class SharedCluster {
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
