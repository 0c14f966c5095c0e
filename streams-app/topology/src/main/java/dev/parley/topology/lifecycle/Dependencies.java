package dev.parley.topology.lifecycle;

import dev.parley.serde.AvroSerdes;
import dev.parley.serde.RegistryFailures;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicSetup;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;

/** Waits until brokers and Schema Registry are available, and sets up topics. */
public final class Dependencies {
    private static final int RETRY_SECONDS = 5;

    private Dependencies() {}

    /**
     * Returns when both are available; until then reports every few seconds which is not.
     *
     * @param say receives the reports
     * @throws KafkaException when the brokers reject this client, so that a retry cannot help
     */
    public static void await(ParleyConfig config, Consumer<String> say) throws InterruptedException {
        for (String trouble = trouble(config); trouble != null; trouble = trouble(config)) {
            say.accept(trouble + "; retrying in " + RETRY_SECONDS + " s");
            TimeUnit.SECONDS.sleep(RETRY_SECONDS);
        }
    }

    /**
     * Creates missing topics, and notes the topics that the local state belongs to.
     *
     * @param setup the topics of this instance
     * @throws InvalidTopicException when existing topics are not what Parley needs
     */
    public static void setUpTopics(ParleyConfig config, TopicSetup setup) {
        try (Admin admin = StreamsSettings.admin(StreamsSettings.clientSettings(config))) {
            List<Finding> wrong = new ArrayList<>(setup.createAndValidate(admin));
            if (wrong.isEmpty()) {
                new StateTopicIds(
                                Path.of(config.getString(ParleyConfig.STATE_DIR)),
                                config.getString(ParleyConfig.APPLICATION_ID))
                        .keep(admin, setup.names())
                        .ifPresent(wrong::add);
            }
            if (!wrong.isEmpty()) {
                throw new InvalidTopicException(
                        wrong.stream().map(Finding::toString).collect(Collectors.joining(System.lineSeparator())));
            }
        }
    }

    private static String trouble(ParleyConfig config) throws InterruptedException {
        String brokers = String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS));
        try (Admin admin =
                StreamsSettings.admin(StreamsSettings.clientSettings(config), Duration.ofSeconds(RETRY_SECONDS))) {
            admin.describeCluster().clusterId().get(RETRY_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return "the brokers at " + brokers + " (bootstrap.servers) are unavailable";
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return "the brokers at " + brokers + " (bootstrap.servers) are unavailable: "
                        + e.getCause().getMessage();
            }
            throw new KafkaException(
                    "the brokers at " + brokers + " (bootstrap.servers) rejected this client: " + AdminFutures.root(e),
                    e);
        } catch (KafkaException e) {
            if (!AdminFutures.root(e).contains("bootstrap")) {
                // Invalid settings, such as a missing truststore: a retry cannot help.
                throw new KafkaException("invalid kafka.* settings: " + AdminFutures.root(e), e);
            }
            return "the brokers at " + brokers + " (bootstrap.servers) are unavailable: " + AdminFutures.root(e);
        }
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings())) {
            serdes.registry().getAllSubjects();
        } catch (IOException | RestClientException e) {
            return "the Schema Registry at " + config.shownRegistryUrl() + " (schema.registry.url) is unavailable: "
                    + RegistryFailures.reason(e);
        }
        return null;
    }
}
