package dev.parley.demo;

import dev.parley.cli.Demo;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.TranscriptProducer;
import dev.parley.config.ParleyConfig;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.embedded.StartupException;
import dev.parley.logging.ControlCharacters;
import dev.parley.server.Application;
import dev.parley.server.InvalidTopicsException;
import dev.parley.topology.setup.StreamsSettings;
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
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The demo: a Kafka broker, a Schema Registry endpoint and Parley in this process, and the sample traffic. */
public final class LocalDemo implements Demo {
    private static final int DEFAULT_PORT = 8080;
    /**
     * A demo that was killed leaves transactions, group members and stores that time out or are restored at the next
     * start.
     */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(120);

    private static final Duration ACCOUNTING_TIMEOUT = Duration.ofSeconds(60);

    /** For the service loader. */
    public LocalDemo() {}

    @Override
    public int run(Options options, PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        Path directory = options.data().isPresent()
                ? Files.createDirectories(options.data().get())
                : Files.createTempDirectory("parley-demo");
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
            return new Run(options, out, err, directory, stop).call();
        } catch (StartupException | InvalidTopicsException e) {
            err.println("parley demo: " + ControlCharacters.escapeLines(String.valueOf(e.getMessage())));
            return 1;
        } finally {
            if (options.data().isEmpty()) {
                remove(directory);
            }
            stopped.countDown();
        }
    }

    /**
     * One run in a directory.
     *
     * @param stop is counted down when the process is told to stop
     */
    private record Run(Options options, PrintWriter out, PrintWriter err, Path directory, CountDownLatch stop) {

        private int call() throws IOException, InterruptedException {
            say("starting a Kafka broker in " + directory);
            ParleyConfig defaults = new ParleyConfig(Map.of());
            try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                            .withMaxMessageBytes(defaults.outputRecordBytes()));
                    SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
                ParleyConfig config = config(kafka, registry);
                say("starting the pipeline, the views and the HTTP API");
                try (Application application = Application.start(config)) {
                    ApiClient apiClient = new ApiClient(application.uri());
                    apiClient.awaitReady(START_TIMEOUT, stop);
                    long inputs = feed(config);
                    boolean balanced = apiClient.awaitAccounted(inputs, ACCOUNTING_TIMEOUT, stop);
                    new DemoReport(apiClient, out).print(kafka.bootstrapServers(), registry.url());
                    out.flush();
                    if (!balanced) {
                        err.println("parley demo: the accounting does not balance");
                    }
                    if (!options.exit()) {
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
            Map<String, Object> clients = StreamsSettings.clientSettings(config);
            Samples samples = Samples.load();
            Samples.Arrived arrived = Samples.arrived(clients);
            say("sending " + (samples.size() - arrived.samples().size()) + " sample messages");
            try (TranscriptProducer transcriptProducer =
                            new TranscriptProducer(clients, config.getInt(ParleyConfig.RECORD_BYTES));
                    Progress progress = Progress.of("samples", samples.size())) {
                samples.forEachMissing(arrived.samples(), line -> {
                    transcriptProducer.send(line);
                    progress.step();
                });
                return arrived.records() + transcriptProducer.flush();
            }
        }

        private ParleyConfig config(EmbeddedKafka kafka, SchemaRegistryEndpoint registry) {
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
            values.put(ParleyConfig.HTTP_PORT, options.port().orElseGet(LocalDemo::freePort));
            return new ParleyConfig(values);
        }

        private void say(String what) {
            err.println("parley demo: " + what + " ...");
            err.flush();
        }
    }

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket(DEFAULT_PORT)) {
            return probe.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
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
