package dev.parley.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The bytes of real messages alone give the same message as a header that names their protocol. The corpora are the
 * samples, the examples of the protocols' documents, and the messages of the kit; docs/testing.md states their number.
 * Texts that the kit expects to be unlikely Λ are none.
 */
class RealMessagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MESSAGES = 750;

    private record Real(String protocol, byte[] wire) {}

    @Test
    void aRealMessageNeedsNoNameOfItsProtocol() throws Exception {
        List<Real> corpus = new ArrayList<>();
        for (String protocol : List.of("slip", "subit", "csp", "lambda", "mcp")) {
            for (JsonNode vector : lines(Path.of("conformance", "decode", protocol + ".jsonl"))) {
                JsonNode expected = vector.has("expect") ? vector.get("expect") : vector.get("lenient");
                if (!expected.has("code")
                        && !expected.path("warnings").toString().contains("LAMBDA_UNLIKELY")
                        && !expected.path("violations").toString().contains("MCP_JSONRPC_VERSION")) {
                    corpus.add(new Real(protocol, VectorBytes.bytes(vector.get("wire"))));
                }
            }
        }
        for (String sample : List.of("slip-release", "subit-cycles", "csp-refactoring", "lambda-negotiation")) {
            addSamples(corpus, sample, sample.substring(0, sample.indexOf('-')));
        }
        addSamples(corpus, "documents", null);

        List<String> changed = new ArrayList<>();
        for (Real message : corpus) {
            RecordDecodeResult named = decode(message.wire(), message.protocol());
            RecordDecodeResult alone = decode(message.wire(), "");
            if (!outcome(alone).equals(outcome(named))) {
                changed.add(new String(message.wire(), UTF_8) + ": " + outcome(alone) + " not " + outcome(named));
            }
        }
        System.out.printf(
                "%d of %d real messages have another verdict without a name%n", changed.size(), corpus.size());
        assertThat(changed).isEmpty();
        assertThat(corpus).hasSizeGreaterThan(MESSAGES);
    }

    /** Adds the decodable messages of a file; without a protocol, the keys of its conversations name it. */
    private static void addSamples(List<Real> corpus, String file, String protocol) throws Exception {
        for (JsonNode line : lines(Path.of("samples", file + ".jsonl"))) {
            String key = line.get("key").asText();
            String named = key.contains("-") ? key.substring(0, key.indexOf('-')) : "slip";
            if (!line.get("expect").asText().equals("UNDECODABLE")) {
                corpus.add(new Real(protocol == null ? named : protocol, VectorBytes.bytes(line.get("wire"))));
            }
        }
    }

    private static List<JsonNode> lines(Path file) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private static RecordDecodeResult decode(byte[] wire, String protocol) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        RecordHeaders headers = RecordHeaders.of(Map.of(RecordHeaders.PROTOCOL, protocol.getBytes(UTF_8)));
        return ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of())
                .decode(new WireRecord(source, "k".getBytes(UTF_8), wire, headers));
    }

    private static String outcome(RecordDecodeResult result) {
        if (result instanceof RecordDecodeResult.Message message) {
            return message.message() + " " + message.warnings() + " " + message.violations();
        }
        RecordDecodeResult.Undecodable error = (RecordDecodeResult.Undecodable) result;
        return error.code() + " at " + error.position();
    }
}
