package dev.parley.cli.environment;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * A deployment on a broker and a registry: on its own over a directory laid out as the demo lays it out, or on those
 * that the tests of the JVM share, with a prefix of its own.
 */
public final class EmbeddedEnvironment implements AutoCloseable {
    private final Path directory;
    private final String brokers;
    private final String registry;
    private final TopicNames names;
    /** Null on the shared cluster. */
    private final EmbeddedKafka ownBroker;

    /** Null on the shared cluster. */
    private final SchemaRegistryEndpoint ownRegistry;

    private EmbeddedEnvironment(
            Path directory,
            String brokers,
            String registry,
            TopicNames names,
            EmbeddedKafka ownBroker,
            SchemaRegistryEndpoint ownRegistry) {
        this.directory = directory;
        this.brokers = brokers;
        this.registry = registry;
        this.names = names;
        this.ownBroker = ownBroker;
        this.ownRegistry = ownRegistry;
    }

    /** A new deployment on the shared cluster, for a test that neither configures, stops nor overloads the broker. */
    public static EmbeddedEnvironment shared(Path directory) {
        return shared(directory, SharedCluster.newDeployment());
    }

    /** A deployment on the shared cluster with a given prefix. */
    public static EmbeddedEnvironment shared(Path directory, TopicNames names) {
        return new EmbeddedEnvironment(directory, SharedCluster.brokers(), SharedCluster.registry(), names, null, null);
    }

    public static EmbeddedEnvironment open(Path directory) {
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                .withMaxMessageBytes(ServerConfig.of(Map.of()).outputRecordBytes()));
        try {
            SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0);
            return new EmbeddedEnvironment(
                    directory, kafka.bootstrapServers(), registry.url(), TopicNames.DEFAULT, kafka, registry);
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /** The names of its topics. */
    public TopicNames names() {
        return names;
    }

    public ParleyConfig config() {
        return config(Map.of());
    }

    /** With these settings over the usual ones. */
    public ParleyConfig config(Map<String, Object> more) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.PREFIX, names.prefix());
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, brokers);
        values.put(ParleyConfig.REGISTRY_URL, registry);
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        values.put(ParleyConfig.PARTITIONS, 2);
        values.put(ParleyConfig.REPLICATION, (short) 1);
        values.put(HttpKeys.PORT, 0);
        values.put(ParleyConfig.STATE_FREE_BYTES, 0L);
        values.put(HttpKeys.STOP_NOTICE_MS, 0);
        values.putAll(more);
        return ServerConfig.of(values);
    }

    public TopicAssertions topics() {
        return TopicAssertions.read(brokers, registry, names);
    }

    public String brokers() {
        return brokers;
    }

    /** Stops its own broker and registry, or deletes its topics on the shared cluster. */
    @Override
    public void close() {
        try (ownBroker;
                ownRegistry) {
            if (ownBroker == null) {
                deleteTopics();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteTopics() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            List<String> topics = admin.listTopics().names().get().stream()
                    .filter(topic -> topic.startsWith(names.prefix()) || topic.startsWith(names.applicationId() + "-"))
                    .toList();
            admin.deleteTopics(topics).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
