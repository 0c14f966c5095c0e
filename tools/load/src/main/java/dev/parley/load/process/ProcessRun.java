package dev.parley.load.process;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.json.model.AccountingReport;
import dev.parley.load.Markdown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/**
 * A command that runs Parley in a separate process, with broker and Schema Registry in this one. It samples Parley's
 * memory, and checks that it does not grow.
 */
public abstract class ProcessRun implements Callable<Integer> {
    @Option(names = "--heap", defaultValue = "512m", description = "Parley's Java heap (default: ${DEFAULT-VALUE}).")
    protected String heap;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of all traffic (default: ${DEFAULT-VALUE}).")
    protected long seed;

    @Option(names = "--jar", required = true, description = "parley.jar, next to its libraries.")
    private Path jar;

    @Option(names = "--directory", required = true, description = "New directory for topics, stores and results.")
    private Path directory;

    private final List<Sample> samples = new ArrayList<>();
    private final long start = System.nanoTime();
    private final Map<String, String> broker;
    private final Map<String, String> config;
    private double nextSample;

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
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("samples.csv"), Sample.HEADER + "\n");
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
                return run(parley, kafka.bootstrapServers(), registry.url()) ? 0 : 1;
            }
        }
    }

    /**
     * Runs the load.
     *
     * @param parley the process, which is ready
     * @param brokers bootstrap servers
     * @param registry URL of the Schema Registry
     * @return whether every check passed
     */
    protected abstract boolean run(ParleyProcess parley, String brokers, String registry) throws Exception;

    /** Time since the start of the command, in seconds. */
    protected final double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * Takes a sample if the previous one is old enough.
     *
     * @param every minimum seconds between two samples
     * @param messages messages with an outcome
     * @param note addition to the line that it prints
     */
    protected final void sample(ParleyProcess parley, int every, long messages, String note)
            throws IOException, InterruptedException {
        if (seconds() < nextSample) {
            return;
        }
        nextSample = seconds() + every;
        Sample sample = parley.sample(seconds(), messages);
        samples.add(sample);
        Files.writeString(directory.resolve("samples.csv"), sample.line() + "\n", StandardOpenOption.APPEND);
        System.err.println(sample.line() + note);
    }

    /** Forgets the samples so far. */
    protected final void forgetSamples() {
        samples.clear();
    }

    /** Parley's count of all inputs. */
    protected static AccountingReport accounting(ParleyProcess parley) {
        return parley.client().get("/v1/accounting", AccountingReport.class);
    }

    /**
     * Prints the report, with a table of memory, and keeps it in the directory.
     *
     * @return whether memory is flat
     */
    protected final boolean report(String text) throws IOException {
        List<Trend> trends = Trend.all(samples);
        StringBuilder page = new StringBuilder(text).append('\n');
        page.append(Markdown.head("memory", "third quarter", "fourth quarter", ""));
        trends.forEach(trend -> page.append(trend.row()));
        Files.writeString(directory.resolve("report.md"), page);
        System.out.print(page);
        return trends.stream().allMatch(Trend::isFlat);
    }
}
