package dev.parley.server.operations;

import dev.parley.avro.Accounting;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.serde.AvroSerdes;
import dev.parley.serde.RegistryFailures;
import dev.parley.server.deployment.Deployment;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Topics;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.confluent.kafka.serializers.AbstractKafkaSchemaSerDeConfig;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.kafka.common.config.ConfigException;

/** Checks that the registry is available and that its schemas are compatible with Parley's. */
final class RegistryCheck {
    private static final String REMEDY =
            "Set schema.registry.url, and schema.registry.basic.auth.* or schema.registry.ssl.* if the registry "
                    + "requires them.";

    private final ParleyConfig config;
    private final Map<String, Schema> subjects;
    private final List<Finding> findings = new ArrayList<>();
    private final String subject;

    /** @param topics names of the topics that this instance creates */
    RegistryCheck(ParleyConfig config, Deployment deployment, Collection<String> topics) {
        this.config = config;
        this.subjects = subjects(deployment, topics);
        this.subject = "registry " + config.shownRegistryUrl();
    }

    /** Runs the check, and returns its findings. Waits for the registry. */
    List<Finding> run() {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings())) {
            SchemaRegistryClient registry = serdes.registry();
            for (Map.Entry<String, Schema> entry : subjects.entrySet()) {
                checkSubject(registry, entry.getKey(), new AvroSchema(entry.getValue()));
            }
        } catch (RestClientException e) {
            boolean refused = e.getStatus() == HttpURLConnection.HTTP_UNAUTHORIZED
                    || e.getStatus() == HttpURLConnection.HTTP_FORBIDDEN;
            findings.add((refused ? Check.REGISTRY_REFUSES : Check.REGISTRY_SILENT)
                    .finding(
                            subject,
                            "The registry returned " + e.getStatus() + ": " + RegistryFailures.reason(e) + ".",
                            REMEDY));
        } catch (IOException | ConfigException e) {
            findings.add(Check.REGISTRY_SILENT.finding(
                    subject, "The registry is unavailable: " + RegistryFailures.reason(e) + ".", REMEDY));
        }
        return findings;
    }

    private void checkSubject(SchemaRegistryClient registry, String name, AvroSchema schema)
            throws IOException, RestClientException {
        List<String> objections = new ArrayList<>();
        try {
            objections.addAll(registry.testCompatibilityVerbose(name, schema));
        } catch (RestClientException e) {
            if (!RegistryFailures.isMissing(e)) {
                throw e;
            }
            // The subject has no version yet.
        }
        if (!objections.isEmpty()) {
            findings.add(Check.SCHEMA_INCOMPATIBLE.finding(
                    "subject " + name,
                    "The latest registered version is incompatible with Parley's schema: " + objections.get(0),
                    "Find its owner. If only Parley uses the topic, delete that version of the subject."));
            return;
        }
        OptionalInt id = id(registry, name, schema);
        if (id.isPresent()) {
            // As readers do. By the ID alone, the client returns the schema that it has just sent.
            String returned =
                    registry.getSchemaBySubjectAndId(name, id.getAsInt()).name();
            if (!schema.name().equals(returned)) {
                findings.add(Check.SCHEMA_INCOMPATIBLE.finding(
                        "subject " + name,
                        "The registry gave Parley's schema " + schema.name() + " the ID " + id.getAsInt()
                                + ", but returns the schema " + returned + " for this ID.",
                        "Restore a registry in which existing records keep their schema IDs."));
            }
        } else if (!registers()) {
            findings.add(Check.SCHEMA_MISSING.finding(
                    "subject " + name,
                    "Parley's schema is not registered, and schema.registry.auto.register.schemas is false.",
                    "Register the schema, or set that key to true."));
        }
    }

    private boolean registers() {
        Object set = config.registrySettings()
                .get(ParleyConfig.REGISTRY_PREFIX + AbstractKafkaSchemaSerDeConfig.AUTO_REGISTER_SCHEMAS);
        return set == null || Boolean.parseBoolean(set.toString());
    }

    /** The ID of a schema; empty if it is not registered. */
    private static OptionalInt id(SchemaRegistryClient registry, String name, AvroSchema schema)
            throws IOException, RestClientException {
        try {
            return OptionalInt.of(registry.getId(name, schema));
        } catch (RestClientException e) {
            if (RegistryFailures.isMissing(e)) {
                return OptionalInt.empty();
            }
            throw e;
        }
    }

    /**
     * Every subject under which Parley registers a schema: those of all topics with Avro values, including internal
     * ones, of the applications of the deployment and of the features of this instance.
     *
     * @param topics names of the topics that this instance creates
     */
    static Map<String, Schema> subjects(Deployment deployment, Collection<String> topics) {
        String id = deployment.pipeline().applicationId() + "-";
        Map<String, Schema> values = new TreeMap<>(deployment.schemas());
        values.put(Topics.repartition(deployment.pipeline().applicationId()), Inbound.getClassSchema());
        values.put(id + PipelineStores.CONVERSATIONS + "-changelog", DialogueState.getClassSchema());
        values.put(id + PipelineStores.ITEMS + "-changelog", ConversationItem.getClassSchema());
        values.put(id + PipelineStores.CHECKPOINTS + "-changelog", Checkpoint.getClassSchema());
        values.put(id + PipelineStores.PARKED + "-changelog", ParkedPatch.getClassSchema());
        values.put(id + PipelineStores.INPUTS + "-changelog", Accounting.getClassSchema());
        values.put(id + PipelineStores.OUTCOMES + "-changelog", Accounting.getClassSchema());
        Set<String> used = new HashSet<>(topics);
        used.addAll(deployment.pipeline().internalTopics());
        used.addAll(deployment.outputs());
        deployment.applications().forEach(application -> used.addAll(application.reads()));
        values.keySet().retainAll(used);
        Map<String, Schema> subjects = new TreeMap<>();
        values.forEach((topic, schema) -> subjects.put(topic + "-value", schema));
        return subjects;
    }
}
