package dev.parley.topology.pipeline;

import dev.parley.logging.FileErrors;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.BrokerTopicMetadata;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.lifecycle.BrokerWatch;
import dev.parley.topology.lifecycle.Dependencies;
import dev.parley.topology.lifecycle.LocalState;
import dev.parley.topology.lifecycle.NativeLibraries;
import dev.parley.topology.lifecycle.RestartLog;
import dev.parley.topology.lifecycle.RestartingExceptionHandler;
import dev.parley.topology.lifecycle.StopSignals;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline as a process, without HTTP API, views and command line. Its configuration is the environment and the
 * file in PARLEY_CONFIG, as for {@code parley run}. The log reports each state of Kafka Streams.
 *
 * <p>Exit status: 0 after a graceful shutdown, 1 if the pipeline failed or exceeded {@code stop.timeout.ms}, 2 if the
 * configuration is invalid.
 */
public final class PipelineProcess {
    private static final Logger LOG = LoggerFactory.getLogger(PipelineProcess.class);
    private static final String ROLE = "pipeline";
    private static final int FAILED = 1;
    private static final int INVALID = 2;

    private final ParleyConfig config;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private KafkaStreams streams;

    private PipelineProcess(ParleyConfig config) {
        this.config = config;
    }

    /** Runs the pipeline until the process gets SIGTERM or SIGINT, or the pipeline fails. Takes no arguments. */
    public static void main(String[] arguments) throws InterruptedException {
        int status = FAILED;
        try {
            if (arguments.length > 0) {
                throw new ConfigException("The pipeline takes no arguments, but got " + String.join(" ", arguments)
                        + "; set PARLEY_CONFIG or variables such as PARLEY_BOOTSTRAP_SERVERS");
            }
            new PipelineProcess(configuration(System.getenv())).run();
            LOG.error("The pipeline has failed.");
        } catch (ConfigException e) {
            LOG.error("{}", e.getMessage());
            status = INVALID;
        } catch (KafkaException | UncheckedIOException e) {
            String.valueOf(e.getMessage()).lines().forEach(line -> LOG.error("{}", line));
        }
        System.exit(status);
    }

    private static ParleyConfig configuration(Map<String, String> environment) {
        Map<String, String> values = new HashMap<>(Map.of(ParleyConfig.ROLES, ROLE));
        String file = environment.get("PARLEY_CONFIG");
        if (file != null) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                properties.load(reader);
            } catch (IOException e) {
                throw new ConfigException("PARLEY_CONFIG: cannot read " + file + ": " + FileErrors.reason(e));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(
                        "PARLEY_CONFIG: cannot read " + file + ": not a properties file: " + e.getMessage());
            }
            values.putAll(Utils.propsToStringMap(properties));
        }
        ParleyConfig config = ParleyConfig.of(List.of(), Map.of(), environment, values);
        if (!config.getList(ParleyConfig.ROLES).equals(List.of(ROLE))) {
            throw new ConfigException(ParleyConfig.ROLES + ": Value must be " + ROLE + " in a process without views");
        }
        return config;
    }

    private void run() throws InterruptedException {
        StopSignals.handle(this::stop);
        NativeLibraries.unpack();
        Dependencies.await(config, LOG::warn);
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.serdeSettings());
                BrokerTopicMetadata sources = new BrokerTopicMetadata(StreamsSettings.clientSettings(config));
                BrokerPublishedHeads heads = new BrokerPublishedHeads(config, serdes);
                BrokerWatch watch = new BrokerWatch(
                        StreamsSettings.clientSettings(config),
                        String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)))) {
            Optional<BrokerRestoredLogs> checks = BrokerRestoredLogs.of(config, serdes, sources);
            start(serdes, sources, checks.<RestoredLogs>map(logs -> logs).orElse(RestoredLogs.NONE), heads);
            failed.await();
            checks.ifPresent(BrokerRestoredLogs::close);
        } catch (IOException e) {
            LOG.warn("The Schema Registry client did not close: {}", e.getMessage());
        }
    }

    private void start(AvroSerdes serdes, BrokerTopicMetadata sources, RestoredLogs logs, PublishedHeads heads) {
        synchronized (this) {
            Dependencies.setUpTopics(config, TopicSetup.of(config));
            streams = new KafkaStreams(
                    new ParleyTopology(
                                    new Topics(config.topics(), serdes),
                                    serdes,
                                    PipelineSettings.of(config).with(sources, logs, heads),
                                    PipelineListener.NONE)
                            .build(),
                    ParleyTopology.config(config),
                    sources);
            streams.setUncaughtExceptionHandler(new RestartingExceptionHandler(ROLE, stopping, new RestartLog()));
            streams.setStateListener((now, before) -> {
                LOG.info("The pipeline is {}", now);
                if (now == KafkaStreams.State.ERROR && stopping.getCount() > 0) {
                    failed.countDown();
                }
            });
        }
        // SIGTERM must not wait for this.
        LocalState.deleteDamaged(
                Path.of(config.getString(ParleyConfig.STATE_DIR), config.getString(ParleyConfig.APPLICATION_ID)));
        streams.start();
    }

    /** Ends the process. If the pipeline is just being created, waits for that first. */
    private void stop() {
        stopping.countDown();
        boolean orderly;
        synchronized (this) {
            orderly = streams == null
                    || streams.close(CloseOptions.timeout(Duration.ofMillis(config.getInt(ParleyConfig.STOP_MS)))
                            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
        LOG.info(orderly ? "Stopped" : "Stopped, but not gracefully; uncommitted work will be reprocessed");
        System.exit(orderly ? 0 : FAILED);
    }
}
