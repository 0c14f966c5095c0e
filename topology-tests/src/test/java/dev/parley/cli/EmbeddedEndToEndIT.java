package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.cli.io.Api;
import dev.parley.cli.io.Feed;
import dev.parley.cli.io.Pages;
import dev.parley.cli.io.Transcript;
import dev.parley.config.AuditKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.query.Paths;
import dev.parley.server.Application;
import dev.parley.topology.StreamsSettings;
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
import java.util.concurrent.CountDownLatch;
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
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 2;

    @TempDir
    private Path directory;

    @Test
    void aStopInMidStreamLosesNothingAndDoesNothingTwiceAndTheTrailProvesIt() throws Exception {
        Traffic traffic = new Traffic();
        assertThat(Said.by(List.of("keygen", "--out", directory.resolve("audit").toString()))
                        .exit())
                .isZero();
        try (House house = House.open(directory)) {
            stopInMidStream(house, traffic);
            Evidence halfway = house.evidence().everyChainVerifies();
            assertThat(halfway.inputCount()).isEqualTo(traffic.taken());
            assertThat(halfway.audit()).isNotEmpty();
            assertThat(halfway.lacksVerdicts()).as("stopped in mid-stream").isTrue();
        }

        try (House house = House.open(directory);
                Application application = Application.start(house.config(Map.of(
                        AuditKeys.HEADS_INTERVAL_MS,
                        200,
                        AuditKeys.MANIFEST_INTERVAL_MS,
                        200,
                        AuditKeys.HEADS_KEY_FILE,
                        directory.resolve("audit.key").toString())))) {
            Api api = ready(application);
            feed(house.config(), traffic.restOfRound());
            feed(house.config(), traffic.rounds(ROUNDS));
            assertThat(api.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                    .as("accounted %d: %s", traffic.taken(), api.get("/v1/accounting"))
                    .isTrue();
            Evidence evidence = house.evidence();
            assertThat(evidence.inputCount()).isEqualTo(traffic.taken());
            evidence.nothingIsLostAndNothingIsTwice().everyChainVerifies().everyDeadLetterIsItsInput();
            assertThat(evidence.parked()).isEqualTo(parkedByTheAccounting(api));
            statesAreThoseOfThePatches(api, evidence.states());
            assertThat(internalTopics(house)).containsExactlyInAnyOrderElementsOf(INTERNAL_TOPICS);
            theTrailIsSound(house, evidence);
            whatIsRedactedIsGoneAndTheTrailIsSoundAllTheSame(house, api, evidence);
        }
    }

    /** Every chain has a head, those too that moved before the stop alone, when none was published. */
    private void theTrailIsSound(House house, Evidence evidence) {
        long chains =
                evidence.audit().stream().map(AuditRecord::getChain).distinct().count();
        JsonNode found = await().atMost(PATIENCE)
                .until(
                        () -> verified(house),
                        verified -> verified.path("uncovered").asLong() == 0);
        assertThat(found.path("sound").asBoolean()).as("%s", found).isTrue();
        assertThat(found.path("records").asLong()).isEqualTo(evidence.audit().size());
        assertThat(found.path("chains").asLong()).isEqualTo(chains);
        assertThat(found.path("signedHeads").asLong()).isEqualTo(chains);
        assertThat(found.at("/inputs/inFlight").asLong()).isZero();
        assertThat(found.at("/inputs/parked").asLong())
                .isPositive()
                .isEqualTo(evidence.parked().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private void whatIsRedactedIsGoneAndTheTrailIsSoundAllTheSame(House house, Api api, Evidence evidence)
            throws Exception {
        AuditRecord record = evidence.audit().stream()
                .filter(link -> link.getVerdict() == Verdict.ACCEPTED
                        && link.getMessage().getProtocol() == Protocol.SLIP)
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
        assertThat(Said.by(house.config(), redact).exit()).isZero();

        String message = Paths.conversation(
                        record.getMessage().getNamespace(),
                        Protocol.SLIP.name(),
                        record.getMessage().getConversation())
                + "/messages/" + record.getSequence();
        JsonNode shown = await().atMost(PATIENCE)
                .until(() -> api.get(message), answer -> answer.path("redacted").asBoolean());
        assertThat(shown.path("raw").isNull()).isTrue();
        assertThat(shown.path("message").isNull()).isTrue();
        assertThat(shown.at("/redactedBy/by").asText()).isEqualTo("who");
        assertThat(shown.at("/redactedBy/reason").asText()).isEqualTo("why");

        Said again = Said.by(house.config(), redact);
        assertThat(again.exit()).isZero();
        assertThat(again.all()).contains("\"redactedBy\":\"who\"", "\"reason\":\"why\"");

        JsonNode found = verified(house);
        assertThat(found.path("sound").asBoolean()).as("%s", found).isTrue();
        assertThat(found.path("redactions").asLong()).isOne();

        Path export = directory.resolve("export.jsonl");
        assertThat(Said.by(house.config(), "export", "--out", export.toString()).exit())
                .isZero();
        String place = "\"chain\":\"" + record.getChain() + "\",\"sequence\":" + record.getSequence() + ",\"hash\"";
        assertThat(Files.readAllLines(export))
                .filteredOn(line -> line.contains(place))
                .singleElement()
                .asString()
                .contains("\"redacted\":")
                .doesNotContain("\"message\":", "\"raw\":");
        JsonNode offline = verified(Said.by(List.of("verify", "--json", export.toString())));
        assertThat(offline.path("sound").asBoolean()).as("%s", offline).isTrue();
        assertThat(offline.path("redacted").asLong()).isOne();
        assertThat(offline.path("records").asLong()).isEqualTo(evidence.audit().size() + 1L);
    }

    private JsonNode verified(House house) {
        return verified(Said.by(
                house.config(),
                "verify",
                "--json",
                "--key",
                directory.resolve("audit.pub").toString()));
    }

    /** What the summary of a verification says; the lines before it tell of faults. */
    private static JsonNode verified(Said said) {
        List<String> lines = said.all().lines().toList();
        try {
            JsonNode summary = new ObjectMapper().readTree(lines.get(lines.size() - 1));
            assertThat(summary.path("sound").isBoolean()).as(said.all()).isTrue();
            return summary;
        } catch (JsonProcessingException e) {
            throw new AssertionError(said.all(), e);
        }
    }

    /** Stops the application while it has work and more comes in, without a pause, until it has stopped. */
    private static void stopInMidStream(House house, Traffic traffic) throws Exception {
        List<Transcript.Line> before = traffic.rounds(ROUNDS);
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService feeder = Executors.newSingleThreadExecutor();
        try {
            Future<?> feeding;
            // No head is published before it stops.
            try (Application application =
                    Application.start(house.config(Map.of(AuditKeys.HEADS_INTERVAL_MS, 3_600_000)))) {
                Api api = ready(application);
                feed(house.config(), before);
                feeding = feeder.submit(() -> feedUntil(stopped, house.config(), traffic));
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> inputs(api) > before.size() || feeding.isDone());
            }
            stopped.set(true);
            feeding.get();
        } finally {
            stopped.set(true);
            feeder.shutdown();
        }
    }

    /** One line after the other, each acknowledged before the next. */
    private static void feedUntil(AtomicBoolean stopped, ParleyConfig config, Traffic traffic) {
        try (Feed feed = new Feed(StreamsSettings.clients(config), config.getInt(ParleyConfig.RECORD_BYTES))) {
            while (!stopped.get()) {
                feed.send(traffic.next());
                feed.flush();
            }
        }
    }

    private static long inputs(Api api) {
        return api.get("/v1/accounting").path("total").path("inputs").asLong();
    }

    private static Api ready(Application application) throws InterruptedException {
        Api api = new Api(application.uri());
        api.awaitReady(PATIENCE, new CountDownLatch(1));
        return api;
    }

    private static void feed(ParleyConfig config, List<Transcript.Line> lines) {
        try (Feed feed = new Feed(StreamsSettings.clients(config), config.getInt(ParleyConfig.RECORD_BYTES))) {
            for (Transcript.Line line : lines) {
                feed.send(line);
            }
            assertThat(feed.flush()).isEqualTo(lines.size());
        }
    }

    private static Map<String, Long> parkedByTheAccounting(Api api) {
        Map<String, Long> parked = new TreeMap<>();
        for (JsonNode partition : api.get("/v1/accounting").path("partitions")) {
            parked.put(
                    partition.path("topic").asText() + "-"
                            + partition.path("partition").asText(),
                    partition.path("parked").asLong());
        }
        return parked;
    }

    private static void statesAreThoseOfThePatches(Api api, OracleOfStates oracle) {
        assertThat(oracle.contexts()).hasSizeGreaterThan(2 * ROUNDS);
        for (OracleOfStates.Context context : oracle.contexts()) {
            String path = "/v1/conversations/" + context.namespace() + "/csp/" + context.id();
            Set<String> ids = new LinkedHashSet<>();
            for (JsonNode page : new Pages(api, path + "/checkpoints?limit=3")) {
                page.path("items").forEach(item -> ids.add(item.path("id").asText()));
            }
            List<String> expected = new ArrayList<>(List.of("C0"));
            expected.addAll(context.checkpoints().keySet());
            assertThat(ids).as("checkpoints of %s", path).containsExactlyElementsOf(expected);

            Map<String, String> last = Map.of();
            String lastId = "C0";
            for (Map.Entry<String, OracleOfStates.State> entry :
                    context.checkpoints().entrySet()) {
                String id = entry.getKey();
                Map<String, String> state = entry.getValue().definitions();
                assertThat(texts(api.get(path + "/state?at=checkpoint:" + id).path("definitions")))
                        .as("state of %s at %s", path, id)
                        .isEqualTo(state);
                assertThat(differences(api.get(path + "/diff?from=checkpoint:" + lastId + "&to=checkpoint:" + id)))
                        .as("difference of %s from %s to %s", path, lastId, id)
                        .usingRecursiveComparison()
                        .isEqualTo(OracleOfStates.difference(last, state));
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
            "parley-checkpoints-changelog",
            "parley-checkpoint-index-changelog",
            "parley-parked-changelog",
            "parley-inputs-changelog",
            "parley-outcomes-changelog",
            "parley-unpublished-heads-changelog",
            "parley-audit-journal-changelog",
            "parley-traffic-traffic-kind-repartition",
            "parley-traffic-traffic-windows-changelog",
            "parley-views-view-audit-changelog",
            "parley-views-view-checkpoints-changelog",
            "parley-views-view-dead-letters-changelog");

    private static List<String> internalTopics(House house) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", house.brokers()))) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith("parley-"))
                    .toList();
        }
    }
}
