package dev.parley.cli.environment;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A broker and a registry over a directory laid out as the demo lays it out, and the application as {@code parley run}
 * starts it.
 */
public final class EmbeddedEnvironment implements AutoCloseable {
    private final Path directory;
    private final int brokers;
    private final EmbeddedKafka kafka;
    private final SchemaRegistryEndpoint registry;

    private EmbeddedEnvironment(Path directory, int brokers, EmbeddedKafka kafka, SchemaRegistryEndpoint registry) {
        this.directory = directory;
        this.brokers = brokers;
        this.kafka = kafka;
        this.registry = registry;
    }

    public static EmbeddedEnvironment open(Path directory) {
        return open(directory, 1);
    }

    /** With so many brokers, each of which has all of every topic. */
    public static EmbeddedEnvironment open(Path directory, int brokers) {
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                .withNodes(brokers)
                .withMaxMessageBytes(ServerConfig.of(Map.of()).outputRecordBytes()));
        try {
            return new EmbeddedEnvironment(
                    directory, brokers, kafka, SchemaRegistryEndpoint.start(directory.resolve("registry"), 0));
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    public ParleyConfig config() {
        return config(Map.of());
    }

    /** With these settings over the usual ones. */
    public ParleyConfig config(Map<String, Object> more) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, kafka.bootstrapServers());
        values.put(ParleyConfig.REGISTRY_URL, registry.url());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        values.put(ParleyConfig.PARTITIONS, 2);
        values.put(ParleyConfig.REPLICATION, (short) brokers);
        values.put(HttpKeys.PORT, 0);
        values.put(ParleyConfig.STATE_FREE_BYTES, 0L);
        values.put(HttpKeys.STOP_NOTICE_MS, 0);
        values.putAll(more);
        return ServerConfig.of(values);
    }

    public TopicAssertions topics() {
        return TopicAssertions.read(kafka.bootstrapServers(), registry.url());
    }

    public String brokers() {
        return kafka.bootstrapServers();
    }

    @Override
    public void close() {
        try (kafka;
                registry) {
            // Both are closed, whatever the first one says.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
