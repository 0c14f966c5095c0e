package dev.parley.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.ContextStateOracle;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.environment.TopicAssertions;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.json.model.ItemPage;
import dev.parley.server.api.view.Paths;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application as {@code parley run} starts it, on a real broker, stopped in mid-stream and started again on the
 * same directories.
 */
class EmbeddedEndToEndIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ROUNDS = 2;

    @TempDir
    private Path directory;

    @Test
    void restartInMidStreamLosesAndDuplicatesNothingAndTheTrailVerifies() throws Exception {
        RepeatedSamples traffic = new RepeatedSamples();
        assertThat(CommandResult.by(List.of(
                                "keygen", "--out", directory.resolve("audit").toString()))
                        .exit())
                .isZero();
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory)) {
            stopInMidStream(embeddedEnvironment, traffic);
            TopicAssertions halfway = embeddedEnvironment.topics().everyChainVerifies();
            assertThat(halfway.inputCount()).isEqualTo(traffic.taken());
            assertThat(halfway.audit()).isNotEmpty();
            assertThat(halfway.lacksVerdicts()).as("stopped in mid-stream").isTrue();
        }

        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory);
                Application application = Application.start(embeddedEnvironment.config(Map.of(
                        AuditKeys.HEADS_INTERVAL_MS,
                        200,
                        AuditKeys.HEADS_KEY_FILES,
                        directory.resolve("audit.key").toString())))) {
            ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
            RunningParley.send(embeddedEnvironment.config(), traffic.restOfRound());
            RunningParley.send(embeddedEnvironment.config(), traffic.rounds(ROUNDS));
            RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
            TopicAssertions topicAssertions = embeddedEnvironment.topics();
            assertThat(topicAssertions.inputCount()).isEqualTo(traffic.taken());
            topicAssertions
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
            assertThat(topicAssertions.parked()).isEqualTo(parkedByTheAccounting(apiClient));
            statesAreThoseOfThePatches(apiClient, topicAssertions.states());
            assertThat(internalTopics(embeddedEnvironment)).containsExactlyInAnyOrderElementsOf(INTERNAL_TOPICS);
            theTrailIsSound(embeddedEnvironment, topicAssertions);
            aRedactedMessageHasNoContentAndTheTrailIsStillSound(embeddedEnvironment, apiClient, topicAssertions);
        }
    }

    /** Signed heads cover every record, those too that were written before the stop, when none was published. */
    private void theTrailIsSound(EmbeddedEnvironment embeddedEnvironment, TopicAssertions topicAssertions) {
        long chains = topicAssertions.audit().stream()
                .map(AuditRecord::getChain)
                .distinct()
                .count();
        JsonNode found = await().atMost(TIMEOUT)
                .until(
                        () -> verified(embeddedEnvironment),
                        verified -> verified.at("/coverage/uncovered").asLong() == 0);
        assertThat(found.path("sound").asBoolean()).as("%s", found).isTrue();
        assertThat(found.path("records").asLong())
                .isEqualTo(topicAssertions.audit().size());
        assertThat(found.path("chains").asLong()).isEqualTo(chains);
        assertThat(found.at("/coverage/records").asLong())
                .isEqualTo(topicAssertions.audit().size());
        assertThat(found.at("/coverage/partitions").asInt())
                .isPositive()
                .isEqualTo(found.at("/coverage/allPartitions").asInt());
        assertThat(found.at("/inputs/inFlight").asLong()).isZero();
        assertThat(found.at("/inputs/parked").asLong())
                .isPositive()
                .isEqualTo(topicAssertions.parked().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private void aRedactedMessageHasNoContentAndTheTrailIsStillSound(
            EmbeddedEnvironment embeddedEnvironment, ApiClient apiClient, TopicAssertions topicAssertions)
            throws Exception {
        AuditRecord record = topicAssertions.audit().stream()
                .filter(link -> link.getVerdict().equals(Verdict.ACCEPTED.name())
                        && link.getMessage().getProtocol().equals(Protocol.SLIP.name()))
                .findFirst()
                .orElseThrow();
        String[] redact = {
            "redact",
            "--chain",
            record.getChain(),
            "--sequence",
            Long.toString(record.getSequence()),
            "--reason",
            "why",
            "--by",
            "who"
        };
        assertThat(CommandResult.by(embeddedEnvironment.config(), redact).exit())
                .isZero();

        String message = Paths.conversation(
                        record.getMessage().getNamespace(),
                        Protocol.SLIP.name(),
                        record.getMessage().getConversation())
                + "/messages/" + record.getSequence();
        JsonNode shown = await().atMost(TIMEOUT)
                .until(
                        () -> apiClient.get(message, JsonNode.class),
                        answer -> answer.path("redacted").asBoolean());
        assertThat(shown.path("raw").isNull()).isTrue();
        assertThat(shown.path("message").isNull()).isTrue();
        assertThat(shown.at("/redactedBy/by").asText()).isEqualTo("who");
        assertThat(shown.at("/redactedBy/reason").asText()).isEqualTo("why");

        CommandResult again = CommandResult.by(embeddedEnvironment.config(), redact);
        assertThat(again.exit()).isZero();
        assertThat(again.all()).contains("\"redactedBy\":\"who\"", "\"reason\":\"why\"");

        JsonNode found = verified(embeddedEnvironment);
        assertThat(found.path("sound").asBoolean()).as("%s", found).isTrue();
        assertThat(found.path("redactions").asLong()).isOne();

        Path export = directory.resolve("export.jsonl");
        assertThat(CommandResult.by(embeddedEnvironment.config(), "export", "--out", export.toString())
                        .exit())
                .isZero();
        String position = "\"chain\":\"" + record.getChain() + "\",\"sequence\":" + record.getSequence() + ",\"log\"";
        assertThat(Files.readAllLines(export))
                .filteredOn(line -> line.contains(position))
                .singleElement()
                .asString()
                .contains("\"redacted\":")
                .doesNotContain("\"message\":", "\"raw\":");
        JsonNode offline = verified(CommandResult.by(List.of("verify", "--json", export.toString())));
        assertThat(offline.path("sound").asBoolean()).as("%s", offline).isTrue();
        assertThat(offline.path("redacted").asLong()).isOne();
        assertThat(offline.path("records").asLong())
                .isEqualTo(topicAssertions.audit().size() + 1L);
    }

    private JsonNode verified(EmbeddedEnvironment embeddedEnvironment) {
        return verified(CommandResult.by(
                embeddedEnvironment.config(),
                "verify",
                "--json",
                "--key",
                directory.resolve("audit.vkey").toString()));
    }

    /** The summary of a verification; the lines before it report faults. */
    private static JsonNode verified(CommandResult commandResult) {
        List<String> lines = commandResult.all().lines().toList();
        try {
            JsonNode summary = new ObjectMapper().readTree(lines.get(lines.size() - 1));
            assertThat(summary.path("sound").isBoolean())
                    .as(commandResult.all())
                    .isTrue();
            return summary;
        } catch (JsonProcessingException e) {
            throw new AssertionError(commandResult.all(), e);
        }
    }

    /** Stops the application while it has work and more comes in, without a pause, until it has stopped. */
    private static void stopInMidStream(EmbeddedEnvironment embeddedEnvironment, RepeatedSamples traffic)
            throws Exception {
        List<Transcript.Line> before = traffic.rounds(ROUNDS);
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService feeder = Executors.newSingleThreadExecutor();
        try {
            Future<?> feeding;
            // No head is published before it stops.
            try (Application application =
                    Application.start(embeddedEnvironment.config(Map.of(AuditKeys.HEADS_INTERVAL_MS, 3_600_000)))) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                RunningParley.send(embeddedEnvironment.config(), before);
                feeding = feeder.submit(() -> feedUntil(stopped, embeddedEnvironment.config(), traffic));
                await().atMost(TIMEOUT)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> inputs(apiClient) > before.size() || feeding.isDone());
            }
            stopped.set(true);
            feeding.get();
        } finally {
            stopped.set(true);
            feeder.shutdown();
        }
    }

    /** One line after the other, each acknowledged before the next. */
    private static void feedUntil(AtomicBoolean stopped, ParleyConfig config, RepeatedSamples traffic) {
        try (TranscriptProducer transcriptProducer = new TranscriptProducer(config)) {
            while (!stopped.get()) {
                transcriptProducer.send(traffic.next());
                transcriptProducer.flush();
            }
        }
    }

    private static long inputs(ApiClient apiClient) {
        return apiClient
                .get("/v1/accounting", JsonNode.class)
                .path("total")
                .path("inputs")
                .asLong();
    }

    private static Map<String, Long> parkedByTheAccounting(ApiClient apiClient) {
        Map<String, Long> parked = new TreeMap<>();
        for (JsonNode partition :
                apiClient.get("/v1/accounting", JsonNode.class).path("partitions")) {
            parked.put(
                    partition.path("topic").asText() + "-"
                            + partition.path("partition").asText(),
                    partition.path("parked").asLong());
        }
        return parked;
    }

    private static void statesAreThoseOfThePatches(ApiClient apiClient, ContextStateOracle oracle) {
        assertThat(oracle.contexts()).hasSizeGreaterThan(2 * ROUNDS);
        for (ContextStateOracle.Context context : oracle.contexts()) {
            String path = "/v1/conversations/" + context.namespace() + "/csp/" + context.id();
            Set<String> ids = new LinkedHashSet<>();
            for (ItemPage<JsonNode> page :
                    new Pages<>(apiClient, new ApiQuery(path + "/checkpoints?limit=3"), JsonNode.class)) {
                page.items().forEach(item -> ids.add(item.path("id").asText()));
            }
            List<String> expected = new ArrayList<>(List.of("C0"));
            expected.addAll(context.checkpoints().keySet());
            assertThat(ids).as("checkpoints of %s", path).containsExactlyElementsOf(expected);

            Map<String, String> last = Map.of();
            String lastId = "C0";
            for (Map.Entry<String, ContextStateOracle.State> entry :
                    context.checkpoints().entrySet()) {
                String id = entry.getKey();
                Map<String, String> state = entry.getValue().definitions();
                assertThat(texts(apiClient
                                .get(path + "/state?at=checkpoint:" + id, JsonNode.class)
                                .path("definitions")))
                        .as("state of %s at %s", path, id)
                        .isEqualTo(state);
                assertThat(differences(apiClient.get(
                                path + "/diff?from=checkpoint:" + lastId + "&to=checkpoint:" + id, JsonNode.class)))
                        .as("difference of %s from %s to %s", path, lastId, id)
                        .usingRecursiveComparison()
                        .isEqualTo(ContextStateOracle.difference(last, state));
                last = state;
                lastId = id;
            }
        }
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    private static Map<String, String[]> differences(JsonNode diff) {
        Map<String, String[]> changes = new HashMap<>();
        diff.path("added")
                .forEach(row -> changes.put(
                        row.path("entry").asText(),
                        new String[] {null, row.path("value").asText()}));
        diff.path("changed")
                .forEach(row -> changes.put(
                        row.path("entry").asText(),
                        new String[] {row.path("old").asText(), row.path("new").asText()}));
        diff.path("removed")
                .forEach(row -> changes.put(
                        row.path("entry").asText(),
                        new String[] {row.path("value").asText(), null}));
        return changes;
    }

    private static final List<String> INTERNAL_TOPICS = List.of(
            "parley-by-conversation-repartition",
            "parley-conversations-changelog",
            "parley-conversation-items-changelog",
            "parley-checkpoints-changelog",
            "parley-checkpoint-index-changelog",
            "parley-parked-changelog",
            "parley-inputs-changelog",
            "parley-outcomes-changelog",
            "parley-audit-log-changelog",
            "parley-traffic-traffic-counts-changelog",
            "parley-traffic-traffic-open-items-changelog",
            "parley-views-view-audit-changelog",
            "parley-views-view-checkpoints-changelog",
            "parley-views-view-dead-letters-changelog",
            "parley-views-view-log-changelog",
            "parley-views-view-statistics-changelog");

    private static List<String> internalTopics(EmbeddedEnvironment embeddedEnvironment) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", embeddedEnvironment.brokers()))) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith("parley-"))
                    .toList();
        }
    }
}
