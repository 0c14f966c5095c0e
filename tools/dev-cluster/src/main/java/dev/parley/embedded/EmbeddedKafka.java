package dev.parley.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * A Kafka cluster of one node inside this JVM, a broker and KRaft controller, on the loopback address, without
 * authentication. Its data survives restarts and kills of the process.
 *
 * <p>Topics are not created automatically. Unless the settings specify a retention, records of topics without one and
 * consumer offsets do not expire. A failed disk ends the process, as with any Kafka broker.
 *
 * <p>Kafka logs through SLF4J, under {@code kafka}, {@code org.apache.kafka} and {@code state.change.logger}; nothing
 * else is printed.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";

    private final ClusterDirectory directory;
    private final int port;
    private final KafkaNode node;

    private EmbeddedKafka(ClusterDirectory directory, int port, KafkaNode node) {
        this.directory = directory;
        this.port = port;
        this.node = node;
    }

    /**
     * Starts a cluster with the data in its directory, and returns when it accepts requests.
     *
     * @throws StartupException if the port is in use, another process uses the directory, or Kafka does not start
     */
    public static EmbeddedKafka start(EmbeddedKafkaSettings settings) {
        ClusterDirectory directory = ClusterDirectory.open(settings.directory());
        try {
            List<Integer> free = Ports.free(2);
            int port = settings.port() == EmbeddedKafkaSettings.ANY_PORT ? free.get(0) : settings.port();
            Ports.requireFree(port);
            return new EmbeddedKafka(directory, port, boot(settings, port, free.get(1)));
        } catch (RuntimeException failure) {
            directory.close();
            throw failure;
        }
    }

    private static KafkaNode boot(EmbeddedKafkaSettings settings, int port, int controllerPort) {
        Path data = settings.directory().resolve("node-" + NODE_ID);
        KafkaNode node = null;
        try {
            // Kafka's formatter writes this file last.
            if (!Files.exists(data.resolve("meta.properties"))) {
                format(data.toString());
            }
            node = new KafkaNode(new KafkaConfig(properties(settings, data, port, controllerPort), false));
            node.start();
            return node;
        } catch (Exception failure) {
            if (node != null) {
                node.stop();
            }
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new StartupException(
                    "The embedded Kafka broker on port " + port + " with data in " + data + " did not start: "
                            + failure.getMessage(),
                    failure);
        }
    }

    private static void format(String directory) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(NODE_ID)
                .setClusterId(Uuid.randomUuid().toString())
                .setDirectories(List.of(directory))
                .setMetadataLogDirectory(directory)
                .setControllerListenerName(CONTROLLER)
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .run();
    }

    private static Properties properties(EmbeddedKafkaSettings settings, Path data, int port, int controllerPort) {
        String listener = "PLAINTEXT://" + Ports.HOST + ":" + port;
        String controller = Ports.HOST + ":" + controllerPort;
        Properties properties = new Properties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(NODE_ID));
        properties.put("controller.quorum.voters", NODE_ID + "@" + controller);
        properties.put("listeners", listener + "," + CONTROLLER + "://" + controller);
        properties.put("advertised.listeners", listener);
        properties.put("controller.listener.names", CONTROLLER);
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put("log.dirs", data.toString());
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".replication.factor", "1");
            properties.put(topic + ".num.partitions", "4");
        }
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("share.coordinator.state.topic.min.isr", "1");
        properties.put("auto.create.topics.enable", "false");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("log.retention.ms", "-1");
        // A group whose offsets expired while the machine was off would read its input again from the beginning.
        properties.put("offsets.retention.minutes", Integer.toString(Integer.MAX_VALUE));
        // Kafka's default takes 128 MB of heap for the log cleaner.
        properties.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
        // A killed node cannot restart before its previous session has ended: 9 s by Kafka's default.
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "4");
        properties.putAll(settings.overrides());
        return properties;
    }

    /** Value of {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return Ports.HOST + ":" + port;
    }

    /** Stops the node gracefully and releases the directory; idempotent. */
    @Override
    public synchronized void close() {
        try {
            node.stop();
        } finally {
            directory.close();
        }
    }
}
