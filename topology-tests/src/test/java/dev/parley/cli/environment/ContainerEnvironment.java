package dev.parley.cli.environment;

import dev.parley.cli.transcript.Transcript;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startables;

/** A broker and a registry in containers, on a network of their own; the counterpart of {@link EmbeddedEnvironment}. */
public final class ContainerEnvironment implements AutoCloseable {
    private static final String INSIDE_BROKER = "kafka:19092";
    private static final int REGISTRY_PORT = 8081;
    private static final int TAP_PORT = 8080;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Network network = Network.newNetwork();
    private final KafkaContainer kafka;
    private final GenericContainer<?> registry;

    private ContainerEnvironment() {
        kafka = new KafkaContainer(Images.kafka())
                .withNetwork(network)
                .withListener(INSIDE_BROKER)
                .withEnv("KAFKA_HEAP_OPTS", "-Xms256m -Xmx512m")
                .withStartupTimeout(TIMEOUT);
        registry = new GenericContainer<>(Images.registry())
                .withNetwork(network)
                .withNetworkAliases("registry")
                .withExposedPorts(REGISTRY_PORT)
                .withEnv("SCHEMA_REGISTRY_HOST_NAME", "registry")
                .withEnv("SCHEMA_REGISTRY_LISTENERS", "http://0.0.0.0:" + REGISTRY_PORT)
                .withEnv("SCHEMA_REGISTRY_KAFKASTORE_BOOTSTRAP_SERVERS", INSIDE_BROKER)
                .withEnv("SCHEMA_REGISTRY_KAFKASTORE_TOPIC_REPLICATION_FACTOR", "1")
                .withEnv("SCHEMA_REGISTRY_HEAP_OPTS", "-Xms128m -Xmx256m")
                .dependsOn(kafka)
                .waitingFor(Wait.forHttp(Images.registryPath() + "/subjects").forPort(REGISTRY_PORT))
                .withStartupTimeout(TIMEOUT);
    }

    public static ContainerEnvironment open() {
        ContainerEnvironment containerEnvironment = new ContainerEnvironment();
        try {
            Startables.deepStart(containerEnvironment.kafka, containerEnvironment.registry)
                    .join();
            return containerEnvironment;
        } catch (RuntimeException e) {
            containerEnvironment.close();
            throw e;
        }
    }

    /** Brokers as this machine reaches them. */
    public String brokers() {
        return kafka.getBootstrapServers();
    }

    /** The registry as this machine reaches it. */
    public String registry() {
        return "http://" + registry.getHost() + ':' + registry.getMappedPort(REGISTRY_PORT) + Images.registryPath();
    }

    /** Configuration of a Parley in this process. */
    public ParleyConfig config(Path state) {
        Map<String, Object> values = new HashMap<>(clients());
        values.put(ParleyConfig.STATE_DIR, state.toString());
        values.put(HttpKeys.PORT, 0);
        return ServerConfig.of(values);
    }

    private Map<String, Object> clients() {
        return Map.of(
                ParleyConfig.BOOTSTRAP_SERVERS,
                brokers(),
                ParleyConfig.REGISTRY_URL,
                registry(),
                ParleyConfig.PARTITIONS,
                2,
                ParleyConfig.REPLICATION,
                (short) 1);
    }

    /** A Parley in a container of its own, not started yet. */
    public ParleyContainer parley() {
        return new ParleyContainer(Images.parley())
                .withNetwork(network)
                .withEnv(ParleyConfig.variable(ParleyConfig.BOOTSTRAP_SERVERS), INSIDE_BROKER)
                .withEnv(
                        ParleyConfig.variable(ParleyConfig.REGISTRY_URL),
                        "http://registry:" + REGISTRY_PORT + Images.registryPath())
                .withEnv(ParleyConfig.variable(ParleyConfig.PARTITIONS), "2")
                .withEnv(ParleyConfig.variable(ParleyConfig.REPLICATION), "1");
    }

    /** The tap in a container of its own, before the registry, which it reaches as a server; not started yet. */
    public GenericContainer<?> tap() {
        return new GenericContainer<>(Images.parley())
                .withNetwork(network)
                .withExposedPorts(TAP_PORT)
                .withCommand(
                        "tap",
                        "http",
                        "--listen=0.0.0.0:" + TAP_PORT,
                        "--to=http://registry:" + REGISTRY_PORT + Images.registryPath(),
                        "--bootstrap-servers=" + INSIDE_BROKER)
                .waitingFor(Wait.forLogMessage("(?s).*listening on .*", 1));
    }

    /** Sends records and waits until all are acknowledged. */
    public void feed(List<Transcript.Line> lines) {
        RunningParley.send(ServerConfig.of(clients()), lines);
    }

    public TopicAssertions topics() {
        return TopicAssertions.read(brokers(), registry(), TopicNames.DEFAULT);
    }

    @Override
    public void close() {
        registry.stop();
        kafka.stop();
        network.close();
    }
}
