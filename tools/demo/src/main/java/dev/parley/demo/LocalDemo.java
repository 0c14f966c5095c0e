package dev.parley.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.parley.cli.Demo;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.io.NewDirectory;
import dev.parley.cli.io.Progress;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.codec.ControlCharacters;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.embedded.StartupException;
import dev.parley.file.OwnerOnly;
import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.lifecycle.NativeLibraries;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.slf4j.LoggerFactory;

/** The demo: a Kafka broker, a Schema Registry endpoint and Parley in this process, and the sample traffic. */
public final class LocalDemo implements Demo {
    /** Covers transactions and group members of a killed demo, which time out, and stores, which are restored. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(120);

    /** A demo writes less than 10 MB; the rest is for the user's traffic. */
    private static final long MIN_FREE_BYTES = 256L << 20;

    private static final long STATE_MEMORY_BYTES = 64L << 20;

    /** Without another verdict. */
    private static final Duration ACCOUNTING_TIMEOUT = Duration.ofSeconds(60);

    /** For the service loader. */
    public LocalDemo() {}

    @Override
    public int run(Options options, PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        quietLog();
        NativeLibraries.unpack();
        Path parent = options.data().isPresent()
                ? dataDirectory(options.data().get())
                : Path.of(System.getProperty("java.io.tmpdir"));
        Optional<String> lacking =
                lackingSpace(parent, Files.getFileStore(parent).getUsableSpace());
        if (lacking.isPresent()) {
            err.println("parley demo: " + ControlCharacters.escape(lacking.get()));
            return 1;
        }
        Path directory = options.data().isPresent() ? parent : Files.createTempDirectory(parent, "parley-demo");
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
        } catch (StartupException | InvalidTopicException e) {
            err.println("parley demo: " + ControlCharacters.escapeLines(String.valueOf(e.getMessage())));
            return 1;
        } finally {
            try {
                if (options.data().isEmpty()) {
                    NewDirectory.delete(directory);
                }
            } finally {
                stopped.countDown();
            }
        }
    }

    /**
     * One run in a directory.
     *
     * @param stop counted down on a request to stop the process
     */
    private record Run(Options options, PrintWriter out, PrintWriter err, Path directory, CountDownLatch stop) {

        private int call() throws IOException, InterruptedException {
            try {
                return start();
            } catch (RuntimeException e) {
                if (isStopped()) {
                    // Work in progress failed because the demo is stopping.
                    return 0;
                }
                throw e;
            }
        }

        private int start() throws IOException, InterruptedException {
            Addresses addresses = Addresses.of(options.config(), Addresses.USUAL, this::note);
            HttpSecurity configured =
                    HttpSecurityFactory.of(options.config(), line -> err.println("parley demo: warning: " + line));
            requireReadable(options.config(), configured);
            ReportAccess access = ReportAccess.of(configured, options.token());
            announce("starting a Kafka broker in " + directory);
            Path brokerData = OwnerOnly.createDirectory(directory.resolve("kafka"));
            Path registryData = OwnerOnly.createDirectory(directory.resolve("registry"));
            try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(brokerData)
                            .withPort(addresses.kafka())
                            .withMaxMessageBytes(options.config().outputRecordBytes()));
                    SchemaRegistryEndpoint registry =
                            SchemaRegistryEndpoint.start(registryData, addresses.registry())) {
                ParleyConfig config = config(kafka.bootstrapServers(), registry.url(), addresses.http());
                DemoKeys keys = DemoKeys.publish(config, directory);
                if (isStopped()) {
                    return 0;
                }
                announce("starting the pipeline, the views and the HTTP API");
                try (Application application = Application.start(config, access.security())) {
                    return report(config, access, keys, new ApiClient(application.uri(), access.reader()));
                }
            }
        }

        private int report(ParleyConfig config, ReportAccess access, DemoKeys keys, ApiClient api)
                throws IOException, InterruptedException {
            api.awaitReady(START_TIMEOUT, stop);
            if (isStopped()) {
                return 0;
            }
            out.println("Console: " + api.uri("/"));
            out.flush();
            long inputs = feed(config);
            boolean balanced = !isStopped() && api.awaitAccounted(inputs, ACCOUNTING_TIMEOUT, stop);
            if (isStopped()) {
                return 0;
            }
            boolean sound = new DemoReport(options, config, access, api, keys, directory, out).print(balanced);
            out.flush();
            if (!balanced) {
                err.println("parley demo: the accounting does not balance");
            }
            if (!sound) {
                err.println("parley demo: the verification of the audit trail has another result than expected");
            }
            if (!options.exit()) {
                stop.await();
            }
            return balanced && sound ? 0 : 1;
        }

        private long feed(ParleyConfig config) {
            Map<String, Object> clients = StreamsSettings.clientSettings(config);
            Samples samples = Samples.load();
            Samples.Arrived arrived = Samples.arrived(config.topics(), clients);
            announce("sending " + (samples.size() - arrived.samples().size()) + " sample messages");
            try (TranscriptProducer transcriptProducer = new TranscriptProducer(config);
                    Progress progress = Progress.of("samples")) {
                samples.forEachMissing(arrived.samples(), line -> {
                    if (!isStopped()) {
                        transcriptProducer.send(line);
                        progress.step();
                    }
                });
                return arrived.records() + transcriptProducer.flush();
            }
        }

        /** The user's settings over defaults for the demo, with the actual addresses. */
        private ParleyConfig config(String brokers, String registry, int httpPort) throws IOException {
            Map<String, Object> values = new HashMap<>();
            // Kafka Streams lets the group read the directory that it is given.
            Path state = OwnerOnly.createDirectory(directory.resolve("state")).resolve("streams");
            values.put(ParleyConfig.STATE_DIR, state.toString());
            values.put(ParleyConfig.STATE_MEMORY, STATE_MEMORY_BYTES);
            values.put(ParleyConfig.PARTITIONS, 2);
            values.put(ParleyConfig.REPLICATION, (short) 1);
            values.put(AuditKeys.HEADS_INTERVAL_MS, 1_000);
            // After a kill, the group waits this long for the previous process.
            values.put(ParleyConfig.KAFKA_PREFIX + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
            values.put(ParleyConfig.KAFKA_PREFIX + ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 2_000);
            values.put(HttpKeys.STOP_NOTICE_MS, 0);
            // The console shows the minute of the samples soon after it is over.
            values.put(ParleyConfig.TRAFFIC_GRACE_MS, 2_000);
            values.put(ParleyConfig.TRAFFIC_PAUSE_MS, 2_000);
            values.put(IngestFeature.ENABLED, true);
            values.putAll(options.config().originals());
            values.put(ParleyConfig.BOOTSTRAP_SERVERS, brokers);
            values.put(ParleyConfig.REGISTRY_URL, registry);
            values.put(HttpKeys.PORT, httpPort);
            values.put(AuditKeys.HEADS_KEY_FILES, DemoKeys.signing(options.config(), directory));
            values.put(AuditKeys.INTERNAL_KEY_FILES, DemoKeys.internal(options.config(), directory));
            return ServerConfig.of(values);
        }

        private boolean isStopped() {
            return stop.getCount() == 0;
        }

        private void announce(String what) {
            note(what + " ...");
        }

        private void note(String what) {
            err.println("parley demo: " + what);
            err.flush();
        }
    }

    /** Why a directory cannot hold the data of a demo; empty if it can. A broker without space ends the process. */
    static Optional<String> lackingSpace(Path directory, long usableBytes) {
        return usableBytes >= MIN_FREE_BYTES
                ? Optional.empty()
                : Optional.of("the disk of " + directory + " has " + (usableBytes >> 20)
                        + " MiB free, but the demo needs " + (MIN_FREE_BYTES >> 20)
                        + " MiB. Free space, or name a directory on another disk with --data.");
    }

    private static Path dataDirectory(Path data) throws IOException {
        if (Files.exists(data) && !Files.isDirectory(data)) {
            throw new NotDirectoryException(data.toString());
        }
        Path directory = Files.createDirectories(data, OwnerOnly.directory(data.getFileSystem()));
        try (Stream<Path> files = Files.list(directory)) {
            if (files.findAny().isPresent() && !Files.exists(directory.resolve("kafka"))) {
                throw new FileSystemException(
                        data.toString(),
                        null,
                        "has files of something else than a demo; name a new or empty directory");
            }
        }
        return directory;
    }

    /** The report reads the HTTP API of this process over plain HTTP. */
    private static void requireReadable(ParleyConfig settings, HttpSecurity security) {
        if (!settings.hasRole("pipeline") || !settings.hasRole("views")) {
            throw new ConfigException(
                    ParleyConfig.ROLES,
                    settings.getList(ParleyConfig.ROLES),
                    "The demo needs both roles, pipeline and views");
        }
        if (security.tls().isPresent()) {
            throw new ConfigException("The demo serves the HTTP API without TLS. Remove the settings http.tls.*");
        }
    }

    /** Leaves the terminal to the report, unless log levels are set. */
    private static void quietLog() {
        quiet("PARLEY_LOG", Level.WARN, "dev.parley");
        // Clients report topics that the applications are about to create.
        quiet("PARLEY_LOG_KAFKA", Level.OFF, "org.apache.kafka", "org.apache.kafka.clients");
    }

    private static void quiet(String variable, Level level, String... loggers) {
        if (System.getenv(variable) == null && System.getProperty(variable) == null) {
            for (String name : loggers) {
                if (LoggerFactory.getLogger(name) instanceof Logger logger) {
                    logger.setLevel(level);
                }
            }
        }
    }
}
