package dev.parley.chaos;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/** Three brokers and a Schema Registry in containers on one network. */
final class Cluster {
    static final String NETWORK = "parley-chaos";

    private static final int BROKERS = 3;
    private static final int REGISTRY_PORT = 8081;
    private static final String REGISTRY = "chaos-registry";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Images images;
    private final List<Integer> ports;

    private Cluster(Images images, List<Integer> ports) {
        this.images = images;
        this.ports = ports;
    }

    /** Starts them and returns when they answer. */
    static Cluster start(Images images) {
        Docker.run("network", "create", "--label", Docker.LABEL, NETWORK);
        Cluster cluster = new Cluster(images, freePorts(BROKERS + 1));
        for (int broker = 0; broker < BROKERS; broker++) {
            cluster.runBroker(broker);
        }
        cluster.awaitBrokers();
        cluster.runRegistry();
        cluster.awaitRegistry();
        return cluster;
    }

    int brokers() {
        return BROKERS;
    }

    String broker(int number) {
        return "chaos-broker-" + (number + 1);
    }

    String registryContainer() {
        return REGISTRY;
    }

    /** For clients on this machine. */
    String bootstrap() {
        return IntStream.range(0, BROKERS)
                .mapToObj(broker -> "127.0.0.1:" + ports.get(broker))
                .collect(Collectors.joining(","));
    }

    /** For clients on the network of the containers. */
    String bootstrapInside() {
        return IntStream.range(0, BROKERS)
                .mapToObj(broker -> broker(broker) + ":19092")
                .collect(Collectors.joining(","));
    }

    String registry() {
        return "http://127.0.0.1:" + ports.get(BROKERS) + images.registryPath();
    }

    String registryInside() {
        return "http://" + REGISTRY + ":" + REGISTRY_PORT + images.registryPath();
    }

    private void runBroker(int number) {
        Map<String, String> settings = Map.ofEntries(
                Map.entry("CLUSTER_ID", "4L6g3nShT-eMCtK--X86sw"),
                Map.entry("KAFKA_NODE_ID", Integer.toString(number + 1)),
                Map.entry("KAFKA_PROCESS_ROLES", "broker,controller"),
                Map.entry("KAFKA_LISTENERS", "INSIDE://:19092,HOST://:9092,CONTROLLER://:9093"),
                Map.entry(
                        "KAFKA_ADVERTISED_LISTENERS",
                        "INSIDE://" + broker(number) + ":19092,HOST://127.0.0.1:" + ports.get(number)),
                Map.entry(
                        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP", "INSIDE:PLAINTEXT,HOST:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("KAFKA_INTER_BROKER_LISTENER_NAME", "INSIDE"),
                Map.entry("KAFKA_CONTROLLER_LISTENER_NAMES", "CONTROLLER"),
                Map.entry(
                        "KAFKA_CONTROLLER_QUORUM_VOTERS",
                        IntStream.range(0, BROKERS)
                                .mapToObj(voter -> (voter + 1) + "@" + broker(voter) + ":9093")
                                .collect(Collectors.joining(","))),
                Map.entry("KAFKA_DEFAULT_REPLICATION_FACTOR", "3"),
                Map.entry("KAFKA_MIN_INSYNC_REPLICAS", "2"),
                Map.entry("KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", "3"),
                Map.entry("KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4"),
                Map.entry("KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR", "3"),
                Map.entry("KAFKA_TRANSACTION_STATE_LOG_MIN_ISR", "2"),
                Map.entry("KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS", "4"),
                Map.entry("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0"),
                // So that a broker that is gone is known to be gone in seconds.
                Map.entry("KAFKA_BROKER_SESSION_TIMEOUT_MS", "3000"),
                Map.entry("KAFKA_BROKER_HEARTBEAT_INTERVAL_MS", "500"),
                Map.entry("KAFKA_LOG_CLEANER_DEDUPE_BUFFER_SIZE", Integer.toString(8 << 20)),
                Map.entry("KAFKA_HEAP_OPTS", "-Xms256m -Xmx384m"));
        Docker.start(broker(number), images.kafka(), settings, "--publish", "127.0.0.1:" + ports.get(number) + ":9092");
    }

    /** The variables of Confluent's image; a registry that keeps its schemas by itself leaves them alone. */
    private void runRegistry() {
        Map<String, String> settings = Map.of(
                "SCHEMA_REGISTRY_HOST_NAME",
                REGISTRY,
                "SCHEMA_REGISTRY_LISTENERS",
                "http://0.0.0.0:" + REGISTRY_PORT,
                "SCHEMA_REGISTRY_KAFKASTORE_BOOTSTRAP_SERVERS",
                bootstrapInside(),
                "SCHEMA_REGISTRY_HEAP_OPTS",
                "-Xmx256m");
        String port = "127.0.0.1:" + ports.get(BROKERS) + ":" + REGISTRY_PORT;
        Docker.start(REGISTRY, images.registry(), settings, "--publish", port);
    }

    private void awaitBrokers() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(500))
                    .ignoreExceptions()
                    .until(() -> nodes(admin) == BROKERS);
        }
    }

    private static int nodes(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        return admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).size();
    }

    /** Returns when the registry answers. */
    void awaitRegistry() {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(registry() + "/subjects"))
                .timeout(Duration.ofSeconds(2))
                .build();
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions()
                .until(() -> http.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200);
    }

    /**
     * Free when they were asked for. They are fixed from then on, as a container that is started again must be found
     * where it was.
     */
    static List<Integer> freePorts(int number) {
        List<ServerSocket> probes = new ArrayList<>();
        try {
            List<Integer> free = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                ServerSocket probe = new ServerSocket(0);
                probes.add(probe);
                free.add(probe.getLocalPort());
            }
            for (ServerSocket probe : probes) {
                probe.close();
            }
            return free;
        } catch (IOException e) {
            throw new IllegalStateException("no free port", e);
        }
    }
}
