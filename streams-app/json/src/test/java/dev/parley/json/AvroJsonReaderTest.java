package dev.parley.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditManifest;
import org.junit.jupiter.api.Test;

class AvroJsonReaderTest {
    /** The serdes, which trust Parley's records too, are not on the class path here. */
    @Test
    void aManifestIsReadWithoutTheSerdes() throws Exception {
        String zeros = "0".repeat(64);
        String json = """
                {"partition":0,"number":1,"records":212,"root":"%s","chains":35,"time":"2026-11-22T22:29:35.917Z",
                 "previousHash":"%s"}""".formatted(zeros, zeros);

        AuditManifest manifest =
                (AuditManifest) AvroJsonReader.read(new ObjectMapper().readTree(json), AuditManifest.getClassSchema());

        assertThat(manifest.getRecords()).isEqualTo(212);
    }
}
