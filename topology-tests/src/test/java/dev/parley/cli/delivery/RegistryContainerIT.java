package dev.parley.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.TrafficCount;
import dev.parley.cli.environment.Images;
import dev.parley.cli.environment.NeedsDocker;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * Parley's schemas before a registry that Parley's authors did not write: Apicurio's, by its Confluent-compatible API,
 * under FULL_TRANSITIVE.
 */
@NeedsDocker
class RegistryContainerIT {
    private static final String PATH = "/apis/ccompat/v7";
    private static final int PORT = 8080;
    private static final int CONFLICT = 409;
    private static final Path HISTORY = Path.of("schemas", "history");

    private static GenericContainer<?> registry;
    private static SchemaRegistryClient client;

    @BeforeAll
    static void start() throws Exception {
        registry = new GenericContainer<>(Images.apicurio())
                .withExposedPorts(PORT)
                .withEnv("QUARKUS_HTTP_PORT", Integer.toString(PORT))
                .waitingFor(Wait.forHttp(PATH + "/subjects").forPort(PORT).withStartupTimeout(Duration.ofMinutes(2)));
        registry.start();
        client = new CachedSchemaRegistryClient(
                List.of("http://" + registry.getHost() + ':' + registry.getMappedPort(PORT) + PATH),
                100,
                List.of(new AvroSchemaProvider()),
                Map.of());
        client.updateCompatibility(null, "FULL_TRANSITIVE");
    }

    @AfterAll
    static void stop() throws IOException {
        if (client != null) {
            client.close();
        }
        if (registry != null) {
            registry.stop();
        }
    }

    static Stream<Schema> schemas() {
        return Stream.of(
                AgentMessage.getClassSchema(),
                AuditRecord.getClassSchema(),
                Checkpoint.getClassSchema(),
                TrafficCount.getClassSchema(),
                Accounting.getClassSchema(),
                DialogueState.getClassSchema(),
                Inbound.getClassSchema(),
                ParkedPatch.getClassSchema());
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void everyReleasedVersionAndTheCurrentSchemaIsAccepted(Schema schema) throws Exception {
        String subject = "history-" + schema.getName();
        for (Path version : released(schema)) {
            client.register(subject, new AvroSchema(Files.readString(version)));
        }
        int id = client.register(subject, new AvroSchema(schema));

        assertThat(client.getSchemaById(id).canonicalString()).isEqualTo(new AvroSchema(schema).canonicalString());
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void fieldWithoutDefaultIsRejected(Schema schema) throws Exception {
        String subject = "change-" + schema.getName();
        client.register(subject, new AvroSchema(schema));

        assertThatThrownBy(() -> client.register(subject, new AvroSchema(withFieldThatOldRecordsLack(schema))))
                .isInstanceOfSatisfying(
                        RestClientException.class,
                        refusal -> assertThat(refusal.getStatus()).isEqualTo(CONFLICT));
        assertThat(client.getAllVersions(subject)).hasSize(1);
    }

    private static List<Path> released(Schema schema) throws IOException {
        try (Stream<Path> versions = Files.list(HISTORY)) {
            return versions.map(version -> version.resolve(schema.getName() + ".avsc"))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
        }
    }

    private static Schema withFieldThatOldRecordsLack(Schema schema) {
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            fields.add(new Schema.Field(field, field.schema()));
        }
        fields.add(new Schema.Field("added", Schema.create(Schema.Type.STRING), null, (Object) null));
        return Schema.createRecord(schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
    }
}
