package dev.parley.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.mcp.McpCodec;
import java.io.IOException;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CodecsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void aRecordBuiltByItsPlanIsEqual(Protocol protocol) {
        SpecificRecord[] records = Codecs.records(protocol);
        assertThat(records).hasSizeGreaterThanOrEqualTo(30);
        for (SpecificRecord record : records) {
            assertThat(Codecs.plan(record, false).get()).isEqualTo(record).isNotSameAs(record);
        }
    }

    @Test
    void messagesOfOneKilobyteDecodeWithoutWarnings() {
        assertThat(Stream.of(Codecs.kilobytes()))
                .hasSize(4)
                .allMatch(wire -> wire.length >= 900 && wire.length <= 1_102)
                .allMatch(wire -> new McpCodec().decode(wire, DecodeOptions.LENIENT) instanceof Decoded<?> decoded
                        && decoded.warnings().isEmpty()
                        && decoded.violations().isEmpty());
    }

    @Test
    void theJsonFormIsWhatAUserWouldWriteAndContainsTheMessage() throws IOException {
        SlipJson json = SlipJson.of((SlipMessage) Codecs.records(Protocol.SLIP)[0]);
        assertThat(json.bytes())
                .asString()
                .isEqualTo("{\"act\":\"REQUEST\",\"frame\":\"TASK\",\"conversation\":1,\"source\":0,\"destination\":1,"
                        + "\"turn\":1,\"goal\":100,\"task\":1,\"priority\":1,\"tag\":\"release_2.4\"}");
        assertThat(JSON.readValue(json.bytes(), SlipJson.class))
                .usingRecursiveComparison()
                .isEqualTo(json);
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void theDocumentOfTheSameSizeIsJsonOfThatSize(Protocol protocol) throws IOException {
        for (byte[] wire : Codecs.wires(protocol)) {
            byte[] json = SameSizeJson.of(wire);
            assertThat(json).hasSameSizeAs(wire);
            assertThat(JSON.readTree(json)).isNotNull();
        }
    }
}
