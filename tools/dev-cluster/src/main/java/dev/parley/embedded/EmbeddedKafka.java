package dev.parley.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * A Kafka cluster inside this JVM: one or several nodes, each a broker and KRaft controller, on the loopback address,
 * without authentication. Its data survives restarts and kills of the process.
 *
 * <p>Topics are not created automatically. Unless the settings specify a retention, records of topics without one and
 * consumer offsets do not expire. A failed disk ends the process, as with any Kafka broker.
 *
 * <p>Kafka logs through SLF4J, under {@code kafka}, {@code org.apache.kafka} and {@code state.change.logger}; nothing
 * else is printed.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private final EmbeddedKafkaSettings settings;
    private final ClusterDirectory directory;
    private final List<Integer> ports;
    private final List<Integer> controllerPorts;
    private final KafkaNode[] nodes;

    private EmbeddedKafka(EmbeddedKafkaSettings settings, ClusterDirectory directory) {
        this.settings = settings;
        this.directory = directory;
        List<Integer> free = Ports.free(settings.nodes() * 2);
        this.ports = settings.port() == EmbeddedKafkaSettings.ANY_PORT
                ? free.subList(0, settings.nodes())
                : IntStream.range(0, settings.nodes())
                        .mapToObj(node -> settings.port() + node)
                        .toList();
        this.controllerPorts = free.subList(settings.nodes(), free.size());
        this.nodes = new KafkaNode[settings.nodes()];
    }

    /**
     * Starts a cluster with the data in its directory, and returns when it accepts requests.
     *
     * @throws StartupException if a port is in use, another process uses the directory, it was created with another
     *     number of nodes, or Kafka does not start
     */
    public static EmbeddedKafka start(EmbeddedKafkaSettings settings) {
        ClusterDirectory directory = ClusterDirectory.open(settings.directory(), settings.nodes());
        EmbeddedKafka cluster = null;
        try {
            cluster = new EmbeddedKafka(settings, directory);
            Ports.requireFree(cluster.ports);
            cluster.inParallel("start", cluster::boot);
            return cluster;
        } catch (RuntimeException failure) {
            if (cluster == null) {
                directory.close();
            } else {
                cluster.close();
            }
            throw failure;
        }
    }

    /** Value of {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return ports.stream().map(port -> Ports.HOST + ":" + port).collect(Collectors.joining(","));
    }

    /**
     * Stops one node gracefully; its leaderships move to other nodes.
     *
     * @param node its number, from 0
     */
    public synchronized void stopNode(int node) {
        KafkaNode running = nodes[node];
        if (running != null) {
            nodes[node] = null;
            running.stop();
        }
    }

    /**
     * Restarts a stopped node on its previous port.
     *
     * @param node its number, from 0
     * @throws StartupException if it does not start
     */
    public synchronized void startNode(int node) {
        if (nodes[node] == null) {
            Ports.requireFree(List.of(ports.get(node)));
            boot(node);
        }
    }

    private void boot(int node) {
        String nodeDirectory = directory.node(node).toString();
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(nodeId(node))
                    .setClusterId(directory.clusterId())
                    .setDirectories(List.of(nodeDirectory))
                    .setMetadataLogDirectory(nodeDirectory)
                    .setControllerListenerName("CONTROLLER")
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .setIgnoreFormatted(true)
                    .run();
            KafkaNode started = new KafkaNode(new KafkaConfig(properties(node), false));
            nodes[node] = started;
            started.start();
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted, "start");
        } catch (Exception failure) {
            throw new StartupException(
                    "The embedded Kafka broker on port " + ports.get(node) + " with data in " + nodeDirectory
                            + " did not start: " + failure.getMessage(),
                    failure);
        }
    }

    private static int nodeId(int node) {
        return node + 1;
    }

    private Properties properties(int node) {
        int count = settings.nodes();
        String replicas = Integer.toString(Math.min(3, count));
        String inSync = Integer.toString(count < 3 ? 1 : 2);
        Properties properties = new Properties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(nodeId(node)));
        properties.put(
                "controller.quorum.voters",
                IntStream.range(0, count)
                        .mapToObj(voter -> nodeId(voter) + "@" + Ports.HOST + ":" + controllerPorts.get(voter))
                        .collect(Collectors.joining(",")));
        String listener = "PLAINTEXT://" + Ports.HOST + ":" + ports.get(node);
        properties.put("listeners", listener + ",CONTROLLER://" + Ports.HOST + ":" + controllerPorts.get(node));
        properties.put("advertised.listeners", listener);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put("log.dirs", directory.node(node).toString());
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".replication.factor", replicas);
            properties.put(topic + ".num.partitions", "4");
        }
        properties.put("transaction.state.log.min.isr", inSync);
        properties.put("share.coordinator.state.topic.min.isr", inSync);
        properties.put("default.replication.factor", replicas);
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

    /** Nodes wait for each other when they start and stop, so they do it in parallel. */
    private void inParallel(String verb, IntConsumer action) {
        ExecutorService threads =
                Executors.newFixedThreadPool(settings.nodes(), task -> new Thread(task, "embedded-kafka-" + verb));
        try {
            List<? extends Future<?>> running = IntStream.range(0, settings.nodes())
                    .mapToObj(node -> threads.submit(() -> action.accept(node)))
                    .toList();
            for (Future<?> node : running) {
                node.get();
            }
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("could not " + verb + " a node", failure.getCause());
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted, verb);
        } finally {
            threads.shutdown();
        }
    }

    private void stop(Consumer<KafkaNode> part) {
        inParallel("stop", node -> {
            if (nodes[node] != null) {
                part.accept(nodes[node]);
            }
        });
    }

    private static StartupException interrupted(InterruptedException interruption, String verb) {
        Thread.currentThread().interrupt();
        return new StartupException("Interrupted during the " + verb + " of the embedded Kafka.", interruption);
    }

    /** Stops all nodes gracefully and releases the directory; idempotent. */
    @Override
    public synchronized void close() {
        try {
            // Without a majority of controllers, the last broker would wait for minutes.
            stop(KafkaNode::stopBroker);
        } finally {
            try {
                stop(KafkaNode::stopController);
            } finally {
                Arrays.fill(nodes, null);
                directory.close();
            }
        }
    }
}
