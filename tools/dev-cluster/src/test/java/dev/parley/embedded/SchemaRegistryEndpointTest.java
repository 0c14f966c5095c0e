package dev.parley.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Accounting;
import dev.parley.avro.Source;
import dev.parley.serde.AvroSerdes;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaMetadata;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaRegistryEndpointTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String V1 = record("{\"name\":\"a\",\"type\":\"int\",\"default\":0}");
    private static final String V2 = record(
            "{\"name\":\"a\",\"type\":\"int\",\"default\":0},{\"name\":\"b\",\"type\":\"string\",\"default\":\"\"}");
    private static final String BREAKING = record("{\"name\":\"a\",\"type\":\"string\",\"default\":\"\"}");

    @TempDir
    Path directory;

    private SchemaRegistryEndpoint endpoint;
    private SchemaRegistryClient client;

    @BeforeEach
    void start() {
        endpoint = SchemaRegistryEndpoint.start(directory, 0);
        client = newClient();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        endpoint.close();
    }

    private SchemaRegistryClient newClient() {
        return new CachedSchemaRegistryClient(endpoint.url(), 100);
    }

    private void restart() throws IOException {
        stop();
        start();
    }

    private static String record(String fields) {
        return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}";
    }

    private static String body(String schema) {
        return JSON.createObjectNode().put("schema", schema).toString();
    }

    // Confluent's client

    @Test
    void theClientRegistersAndFindsASchema() throws Exception {
        int id = client.register("s-value", new AvroSchema(V1));

        SchemaRegistryClient other = newClient();
        assertThat(id).isEqualTo(1);
        assertThat(other.getSchemaById(id)).isEqualTo(new AvroSchema(V1));
        assertThat(other.getSchemaBySubjectAndId("s-value", id)).isEqualTo(new AvroSchema(V1));
        assertThat(other.getId("s-value", new AvroSchema(V1))).isEqualTo(id);
        assertThat(other.getVersion("s-value", new AvroSchema(V1))).isEqualTo(1);
        assertThat(other.getAllSubjects()).containsExactly("s-value");
        assertThat(other.getAllVersions("s-value")).containsExactly(1);
        SchemaMetadata latest = other.getLatestSchemaMetadata("s-value");
        assertThat(latest.getId()).isEqualTo(id);
        assertThat(latest.getSchema()).isEqualTo(V1);
        assertThat(other.getSchemaMetadata("s-value", 1).getSchema()).isEqualTo(V1);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8081, 200",
        "localhost, 200",
        "localhost:8081, 200",
        "rebound.attacker.example, 421",
        "[::1]:8081, 421"
    })
    void onlyNamesOfThisMachineAreServed(String host, int status) throws Exception {
        URI url = URI.create(endpoint.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream()
                    .write(("GET /subjects HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void theSameSchemaHasOneIdUnderEverySubject() throws Exception {
        int first = client.register("a-value", new AvroSchema(V1));
        int again = newClient().register("a-value", new AvroSchema(V1));
        int elsewhere = client.register("b-value", new AvroSchema(V1));
        int other = client.register("b-value", new AvroSchema(V2));

        assertThat(List.of(first, again, elsewhere, other)).containsExactly(1, 1, 1, 2);
        assertThat(client.getAllVersions("a-value")).containsExactly(1);
        assertThat(client.getAllVersions("b-value")).containsExactly(1, 2);
    }

    @Test
    void anIncompatibleSchemaIsRefusedByDefaultAndTheRefusalNamesWhy() throws Exception {
        client.register("s-value", new AvroSchema(V1));

        assertThatThrownBy(() -> client.register("s-value", new AvroSchema(BREAKING)))
                .isInstanceOfSatisfying(RestClientException.class, refusal -> {
                    assertThat(refusal.getStatus()).isEqualTo(409);
                    assertThat(refusal.getErrorCode()).isEqualTo(409);
                    assertThat(refusal).hasMessageContainingAll("FULL_TRANSITIVE", "TYPE_MISMATCH", "/fields/0/type");
                });
        assertThat(client.testCompatibility("s-value", new AvroSchema(BREAKING)))
                .isFalse();
        assertThat(client.testCompatibilityVerbose("s-value", new AvroSchema(BREAKING)))
                .anySatisfy(message -> assertThat(message).contains("TYPE_MISMATCH"));
        assertThat(client.testCompatibility("s-value", new AvroSchema(V2))).isTrue();
    }

    @Test
    void everyEarlierVersionCountsWhenTransitive() throws Exception {
        String withDefault = record("{\"name\":\"b\",\"type\":\"int\",\"default\":1}");
        String without = record("");
        String sameNameOtherType = record("{\"name\":\"b\",\"type\":\"string\",\"default\":\"\"}");
        client.register("s-value", new AvroSchema(withDefault));
        client.register("s-value", new AvroSchema(without));

        assertThatThrownBy(() -> client.register("s-value", new AvroSchema(sameNameOtherType)))
                .isInstanceOf(RestClientException.class)
                .hasMessageContaining("version 1");
    }

    @Test
    void aSchemaMustReadAndBeReadByTheOthers() throws Exception {
        String a = "{\"name\":\"a\",\"type\":\"int\"}";
        String b = ",{\"name\":\"b\",\"type\":\"int\"}";
        client.register("s-value", new AvroSchema(record(a + b)));

        assertThat(client.testCompatibility("s-value", new AvroSchema(record(a))))
                .as("the registered schema cannot read it")
                .isFalse();
        assertThat(client.testCompatibility("s-value", new AvroSchema(record(a + b + b.replace("\"b\"", "\"c\"")))))
                .as("it cannot read the registered schema")
                .isFalse();
        assertThat(client.testCompatibility("s-value", new AvroSchema(BREAKING)))
                .isFalse();
    }

    @Test
    void aSubjectMayHaveCharactersThatUrlsEscape() throws Exception {
        String subject = "a/b c+%-value";

        client.register(subject, new AvroSchema(V1));

        assertThat(client.getAllSubjects()).containsExactly(subject);
        assertThat(newClient().getId(subject, new AvroSchema(V1))).isEqualTo(1);
    }

    @Test
    void recordsRoundTripThroughConfluentsSerializers() throws Exception {
        Accounting record =
                Accounting.newBuilder().setTopic("t").setPartition(2).build();
        Source source = Source.newBuilder()
                .setTopic("t")
                .setPartition(0)
                .setOffset(1)
                .setTimestamp(Instant.ofEpochMilli(1_234_567))
                .build();
        byte[] first;
        byte[] second;
        try (AvroSerdes writer = AvroSerdes.fromConfig(Map.of("schema.registry.url", endpoint.url()))) {
            first = writer.values(Accounting.class).serializer().serialize("counts", record);
            second = writer.values(Source.class).serializer().serialize("sources", source);
        }
        restart();

        try (AvroSerdes reader = AvroSerdes.fromConfig(Map.of("schema.registry.url", endpoint.url()))) {
            Serde<Accounting> serde = reader.values(Accounting.class);
            assertThat(serde.deserializer().deserialize("counts", first)).isEqualTo(record);
            assertThat(reader.values(Source.class).deserializer().deserialize("sources", second))
                    .isEqualTo(source);
        }
        assertThat(client.getAllSubjects()).containsExactly("counts-value", "sources-value");
    }

    // Durability

    @Test
    void everythingSurvivesARestart() throws Exception {
        client.register("a-value", new AvroSchema(V1));
        client.register("a-value", new AvroSchema(V2));
        client.register("b-value", new AvroSchema(V2));

        restart();

        assertThat(client.getAllSubjects()).containsExactly("a-value", "b-value");
        assertThat(client.getAllVersions("a-value")).containsExactly(1, 2);
        assertThat(client.getSchemaById(1)).isEqualTo(new AvroSchema(V1));
        assertThat(client.getId("b-value", new AvroSchema(V2))).isEqualTo(2);
        assertThat(client.register("b-value", new AvroSchema(V1))).isEqualTo(1);
        assertThatThrownBy(() -> client.register("a-value", new AvroSchema(BREAKING)))
                .isInstanceOf(RestClientException.class);
    }

    @Test
    void aTornLastLineIsCutOffAndWritingGoesOn() throws Exception {
        client.register("a-value", new AvroSchema(V1));
        stop();
        Path journal = directory.resolve(SchemaRegistryEndpoint.JOURNAL);
        String intact = Files.readString(journal);
        Files.writeString(journal, "{\"version\":1,\"subj", StandardOpenOption.APPEND);

        start();
        client.register("a-value", new AvroSchema(V2));
        restart();

        assertThat(Files.readString(journal)).startsWith(intact + "{").doesNotContain("\"subj{");
        assertThat(client.getAllVersions("a-value")).containsExactly(1, 2);
    }

    @Test
    void aDamagedLineBeforeTheLastIsNotPassedOver() throws Exception {
        client.register("a-value", new AvroSchema(V1));
        stop();
        Path journal = directory.resolve(SchemaRegistryEndpoint.JOURNAL);
        String intact = Files.readString(journal);
        Files.writeString(journal, "garbage\n" + intact);

        assertThatThrownBy(() -> SchemaRegistryEndpoint.start(directory, 0))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll("Line 1", "schemas.jsonl", "damaged");

        Files.writeString(journal, intact);
        start();
    }

    @Test
    void aSecondRegistryOnTheSameDirectoryIsRefused() {
        assertThatThrownBy(() -> SchemaRegistryEndpoint.start(directory, 0))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("in use by another registry");
    }

    @Test
    void aTakenPortIsNamed(@TempDir Path other) {
        assertThatThrownBy(() -> SchemaRegistryEndpoint.start(other, endpoint.port()))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll("Port " + endpoint.port(), "in use");
    }

    // HTTP as such

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /subjects/none/versions                 |                                             | 404 | 40401",
                "GET    | /subjects/none/versions/1               |                                             | 404 | 40401",
                "GET    | /subjects/s/versions/7                  |                                             | 404 | 40402",
                "GET    | /subjects/s/versions/x                  |                                             | 422 | 42202",
                "GET    | /subjects/s/versions/0                  |                                             | 422 | 42202",
                "GET    | /subjects/s/versions/99999999999        |                                             | 422 | 42202",
                "POST   | /subjects/none                          | {\"schema\":\"\\\"int\\\"\"}                | 404 | 40401",
                "POST   | /subjects/s                             | {\"schema\":\"\\\"int\\\"\"}                | 404 | 40403",
                "POST   | /subjects/s                             | {\"schema\":\"nonsense\"}                   | 422 | 42201",
                "POST   | /subjects/s/versions                    | {\"schema\":\"{\\\"type\\\":\\\"what\\\"}\"}| 422 | 42201",
                "POST   | /subjects/s/versions                    | {}                                          | 422 | 42201",
                "POST   | /subjects/s/versions                    | {\"schema\":\"{}\",\"schemaType\":\"JSON\"} | 422 | 42201",
                "POST   | /subjects/s/versions                    | {\"schema\":\"\\\"R\\\"\",\"references\":[{\"name\":\"R\",\"subject\":\"s\",\"version\":1}]} | 422 | 42201",
                "POST   | /subjects/s/versions                    | [                                           | 400 | 400",
                "POST   | /subjects/s/versions                    | 7                                           | 400 | 400",
                "POST   | /subjects/%20/versions                  | {\"schema\":\"\\\"int\\\"\"}                | 422 | 42208",
                "POST   | /subjects/%0A/versions                  | {\"schema\":\"\\\"int\\\"\"}                | 422 | 42208",
                "GET    | /schemas/ids/99                         |                                             | 404 | 40403",
                "GET    | /schemas/ids/x                          |                                             | 404 | 404",
                "GET    | /compatibility/subjects/s/versions      |                                             | 405 | 405",
                "POST   | /compatibility/subjects/s/versions/1    | {\"schema\":\"\\\"int\\\"\"}                | 404 | 404",
                "DELETE | /subjects/s                             |                                             | 405 | 405",
                "DELETE | /subjects/s/versions/1                  |                                             | 405 | 405",
                "PUT    | /config                                 | {\"compatibility\":\"NONE\"}                | 404 | 404",
                "PATCH  | /subjects/s                             | {}                                          | 405 | 405",
                "GET    | /nowhere                                |                                             | 404 | 404",
                "GET    | /subjects/s/versions/1/what             |                                             | 404 | 404",
            })
    void aRefusalHasItsCode(String method, String path, String body, int status, int code) throws Exception {
        client.register("s", new AvroSchema(V1));

        Answer answer = send(method, path, body == null ? "" : body, "application/json");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(code);
        assertThat(answer.json().path("message").asText()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/                                 | {}",
                "/subjects                         | [\"s\"]",
                "/subjects/s/versions              | [1]",
                "/subjects/s/versions/-1           | {\"subject\":\"s\",\"version\":1,\"id\":1,\"schema\":\"\\\"int\\\"\"}",
                "/subjects/s/versions/latest       | {\"subject\":\"s\",\"version\":1,\"id\":1,\"schema\":\"\\\"int\\\"\"}",
                "/schemas/ids/1                    | {\"schema\":\"\\\"int\\\"\"}",
            })
    void aQuestionHasItsAnswer(String path, String expected) throws Exception {
        client.register("s", new AvroSchema("\"int\""));

        Answer answer = get(path);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo("application/vnd.schemaregistry.v1+json");
        assertThat(answer.json()).isEqualTo(JSON.readTree(expected));
    }

    @Test
    void compatibilityIsAnsweredForAKnownSubjectAndForNone() throws Exception {
        client.register("s", new AvroSchema(V1));

        assertThat(compatible("s", BREAKING)).isFalse();
        assertThat(compatible("s", V2)).isTrue();
        assertThat(compatible("none", V2)).isTrue();
    }

    private boolean compatible(String subject, String schema) throws Exception {
        return send("POST", "/compatibility/subjects/" + subject + "/versions", body(schema), "application/json")
                .json()
                .path("is_compatible")
                .asBoolean();
    }

    @Test
    void bothContentTypesAreTakenAndOthersRefused() throws Exception {
        String path = "/subjects/s/versions";
        assertThat(send("POST", path, body(V1), "application/vnd.schemaregistry.v1+json")
                        .status())
                .isEqualTo(200);
        assertThat(send("POST", path, body(V1), "application/json; charset=utf-8")
                        .status())
                .isEqualTo(200);
        assertThat(send("POST", path, body(V1), "text/plain").error()).isEqualTo(415);
    }

    @Test
    void aBodyBeyondTheLimitIsRefused() throws Exception {
        assertThat(send("POST", "/subjects/s/versions", " ".repeat((4 << 20) + 1), "application/json")
                        .error())
                .isEqualTo(413);
    }

    private record Answer(int status, String contentType, JsonNode json) {
        int error() {
            return json.path("error_code").asInt();
        }
    }

    private Answer get(String path) throws Exception {
        return send("GET", path, "", "application/json");
    }

    private Answer send(String method, String path, String body, String type) throws Exception {
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(URI.create(endpoint.url() + path))
                        .method(method, BodyPublishers.ofString(body))
                        .header("Content-Type", type)
                        .build(),
                BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                JSON.readTree(response.body()));
    }
}
