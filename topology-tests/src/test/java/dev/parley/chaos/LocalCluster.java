package dev.parley.chaos;

import static org.awaitility.Awaitility.await;

import dev.parley.embedded.SchemaRegistryEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
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
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * Three brokers in this JVM, which are also the controllers, and a registry. Each instance reaches each broker by TLS
 * through a link of its own, and the registry through a proxy; the test reaches them directly.
 */
final class LocalCluster implements AutoCloseable {
    static final int BROKERS = 3;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String HOST = "127.0.0.1";
    private static final String CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw";

    private final Path directory;
    private final CertificateAuthority authority;
    private final Path certificate;
    private final List<Integer> directPorts = Cluster.freePorts(BROKERS);
    private final List<Integer> controllerPorts = Cluster.freePorts(BROKERS);
    private final Map<String, List<Integer>> linkedPorts = new HashMap<>();
    private final Map<String, List<TcpLink>> links = new HashMap<>();
    private final List<SteppedTime> clocks =
            Stream.generate(SteppedTime::new).limit(BROKERS).toList();
    private final KafkaRaftServer[] running = new KafkaRaftServer[BROKERS];
    private final SchemaRegistryEndpoint registry;
    private final Map<String, SwappingRegistry> registries = new HashMap<>();
    private final Admin admin;

    /** Starts brokers and registry. */
    LocalCluster(Path directory, List<String> instances) throws Exception {
        this.directory = directory;
        authority = new CertificateAuthority(directory.resolve("certificates"));
        certificate = authority.issue("-1H");
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
        for (String instance : instances) {
            registries.put(instance, new SwappingRegistry(registry.url()));
        }
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
                listeners.keySet().stream()
                        .map(name -> name + (links.containsKey(name) ? ":SSL" : ":PLAINTEXT"))
                        .collect(Collectors.joining(",")));
        for (String instance : links.keySet()) {
            String prefix = keystore(instance);
            properties.put(prefix + "location", certificate.toString());
            properties.put(prefix + "type", "PKCS12");
            properties.put(prefix + "password", CertificateAuthority.PASSWORD);
        }
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

    /** Prefix of the settings of the keystore for an instance. */
    private static String keystore(String instance) {
        return "listener.name." + instance.toLowerCase(Locale.ROOT) + ".ssl.keystore.";
    }

    /** Settings of an instance that trusts the certificates of the brokers. */
    Map<String, Object> tls() {
        return Map.of(
                "kafka.security.protocol",
                "SSL",
                "kafka.ssl.truststore.type",
                "PEM",
                "kafka.ssl.truststore.location",
                authority.certificate().toString());
    }

    /**
     * Gives the brokers another certificate for an instance. Connections continue with the previous one.
     *
     * @param start of the day of its validity, as of {@link CertificateAuthority#issue}
     */
    void certify(String instance, String start) throws IOException, ExecutionException, InterruptedException {
        AlterConfigOp operation = new AlterConfigOp(
                new ConfigEntry(
                        keystore(instance) + "location", authority.issue(start).toString()),
                AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(IntStream.range(0, BROKERS)
                        .boxed()
                        .collect(Collectors.toMap(
                                broker -> new ConfigResource(ConfigResource.Type.BROKER, broker.toString()),
                                broker -> List.of(operation))))
                .all()
                .get();
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

    /** For the test. */
    String registry() {
        return registry.url();
    }

    /** For an instance. */
    SwappingRegistry registry(String instance) {
        return registries.get(instance);
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

    /** Moves a partition to these brokers; the first one becomes its leader. */
    void reassign(TopicPartition partition, List<Integer> brokers) throws ExecutionException, InterruptedException {
        admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(brokers))))
                .all()
                .get();
        await().atMost(TIMEOUT)
                .until(() ->
                        admin.listPartitionReassignments().reassignments().get().isEmpty());
        if (leader(partition) != brokers.get(0)) {
            admin.electLeaders(ElectionType.PREFERRED, Set.of(partition)).all().get();
        }
        awaitLeader(partition, brokers.get(0));
    }

    void awaitLeader(TopicPartition partition, int broker) {
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> leader(partition) == broker);
    }

    private int leader(TopicPartition partition) throws ExecutionException, InterruptedException {
        Node leader = admin.describeTopics(List.of(partition.topic()))
                .topicNameValues()
                .get(partition.topic())
                .get()
                .partitions()
                .get(partition.partition())
                .leader();
        return leader == null ? -1 : leader.id();
    }

    /** The topics of the deployment, internal ones of Kafka Streams included. */
    List<String> topics() throws ExecutionException, InterruptedException {
        return List.copyOf(admin.listTopics().names().get());
    }

    @Override
    public void close() throws IOException {
        admin.close();
        registries.values().forEach(SwappingRegistry::close);
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
