package dev.parley.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Profile;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the JSON form of records. */
class AvroJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void anAuditRecordIsWrittenByItsSchema() throws IOException {
        AuditRecord link = link();
        link.setRaw(ByteBuffer.wrap("λ".getBytes(UTF_8)));
        JsonNode json = json(link);
        assertThat(json.get("chain").textValue()).isEqualTo("default|SLIP|1");
        assertThat(json.get("sequence").longValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(json.get("hash").textValue()).isEqualTo("00ff10");
        assertThat(json.get("source").get("timestamp").textValue()).isEqualTo("2026-01-31T12:00:00.123Z");
        assertThat(json.get("source").get("partition").intValue()).isEqualTo(3);
        assertThat(json.get("verdict").textValue()).isEqualTo("REJECTED");
        assertThat(json.get("warnings")).extracting(JsonNode::textValue).containsExactly("A", "B");
        assertThat(json.get("raw").textValue()).isEqualTo("cebb");
    }

    @Test
    void nullFieldsAreOmitted() throws IOException {
        JsonNode json = json(link());
        assertThat(json.has("message")).isFalse();
        assertThat(json.has("position")).isFalse();
        assertThat(json.has("raw")).isFalse();
    }

    @Test
    void aSingleValueCanBeWritten() throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartArray();
            AvroJson.writeValue(json, null);
            AvroJson.writeValue(json, Verdict.ACCEPTED);
            AvroJson.writeValue(json, true);
            AvroJson.writeValue(json, Map.of("k", 7L));
            AvroJson.writeValue(json, Instant.EPOCH);
            json.writeEndArray();
        }
        assertThat(text).hasToString("[null,\"ACCEPTED\",true,{\"k\":7},\"1970-01-01T00:00:00Z\"]");
    }

    @Test
    void aValueWithoutAJsonFormIsRefused() throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(new StringWriter())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AvroJson.writeValue(json, 1.5))
                    .withMessageContaining("Double");
        }
    }

    @Test
    void aSliceOfABufferIsWrittenWithoutMovingItsPosition() throws IOException {
        ByteBuffer part =
                ByteBuffer.wrap("xxabcyy".getBytes(UTF_8), 2, 3).slice().asReadOnlyBuffer();
        AuditRecord link = link();
        link.setRaw(part);
        link.setHash(part);
        JsonNode json = json(link);
        assertThat(json.get("raw").textValue()).isEqualTo("616263");
        assertThat(json.get("hash").textValue()).isEqualTo("616263");
        assertThat(part.remaining()).isEqualTo(3);
    }

    @Test
    void nestedRecordsAreObjects() throws IOException {
        SlipMessage slip = new SlipMessage();
        slip.setAct(SlipAct.REQUEST);
        slip.setFrame(SlipFrame.TASK);
        slip.setSlotOrder("");
        slip.setUnknownFields(List.of("x\"1\""));
        assertThat(json(slip).get("unknownFields").get(0).textValue()).isEqualTo("x\"1\"");
        Checkpoint checkpoint = new Checkpoint();
        checkpoint.setOperations(List.of(new CspOperation(CspOperator.REMOVE, "A", null)));
        JsonNode operation = json(checkpoint).get("operations").get(0);
        assertThat(operation)
                .isEqualTo(JSON.createObjectNode().put("operator", "REMOVE").put("name", "A"));
    }

    static Stream<Schema> contracts() {
        return Stream.of(
                AgentMessage.getClassSchema(),
                AuditRecord.getClassSchema(),
                Checkpoint.getClassSchema(),
                Accounting.getClassSchema(),
                TrafficCount.getClassSchema(),
                ConversationSummary.getClassSchema(),
                DeadLetterSummary.getClassSchema());
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void everyTypeThatARecordUsesHasAJsonForm(Schema schema) {
        requireWritable(schema, schema.getName());
    }

    private static void requireWritable(Schema schema, String place) {
        switch (schema.getType()) {
            case RECORD ->
                schema.getFields().forEach(field -> requireWritable(field.schema(), place + "." + field.name()));
            case UNION -> schema.getTypes().forEach(type -> requireWritable(type, place));
            case ARRAY -> requireWritable(schema.getElementType(), place);
            case MAP -> requireWritable(schema.getValueType(), place);
            default ->
                assertThat(schema.getType())
                        .as(place)
                        .isIn(
                                Schema.Type.NULL,
                                Schema.Type.STRING,
                                Schema.Type.ENUM,
                                Schema.Type.BYTES,
                                Schema.Type.BOOLEAN,
                                Schema.Type.INT,
                                Schema.Type.LONG);
        }
    }

    private static AuditRecord link() {
        AuditRecord link = new AuditRecord();
        link.setAllowed(List.of());
        link.setChain("default|SLIP|1");
        link.setSequence(Long.MAX_VALUE);
        link.setHash(ByteBuffer.wrap(new byte[] {0, (byte) 0xFF, 16}));
        link.setSource(new Source("wire", 3, 4L, Instant.parse("2026-01-31T12:00:00.123Z"), null));
        link.setVerdict(Verdict.REJECTED.name());
        link.setStage(Stage.JUDGE.name());
        link.setProfile(Profile.LENIENT.name());
        link.setWarnings(List.of("A", "B"));
        link.setInnerMessages(List.of());
        return link;
    }

    private static JsonNode json(IndexedRecord record) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            AvroJson.write(json, record);
        }
        return JSON.readTree(text.toString());
    }
}
