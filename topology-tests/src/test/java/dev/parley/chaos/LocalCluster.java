package dev.parley.chaos;

import dev.parley.embedded.SchemaRegistryEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * Three brokers in this JVM, which are also the controllers, and a registry. Each instance reaches each
 * broker through a link of its own; the test reaches them directly.
 */
final class LocalCluster implements AutoCloseable {
    static final int BROKERS = 3;

    private static final String HOST = "127.0.0.1";
    private static final String CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw";

    private final Path directory;
    private final List<Integer> directPorts = Cluster.freePorts(BROKERS);
    private final List<Integer> controllerPorts = Cluster.freePorts(BROKERS);
    private final Map<String, List<Integer>> linkedPorts = new HashMap<>();
    private final Map<String, List<TcpLink>> links = new HashMap<>();
    private final List<SteppedTime> clocks =
            Stream.generate(SteppedTime::new).limit(BROKERS).toList();
    private final KafkaRaftServer[] running = new KafkaRaftServer[BROKERS];
    private final SchemaRegistryEndpoint registry;
    private final Admin admin;

    /** Starts brokers and registry. */
    LocalCluster(Path directory, List<String> instances) throws Exception {
        this.directory = directory;
        for (String instance : instances) {
            List<Integer> ports = Cluster.freePorts(BROKERS);
            linkedPorts.put(instance, ports);
            links.put(instance, new ArrayList<>());
            for (int port : ports) {
                links.get(instance).add(new TcpLink(port));
            }
        }
        for (int broker = 0; broker < BROKERS; broker++) {
            format(broker);
        }
        // The first controllers wait for a majority.
        IntStream.range(0, BROKERS).parallel().forEach(this::start);
        registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0);
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap()));
    }

    private void format(int broker) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(broker)
                .setClusterId(CLUSTER_ID)
                .setDirectories(List.of(data(broker)))
                .setMetadataLogDirectory(data(broker))
                .setControllerListenerName("CONTROLLER")
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .run();
    }

    private String data(int broker) {
        return directory.resolve("broker-" + broker).toString();
    }

    private Properties properties(int broker) {
        Map<String, Integer> listeners = new HashMap<>();
        Map<String, Integer> advertised = new HashMap<>();
        listeners.put("DIRECT", directPorts.get(broker));
        advertised.put("DIRECT", directPorts.get(broker));
        linkedPorts.forEach((instance, ports) -> {
            listeners.put(instance, ports.get(broker));
            advertised.put(instance, links.get(instance).get(broker).port());
        });
        Properties properties = new Properties();
        properties.put("advertised.listeners", addresses(advertised));
        listeners.put("CONTROLLER", controllerPorts.get(broker));
        properties.put("listeners", addresses(listeners));
        properties.put(
                "listener.security.protocol.map",
                listeners.keySet().stream().map(name -> name + ":PLAINTEXT").collect(Collectors.joining(",")));
        properties.put("inter.broker.listener.name", "DIRECT");
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put(
                "controller.quorum.voters",
                IntStream.range(0, BROKERS)
                        .mapToObj(voter -> voter + "@" + HOST + ":" + controllerPorts.get(voter))
                        .collect(Collectors.joining(",")));
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(broker));
        properties.put("log.dirs", data(broker));
        properties.put("auto.create.topics.enable", "false");
        properties.put("default.replication.factor", "3");
        properties.put("min.insync.replicas", "2");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".replication.factor", "3");
            properties.put(topic + ".num.partitions", "2");
        }
        properties.put("transaction.state.log.min.isr", "2");
        properties.put("group.initial.rebalance.delay.ms", "0");
        // So that a stopped broker is as good as a killed one, and known to be gone in seconds.
        properties.put("controlled.shutdown.enable", "false");
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");
        properties.put("replica.lag.time.max.ms", "5000");
        properties.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "4");
        return properties;
    }

    private static String addresses(Map<String, Integer> ports) {
        return ports.entrySet().stream()
                .map(listener -> listener.getKey() + "://" + HOST + ":" + listener.getValue())
                .collect(Collectors.joining(","));
    }

    void start(int broker) {
        running[broker] = new KafkaRaftServer(new KafkaConfig(properties(broker), false), clocks.get(broker));
        running[broker].startup();
    }

    /** Stops a broker without handing over its partitions. */
    void stop(int broker) {
        running[broker].shutdown();
        running[broker].awaitShutdown();
        running[broker] = null;
    }

    /** Sets how far the clock of a broker is ahead. */
    void step(int broker, long milliseconds) {
        clocks.get(broker).aheadMs = milliseconds;
    }

    /** Sets the network between an instance and all brokers. */
    void network(String instance, TcpLink.Mode mode) {
        links.get(instance).forEach(link -> link.set(mode));
    }

    /** For the test. */
    String bootstrap() {
        return addressesOf(directPorts);
    }

    /** For an instance. */
    String bootstrap(String instance) {
        return addressesOf(links.get(instance).stream().map(TcpLink::port).toList());
    }

    private static String addressesOf(List<Integer> ports) {
        return ports.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    /** For the test and the instances. */
    String registry() {
        return registry.url();
    }

    Admin admin() {
        return admin;
    }

    /** Sets a setting of topics; null for the default. */
    void alter(List<String> topics, String setting, String value) throws ExecutionException, InterruptedException {
        AlterConfigOp operation = new AlterConfigOp(
                new ConfigEntry(setting, value),
                value == null ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(topics.stream()
                        .collect(Collectors.toMap(
                                topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic),
                                topic -> List.of(operation))))
                .all()
                .get();
    }

    /** The topics of the deployment, internal ones of Kafka Streams included. */
    List<String> topics() throws ExecutionException, InterruptedException {
        return List.copyOf(admin.listTopics().names().get());
    }

    @Override
    public void close() throws IOException {
        admin.close();
        registry.close();
        for (int broker = 0; broker < BROKERS; broker++) {
            if (running[broker] != null) {
                running[broker].shutdown();
            }
        }
        for (List<TcpLink> ofInstance : links.values()) {
            for (TcpLink link : ofInstance) {
                link.close();
            }
        }
    }

    /** The clock of a broker, which can be ahead. */
    private static final class SteppedTime implements Time {
        private volatile long aheadMs;

        @Override
        public long milliseconds() {
            return SYSTEM.milliseconds() + aheadMs;
        }

        @Override
        public long nanoseconds() {
            return SYSTEM.nanoseconds();
        }

        @Override
        public void sleep(long milliseconds) {
            SYSTEM.sleep(milliseconds);
        }

        @Override
        public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
                throws InterruptedException {
            SYSTEM.waitObject(object, condition, deadlineMs - aheadMs);
        }
    }
}
