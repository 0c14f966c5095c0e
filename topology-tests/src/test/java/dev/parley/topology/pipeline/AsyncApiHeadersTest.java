package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The records of a pipeline have the headers that docs/asyncapi.yaml describes. */
class AsyncApiHeadersTest extends AbstractPipelineTest {
    private static final Map<String, String> MESSAGES = Map.of(
            "slip", "@a3|f0|c1|S0|d1|T1|k1#",
            "nslip", "@a3|f0|c2|S0|d1|T1|k1#",
            "subit", "{\"type\":\"STATE\",\"payload\":\"000110\"}",
            "csp", "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = 1\nAPPLY -> C1",
            "mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            "lambda", "?Uc/la",
            "λ", "?Uc/la");

    private JsonNode schemas;

    @BeforeEach
    void read() throws IOException {
        schemas = new ObjectMapper(new YAMLFactory())
                .readTree(Path.of("docs", "asyncapi.yaml").toFile())
                .at("/components/schemas");
        start();
    }

    @Test
    void eventsHaveTheDocumentedHeaders() {
        InputRecord patch = InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1")
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .header("tracestate", "a=b");
        pipeline.send(patch);

        Set<String> seen = new TreeSet<>();
        seen.addAll(check("EventHeaders", only(pipeline.auditRecords()).headers()));
        seen.addAll(check("EventHeaders", only(pipeline.messages()).headers()));
        seen.addAll(check("EventHeaders", only(pipeline.checkpoints()).headers()));

        assertThat(seen).isEqualTo(names(schemas.at("/EventHeaders/properties")));
        assertThat(kinds("ce_type")).isEqualTo(3);
        assertThat(kinds("ce_source")).isEqualTo(3);
    }

    @Test
    void deadLettersHaveTheDocumentedHeaders() {
        pipeline.send(InputRecord.text("@a3|f0|c7|S0|d1|T1|t\"broken#"));
        pipeline.send(InputRecord.text("Here you are:\n```\n@a3|f0|c1|S0|d1|T1|k1#\n```\n"));
        pipeline.send(InputRecord.slipAcceptOfNothing(1, 1));
        pipeline.send(InputRecord.bytes(new byte[2 << 20]));

        Set<String> seen = new TreeSet<>();
        List<TestRecord<byte[], byte[]>> letters = pipeline.deadLetters();
        assertThat(letters).hasSize(4);
        letters.forEach(letter -> seen.addAll(check("DeadLetterHeaders", letter.headers())));

        assertThat(seen).isEqualTo(names(schemas.at("/DeadLetterHeaders/properties")));
        assertThat(schemas.at("/DeadLetterHeaders/properties/parley.error.stage/enum"))
                .extracting(JsonNode::asText)
                .containsExactly(Stage.DECODE.name(), Stage.JUDGE.name(), Stage.APPLY.name(), Stage.INTERNAL.name());
    }

    @Test
    void everyDocumentedNameOfAProtocolIsAccepted() {
        Set<String> documented = new TreeSet<>();
        schemas.at("/WireHeaders/properties/parley-protocol/enum").forEach(name -> documented.add(name.asText()));

        assertThat(documented).isEqualTo(new TreeSet<>(MESSAGES.keySet()));
        documented.forEach(name -> {
            InputRecord message = InputRecord.text(MESSAGES.get(name)).key("p-" + name);
            AuditRecord audit = pipeline.auditOf(pipeline.send(message.header("parley-protocol", name)));
            assertThat(audit.getVerdict()).as(name).isEqualTo(Verdict.ACCEPTED.name());
        });
    }

    private static <V> TestRecord<String, V> only(List<TestRecord<String, V>> records) {
        assertThat(records).hasSize(1);
        return records.get(0);
    }

    private long kinds(String header) {
        return schemas.at("/EventHeaders/properties/" + header + "/enum").size();
    }

    /** Checks headers against a schema. Returns their names. */
    private Set<String> check(String schema, Headers headers) {
        JsonNode definition = schemas.path(schema);
        Map<String, String> values = new TreeMap<>(texts(headers));
        definition
                .path("required")
                .forEach(name -> assertThat(values).as(schema).containsKey(name.asText()));
        values.forEach((name, value) -> {
            JsonNode property = definition.path("properties").path(name);
            assertThat(property.path("type").asText()).as(schema + " " + name).isEqualTo("string");
            if (property.has("const")) {
                assertThat(value).as(name).isEqualTo(property.path("const").asText());
            }
            if (property.has("enum")) {
                assertThat(property.path("enum"))
                        .as(name)
                        .extracting(JsonNode::asText)
                        .contains(value);
            }
        });
        return values.keySet();
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
