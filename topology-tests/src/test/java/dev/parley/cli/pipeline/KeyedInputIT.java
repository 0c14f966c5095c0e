package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.codec.Code;
import dev.parley.protocol.TopicNames;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.operations.Preflight;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Input that is keyed by conversation: the pipeline has no repartition topic, and the partition of a conversation is
 * not that of its chain's key.
 */
@Tag("long")
class KeyedInputIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CONVERSATIONS = 6;

    /** Namespace of the messages that are redacted. */
    private static final String REDACTED = "redacted";

    @TempDir
    private static Path directory;

    private static String token;
    private static String reader;
    private static EmbeddedEnvironment environment;
    private static ParleyConfig config;
    private static Application application;

    @BeforeAll
    static void start() throws Exception {
        token = StoredToken.newToken(new SecureRandom());
        reader = StoredToken.newToken(new SecureRandom());
        Path tokens = RunningParley.tokens(directory, token, "agent", Role.PRODUCER);
        Files.writeString(
                tokens,
                "\n"
                        + StoredToken.of(reader, "reader", Role.READER, Optional.empty(), Optional.empty())
                                .line(),
                StandardOpenOption.APPEND);
        environment = EmbeddedEnvironment.shared(directory);
        config = environment.config(Map.of(
                ParleyConfig.KEYED, true,
                IngestFeature.ENABLED, true,
                HttpKeys.TOKENS_FILE, tokens.toString()));
        application = Application.start(config);
        await().atMost(TIMEOUT).until(application::isReady);
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        environment.close();
    }

    @AfterEach
    void everyChainVerifies() {
        environment.topics().everyChainVerifies();
    }

    @Test
    void messagesOfAllProtocolsOverHttpHaveTheKeyThatThePipelineRequires() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= 8; i++) {
            line(lines, "@a3|f0|c" + i + "|S0|d1|T1|k1#", Map.of());
            line(lines, "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s" + i + "\"}}", Map.of());
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

        JsonNode answer = post(lines.toString());

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
    }

    /** As an agent whose client has another partitioner, or names a partition. */
    @Test
    void aRecordInAnotherPartitionChangesNothingInTheViews() throws Exception {
        String victim = "victim";
        int home = ChainPartitioner.partition(victim, 2);
        patch(victim, home, "+ DEF A = honest");
        String checkpoint = "/v1/conversations/default/csp/victim/checkpoints/C1";
        String before = await().atMost(TIMEOUT).until(() -> get(checkpoint).body(), body -> body.contains("honest"));

        patch(victim, 1 - home, "+ DEF A = forged");

        await().atMost(TIMEOUT)
                .until(() -> audit().map(AuditRecord::getCode).toList().contains(Code.KEY_MISPLACED.name()));
        assertThat(get(checkpoint).body()).isEqualTo(before).contains("honest");
        assertThat(Preflight.of(config, Features.STANDARD))
                .filteredOn(finding -> finding.check() == Check.INPUT_MISPLACED)
                .singleElement()
                .extracting(Finding::remedy)
                .asString()
                .contains("partitioner=murmur2_random");
        Map<String, Object> changed = new TreeMap<>(config.originals());
        changed.put(ParleyConfig.KEYED, false);
        assertThat(Preflight.of(ServerConfig.of(changed), Features.STANDARD))
                .extracting(Finding::check)
                .contains(Check.KEYED_CHANGED);
        assertThat(Preflight.of(config, Features.STANDARD))
                .extracting(Finding::check)
                .doesNotContain(Check.KEYED_CHANGED);
    }

    private static void patch(String context, int partition, String operation) throws Exception {
        String patch =
                "CSP/1\nFROM MAIN\nTO MEM\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n" + operation + "\nAPPLY -> C1";
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            environment.names().wire(), partition, context.getBytes(UTF_8), patch.getBytes(UTF_8)))
                    .get();
        }
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(application.uri().resolve(path))
                                .header("Authorization", "Bearer " + reader)
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void aRedactionRequestReachesTheTaskOfItsChain() throws Exception {
        try (TranscriptProducer transcriptProducer = new TranscriptProducer(config)) {
            for (int i = 1; i <= CONVERSATIONS; i++) {
                transcriptProducer.send(line(Integer.toString(i), "@a3|f0|c" + i + "|S0|d1|T1#"));
                transcriptProducer.send(line(Integer.toString(i), "hello"));
            }
            transcriptProducer.flush();
        }
        List<AuditRecord> audit = await().atMost(TIMEOUT)
                .until(() -> audit().filter(KeyedInputIT::isOwn).toList(), own -> own.size() == 2 * CONVERSATIONS);
        assertThat(audit)
                .extracting(record -> record.getSource().getPartition())
                .contains(0, 1);

        for (AuditRecord record : audit) {
            CommandResult.redact(config, record);
        }

        List<AuditRecord> redactions = await().atMost(TIMEOUT)
                .until(
                        () -> audit().filter(record -> record.getRedaction() != null)
                                .toList(),
                        records -> records.size() == 2 * CONVERSATIONS);
        assertThat(redactions).extracting(AuditRecord::getVerdict).containsOnly(Verdict.ACCEPTED.name());
        assertThat(redactions)
                .extracting(record -> record.getSource().getTopic())
                .containsOnly(environment.names().redaction());
        List<Source> sources = audit.stream().map(AuditRecord::getSource).toList();
        assertThat(redactions)
                .extracting(record -> record.getRedaction().getSource())
                .containsExactlyInAnyOrderElementsOf(sources);
    }

    private static Stream<AuditRecord> audit() {
        return environment.topics().audit().stream();
    }

    /** Whether the test of redactions sent a message. */
    private static boolean isOwn(AuditRecord record) {
        return record.getChain().startsWith(REDACTED + "|") && record.getRedaction() == null
                || record.getRaw() != null && record.getRaw().equals(ByteBuffer.wrap("hello".getBytes(UTF_8)));
    }

    private static Transcript.Line line(String key, String wire) {
        return new Transcript.Line(
                key.getBytes(UTF_8),
                Map.of("parley-namespace", REDACTED),
                wire.getBytes(UTF_8),
                TopicNames.DEFAULT.wire(),
                null,
                Optional.empty());
    }

    private static void line(StringBuilder lines, String wire, Map<String, String> headers) throws Exception {
        lines.append(JSON.writeValueAsString(Map.of("wire", wire, "headers", headers)))
                .append('\n');
    }

    private static JsonNode post(String lines) throws Exception {
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
