package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.conformance.ConformanceVector;
import dev.parley.conformance.VectorFiles;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dialogues of MCP in the conformance kit, masked as by the tap. */
class MaskedVerdictsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Beyond the default, members of most messages, whatever their types. */
    private static final String RULES =
            "default pattern:\\d{3,} pattern:\\.txt path:$.params.arguments path:$.params.uri"
                    + " path:$.params.ref path:$.params.argument path:$.params.message path:$.params.data"
                    + " path:$.params.requestedSchema path:$.params.messages path:$.params.maxTokens path:$.params.level"
                    + " path:$.params.clientInfo path:$.result.serverInfo path:$.result.content path:$.result.contents"
                    + " path:$.result.structuredContent path:$.result.messages path:$.result.ttlMs key:params key:result"
                    + " key:id key:method key:_meta key:capabilities key:progresstoken";

    @TempDir
    private Path directory;

    @Test
    void aMaskedMessageHasTheVerdictOfItsOriginal() throws Exception {
        Path rules = Files.writeString(directory.resolve("rules"), RULES);
        Masking masking = new Masking(
                null, Masking.rules(rules.toString()), "k".repeat(32).getBytes(UTF_8));
        List<String> lines = new ArrayList<>();
        int masked = 0;
        int messages = 0;
        try (BufferedReader vectors = new BufferedReader(new InputStreamReader(
                VectorFiles.class.getResourceAsStream("/conformance/dialogue/mcp.jsonl"), UTF_8))) {
            for (String line = vectors.readLine(); line != null; line = vectors.readLine()) {
                JsonNode vector = JSON.readTree(line);
                for (JsonNode message : vector.path("messages")) {
                    messages++;
                    masked += mask(masking, (ObjectNode) message) ? 1 : 0;
                }
                lines.add(vector.toString());
            }
        }
        assertThat(masked).isGreaterThan(messages / 4);

        Path file = Files.write(directory.resolve("masked.jsonl"), lines);
        List<String> differences = new ArrayList<>();
        for (ConformanceVector vector : VectorFiles.read(file)) {
            vector.differences(vector.profiles().iterator().next())
                    .forEach(difference -> differences.add(vector.header().id() + ", " + difference));
        }
        // A marker hides the type of what it replaces.
        assertThat(differences)
                .allSatisfy(difference -> assertThat(difference)
                        .matches(".*: expected REJECTED MCP_(PARAMETER|RESULT_MEMBER), but got ACCEPTED"));
    }

    private static boolean mask(Masking masking, ObjectNode message) throws Exception {
        if (!message.get("wire").isTextual()) {
            return false;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        message.path("headers")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asText()));
        Captured original = new Captured("s", message.get("wire").asText().getBytes(UTF_8), headers, 1, null);
        Captured masked = masking.masked(original);
        if (masked == original) {
            return false;
        }
        message.put("wire", new String(masked.value(), UTF_8));
        ObjectNode all = message.putObject("headers");
        masked.headers().forEach(all::put);
        // A masked result is not compared with its schema.
        ArrayNode warnings = JSON.createArrayNode();
        message.path("expectWarnings").forEach(warning -> {
            if (!warning.asText().equals("MCP_OUTPUT_SCHEMA")) {
                warnings.add(warning);
            }
        });
        message.set("expectWarnings", warnings);
        return true;
    }
}
