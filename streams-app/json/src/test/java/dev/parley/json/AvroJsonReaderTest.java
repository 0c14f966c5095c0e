package dev.parley.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditHead;
import java.util.List;
import org.junit.jupiter.api.Test;

class AvroJsonReaderTest {
    /** The serdes, which trust Parley's records too, are not on the class path here. */
    @Test
    void aHeadIsReadWithoutTheSerdes() throws Exception {
        String json = """
                {"origin":"parley/audit/0","partition":0,"size":212,"time":"2026-11-22T22:29:35.917Z","note":"a\\n"}""";

        AuditHead head = (AuditHead) AvroJsonReader.read(new ObjectMapper().readTree(json), AuditHead.getClassSchema());

        assertThat(head.getSize()).isEqualTo(212);
    }

    /** The binary encoding, which is hashed, has a question mark in its place. */
    @Test
    void aStringHasNoUnpairedSurrogate() throws Exception {
        for (String text : List.of("\\uD800", "\\uDC00", "a\\uDC00\\uD800b", "\\uD83D\\uDE00\\uD83D")) {
            String json = """
                    {"origin":"%s","partition":0,"size":212,"time":"2026-11-22T22:29:35Z","note":"a"}""".formatted(text);
            assertThatThrownBy(() -> AvroJsonReader.read(new ObjectMapper().readTree(json), AuditHead.getClassSchema()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("AuditHead.origin must be a string of whole characters");
        }
    }

    @Test
    void aTimeHasWholeMilliseconds() throws Exception {
        for (String time : List.of("2026-11-22T22:29:35.917001Z", "+1000000000-12-31T23:59:59.999999999Z", "today")) {
            JsonNode json = new ObjectMapper()
                    .createObjectNode()
                    .put("origin", "a")
                    .put("partition", 0)
                    .put("size", 1)
                    .put("time", time)
                    .put("note", "a");
            assertThatThrownBy(() -> AvroJsonReader.read(json, AuditHead.getClassSchema()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("AuditHead.time must be a time ");
        }
    }
}
