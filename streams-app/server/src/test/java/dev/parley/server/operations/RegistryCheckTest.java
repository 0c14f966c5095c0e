package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.parley.avro.Accounting;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.feature.Feature;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the subjects that the registry must have. */
class RegistryCheckTest {

    private static Map<String, Schema> subjects(Map<String, String> values) {
        ParleyConfig config = ServerConfig.of(values);
        return RegistryCheck.subjects(
                Deployment.of(config), Feature.topics(Features.STANDARD, config).names());
    }

    private static Map<String, String> withWitness() {
        String key = NoteSigner.cosigner("witness.example/w1", KeyFiles.newPair())
                .verifierKey()
                .toString();
        return Map.of("audit.witnesses", key + " https://witness.example");
    }

    @Test
    void everyTopicWithAvroValuesHasASubjectWithItsSchema() throws Exception {
        Map<String, Schema> subjects = subjects(withWitness());
        List<String> found = new ArrayList<>();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://subjects"))) {
            Topics topics = new Topics(ServerConfig.of(Map.of()).topics(), serdes);
            for (RecordComponent component : Topics.class.getRecordComponents()) {
                if (component.getType() == Topic.class) {
                    Topic<?, ?> topic = (Topic<?, ?>) component.getAccessor().invoke(topics);
                    Type value = argument(component.getGenericType(), 1);
                    // Written encoded, it has the schema of its record.
                    Type record = value instanceof ParameterizedType ? argument(value, 0) : value;
                    assertThat(subjects)
                            .containsEntry(
                                    topic.name() + "-value", SpecificData.get().getSchema(record));
                    found.add(topic.name());
                }
            }
        }
        assertThat(found).contains("parley.audit-head.v1", "parley.redaction.v1", "parley.redrive.v1");
    }

    @ParameterizedTest
    @CsvSource({
        "200, <html>, is not from a Schema Registry",
        "404, <html>, is not from a Schema Registry",
        "500, <html>, is not from a Schema Registry",
        "404, '{\"code\":\"UNKNOWN_PATH\"}', is not from a Schema Registry",
        "401, <html>, the server rejected this client (HTTP status 401)",
        "403, <html>, the server rejected this client (HTTP status 403)"
    })
    void aResponseWithoutAnErrorOfARegistryIsReportedInOneLine(int status, String start, String reason)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] page = (start + "\n<b>Welcome</b>").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        try {
            ParleyConfig config = ServerConfig.of(Map.of(
                    ParleyConfig.REGISTRY_URL,
                    "http://127.0.0.1:" + server.getAddress().getPort(),
                    "schema.registry.max.retries",
                    "0"));
            List<Finding> findings = new RegistryCheck(config, Deployment.of(config), List.of()).run();
            assertThat(findings)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.problem())
                            .contains(reason)
                            .hasLineCount(1)
                            .doesNotContain("Welcome"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aRegistryThatReturnsAnotherSchemaForAnIdIsReported() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String schema = "\"schema\": "
                    + new ObjectMapper()
                            .writeValueAsString(Accounting.getClassSchema().toString());
            byte[] response = ("{\"is_compatible\": true, \"id\": 7, " + schema + "}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, response.length);
            exchange.getResponseBody().write(response);
            exchange.close();
        });
        server.start();
        try {
            ParleyConfig config = ServerConfig.of(Map.of(
                    ParleyConfig.REGISTRY_URL,
                    "http://127.0.0.1:" + server.getAddress().getPort()));
            assertThat(new RegistryCheck(config, Deployment.of(config), List.of()).run())
                    .allSatisfy(finding -> assertThat(finding.toString())
                            .contains("SCHEMA_INCOMPATIBLE", "7, but returns the schema dev.parley.avro.Accounting"))
                    .extracting(Finding::subject)
                    .contains("subject parley.audit.v1-value")
                    .doesNotContain("subject parley.accounting.v1-value");
        } finally {
            server.stop(0);
        }
    }

    private static Type argument(Type generic, int index) {
        return ((ParameterizedType) generic).getActualTypeArguments()[index];
    }

    @Test
    void theTopicOfAFeatureNeedsASubjectIfTheFeatureIsEnabled() {
        assertThat(subjects(withWitness())).containsKey("parley.audit-cosignature.v1-value");
        assertThat(subjects(Map.of())).doesNotContainKey("parley.audit-cosignature.v1-value");
    }

    @Test
    void anInternalTopicThatThePipelineLacksNeedsNoSubject() {
        String repartition = "parley-by-conversation-repartition-value";
        assertThat(subjects(Map.of())).containsKeys(repartition, "parley-conversations-changelog-value");
        assertThat(subjects(Map.of(ParleyConfig.KEYED, "true"))).doesNotContainKey(repartition);
    }
}
