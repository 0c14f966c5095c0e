package dev.parley.load.process;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that runs Parley in a separate process, with broker and Schema Registry in this one. */
public abstract class ProcessRun implements Callable<Integer> {
    @Option(names = "--heap", defaultValue = "512m", description = "Parley's Java heap (default: ${DEFAULT-VALUE}).")
    protected String heap;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of all traffic (default: ${DEFAULT-VALUE}).")
    protected long seed;

    @Option(names = "--jar", required = true, description = "parley.jar, next to its libraries.")
    private Path jar;

    @Option(names = "--directory", required = true, description = "New directory for topics, stores and results.")
    protected Path directory;

    /** The samples of Parley's memory. */
    protected final List<Sample> samples = new ArrayList<>();

    private final long start = System.nanoTime();
    private final Map<String, String> broker;
    private final Map<String, String> config;

    /**
     * Creates the command.
     *
     * @param broker broker settings that override the defaults
     * @param config configuration of Parley in addition to addresses and partitions
     */
    protected ProcessRun(Map<String, String> broker, Map<String, String> config) {
        this.broker = broker;
        this.config = config;
    }

    @Override
    public final Integer call() throws Exception {
        Files.createDirectory(directory);
        try (EmbeddedKafka kafka = EmbeddedKafka.start(
                        EmbeddedKafkaSettings.in(directory.resolve("kafka")).withOverrides(broker));
                SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
            Map<String, String> settings = new HashMap<>(config);
            settings.put("bootstrap.servers", kafka.bootstrapServers());
            settings.put("schema.registry.url", registry.url());
            settings.put("topics.partitions", "4");
            settings.put("topics.replication.factor", "1");
            try (ParleyProcess parley =
                    ParleyProcess.start(List.of("-Xmx" + heap, "-jar", jar.toString()), settings, directory)) {
                return run(parley, kafka.bootstrapServers(), registry.url());
            }
        }
    }

    /**
     * Runs the load.
     *
     * @param parley the process, which is ready
     * @param brokers bootstrap servers
     * @param registry URL of the Schema Registry
     * @return exit status
     */
    protected abstract int run(ParleyProcess parley, String brokers, String registry) throws Exception;

    /** Time since the start of the command, in seconds. */
    protected final double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }
}
