package dev.parley.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditHead;
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
}
