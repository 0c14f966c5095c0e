package dev.parley.cli;

import dev.parley.config.ParleyConfig;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.StreamsSettings;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/** Waits for what Parley cannot do without: brokers and Schema Registry. */
final class Dependencies {
    private static final int TRY_SECONDS = 5;

    private Dependencies() {}

    /**
     * Returns when both answer; until then says every few seconds who does not.
     *
     * @throws KafkaException when the brokers answer, but refuse in a way that trying again will not change
     */
    static void await(ParleyConfig config, Consumer<String> say) throws InterruptedException {
        for (String trouble = trouble(config); trouble != null; trouble = trouble(config)) {
            say.accept(trouble + "; trying again in " + TRY_SECONDS + " s");
            TimeUnit.SECONDS.sleep(TRY_SECONDS);
        }
    }

    private static String trouble(ParleyConfig config) throws InterruptedException {
        String brokers = String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS));
        Map<String, Object> settings = StreamsSettings.clients(config);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TRY_SECONDS * 1_000);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TRY_SECONDS * 1_000);
        try (Admin admin = Admin.create(settings)) {
            admin.describeCluster().clusterId().get(TRY_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return "no answer from the brokers at " + brokers + " (bootstrap.servers)";
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return "no answer from the brokers at " + brokers + " (bootstrap.servers): "
                        + e.getCause().getMessage();
            }
            throw new KafkaException(
                    "the brokers at " + brokers + " (bootstrap.servers) do not let this client in: " + rootMessage(e),
                    e);
        } catch (KafkaException e) {
            if (!rootMessage(e).contains("bootstrap")) {
                // Wrong settings, a truststore that is not there for example: waiting does not mend them.
                throw new KafkaException("no Kafka client can be made of the kafka.* settings: " + rootMessage(e), e);
            }
            return "cannot reach the brokers at " + brokers + " (bootstrap.servers): " + rootMessage(e);
        }
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings())) {
            serdes.registry().getAllSubjects();
        } catch (IOException | RestClientException e) {
            return "no good answer from the Schema Registry at " + config.shownRegistryUrl()
                    + " (schema.registry.url): " + e.getMessage();
        }
        return null;
    }

    private static String rootMessage(Throwable exception) {
        Throwable root = exception;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
