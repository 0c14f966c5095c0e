package dev.parley.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP ingest where the pipeline has no repartition topic: the key of every record must be its conversation. */
@Tag("long")
class KeyedIngestIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @Test
    void messagesOfAllProtocolsHaveTheKeyThatThePipelineRequires() throws Exception {
        String token = StoredToken.newToken(new SecureRandom());
        Path tokens = RunningParley.tokens(directory, token, "agent", Role.PRODUCER);
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = environment.config(Map.of(
                    ParleyConfig.KEYED, true,
                    IngestFeature.ENABLED, true,
                    HttpKeys.TOKENS_FILE, tokens.toString()));
            try (Application application = Application.start(config)) {
                await().atMost(TIMEOUT).until(application::isReady);
                StringBuilder lines = new StringBuilder();
                for (int i = 1; i <= 8; i++) {
                    line(lines, "@a3|f0|c" + i + "|S0|d1|T1|k1#", Map.of());
                    line(
                            lines,
                            "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s" + i + "\"}}",
                            Map.of());
                    line(
                            lines,
                            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = 1\nAPPLY -> C1",
                            Map.of("parley-conversation", "ctx|" + i));
                    line(
                            lines,
                            "?Uc/la",
                            Map.of(
                                    "parley-conversation", "Ł " + i,
                                    "parley-protocol", "lambda",
                                    "parley-namespace", "a|b%"));
                    line(lines, "undecodable " + i, Map.of());
                }

                JsonNode answer = post(application, token, lines.toString());

                assertThat(answer.path("entered").asInt()).as("%s", answer).isEqualTo(40);
                TreeSet<Integer> partitions = new TreeSet<>();
                for (JsonNode item : answer.path("items")) {
                    boolean decodes = item.path("index").asInt() % 5 < 4;
                    assertThat(item.at("/verdict/verdict").asText())
                            .as("%s", item)
                            .isEqualTo(decodes ? "ACCEPTED" : "UNDECODABLE");
                    assertThat(item.at("/verdict/code").asText()).isNotEqualTo("KEY_NOT_CONVERSATION");
                    partitions.add(item.path("partition").asInt());
                }
                assertThat(partitions).containsExactly(0, 1);
                environment.topics().everyChainVerifies();
            }
        }
    }

    private static void line(StringBuilder lines, String wire, Map<String, String> headers) throws Exception {
        lines.append(JSON.writeValueAsString(Map.of("wire", wire, "headers", headers)))
                .append('\n');
    }

    private static JsonNode post(Application application, String token, String lines) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(application.uri().resolve("/v1/wire?wait=verdict"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(lines))
                .build();
        return JSON.readTree(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body());
    }
}
