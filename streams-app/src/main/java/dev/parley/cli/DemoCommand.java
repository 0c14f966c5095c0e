package dev.parley.cli;

import dev.parley.config.ParleyConfig;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.embedded.StartupException;
import dev.parley.logging.ControlCharacters;
import dev.parley.topology.StreamsSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley demo}: everything in one process, with sample traffic. */
@Command(
        name = "demo",
        description =
                "Runs everything in one process on a real Kafka broker, feeds the sample traffic and shows what became of it.",
        footer = {
            "",
            "Broker, Schema Registry endpoint, pipeline and HTTP API stay up until Ctrl-C, for other programs to read and ask.",
            "With --data a later start finds everything where it was; sample messages that are in the topics already are not sent again.",
            "Exit status: 0; 1 when the accounting does not balance or something did not start.",
            "",
            "Example:",
            "  parley demo --exit"
        })
final class DemoCommand implements Callable<Integer> {
    private static final int DEFAULT_PORT = 8080;
    /** A demo that was killed leaves transactions, members of groups and stores behind that time out or are restored at the next start. */
    private static final Duration START = Duration.ofSeconds(120);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Spec
    private CommandSpec spec;

    @Option(names = "--exit", description = "Leaves after the report instead of staying up.")
    private boolean exit;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port of the HTTP API. Without it, " + DEFAULT_PORT + " if that is free, else any free port.")
    private Integer port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps everything in this directory. Without it, a temporary one that is removed at the end.")
    private Path data;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = data != null ? Files.createDirectories(data) : Files.createTempDirectory("parley-demo");
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread hook = new Thread(
                () -> {
                    stop.countDown();
                    try {
                        stopped.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "parley-demo-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return run(directory, stop);
        } catch (StartupException | Application.TopicsUnfit e) {
            spec.commandLine()
                    .getErr()
                    .println("parley demo: " + ControlCharacters.escapeLines(String.valueOf(e.getMessage())));
            return 1;
        } finally {
            if (data == null) {
                remove(directory);
            }
            stopped.countDown();
        }
    }

    private int run(Path directory, CountDownLatch stop) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        say("starting a Kafka broker in " + directory);
        ParleyConfig defaults = new ParleyConfig(Map.of());
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                        .withMaxMessageBytes(defaults.outputRecordBytes()));
                SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
            ParleyConfig config = config(directory, kafka, registry);
            say("starting the pipeline, the views and the HTTP API");
            try (Application application = Application.start(config)) {
                Api api = new Api(application.uri());
                api.awaitReady(START, stop);
                long inputs = feed(config);
                boolean balanced = api.awaitAccounted(inputs, PATIENCE, stop);
                DemoReport report = new DemoReport(api, out);
                report.print(kafka.bootstrapServers(), registry.url());
                out.flush();
                if (!balanced) {
                    spec.commandLine().getErr().println("parley demo: the accounting does not balance");
                }
                if (!exit) {
                    out.println();
                    out.println("Running until Ctrl-C.");
                    out.flush();
                    stop.await();
                }
                return balanced ? 0 : 1;
            }
        }
    }

    private long feed(ParleyConfig config) {
        Map<String, Object> clients = StreamsSettings.clients(config);
        Samples samples = Samples.load();
        Samples.Arrived arrived = Samples.arrived(clients);
        say("sending " + (samples.size() - arrived.samples().size()) + " sample messages");
        try (Feed feed = new Feed(clients, config.getInt(ParleyConfig.RECORD_BYTES));
                Progress progress = Progress.of("samples", samples.size())) {
            samples.forEachMissing(arrived.samples(), line -> {
                feed.send(line);
                progress.step();
            });
            return arrived.records() + feed.flush();
        }
    }

    private ParleyConfig config(Path directory, EmbeddedKafka kafka, SchemaRegistryEndpoint registry) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, kafka.bootstrapServers());
        values.put(ParleyConfig.REGISTRY_URL, registry.url());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        values.put(ParleyConfig.PARTITIONS, 2);
        values.put(ParleyConfig.REPLICATION, (short) 1);
        // After a kill the group waits this long for the process that is gone.
        values.put(ParleyConfig.KAFKA_PREFIX + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        values.put(ParleyConfig.KAFKA_PREFIX + ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 2_000);
        values.put(ParleyConfig.STOP_NOTICE_MS, 0);
        values.put(ParleyConfig.HTTP_PORT, port != null ? port : freePort());
        return new ParleyConfig(values);
    }

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket(DEFAULT_PORT)) {
            return probe.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }

    private void say(String what) {
        spec.commandLine().getErr().println("parley demo: " + what + " ...");
        spec.commandLine().getErr().flush();
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
