package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.json.model.ItemPage;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.operations.Preflight;
import dev.parley.server.operations.StateCleanup;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parley rebuilds the same data: from the outputs after a lost disk, from the input after a reset. */
@Tag("long")
class ResetIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void allResponsesAreEqualAfterALostDiskAndAfterAReset() throws Exception {
        RepeatedSamples traffic = new RepeatedSamples();
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = embeddedEnvironment.config();
            Map<String, JsonNode> before;
            List<JsonNode> hits;
            assertThat(Preflight.of(config, Features.STANDARD))
                    .extracting(Finding::check)
                    .containsOnly(Check.STATE_VOLATILE);
            try (Application application = Application.start(config)) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                RunningParley.send(config, traffic.rounds(1));
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                before = answers(apiClient);
                hits = hits(apiClient);
                assertThat(hits)
                        .hasSize(apiClient
                                .get("/v1/accounting", JsonNode.class)
                                .at("/total/accepted")
                                .asInt())
                        .hasSizeGreaterThan(100);
                everythingIsRefusedWhileItRuns(config);
            }
            assertThat(before).hasSizeGreaterThan(10);

            StateCleanup.plan(Deployment.of(config))
                    .steps()
                    .forEach(step -> step.work().run());
            assertThat(Path.of(config.getString(ParleyConfig.STATE_DIR))).isEmptyDirectory();
            try (Application application = Application.start(config)) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                same(answers(apiClient), before);
                // The granules of the search index may be others.
                assertThat(hits(apiClient)).isEqualTo(hits);
                embeddedEnvironment.topics().nothingIsLostAndNothingIsTwice().everyChainVerifies();
            }

            assertThat(CommandResult.by(config, "reset", "--execute"))
                    .returns(1, CommandResult::exit)
                    .extracting(CommandResult::all)
                    .asString()
                    .contains("Topic " + config.topics().audit() + " is not empty")
                    .contains("--empty-outputs");
            assertThat(CommandResult.by(config, "reset", "--empty-outputs"))
                    .returns(0, CommandResult::exit)
                    .extracting(CommandResult::all)
                    .asString()
                    .contains("would empty topic " + config.topics().audit())
                    .contains("would delete topic " + config.topics().applicationId() + "-conversations-changelog")
                    .contains("Nothing was changed");
            embeddedEnvironment.topics().nothingIsLostAndNothingIsTwice();
            keepAnOldStateDirectory(config);

            CommandResult done = CommandResult.by(config, "reset", "--empty-outputs", "--execute");
            assertThat(done.exit()).as(done.all()).isZero();
            assertThat(done.all())
                    .contains("done: set committed offset of " + config.topics().applicationId() + " in "
                            + config.topics().wire() + "-0 (offset 0)");
            assertThat(embeddedEnvironment.topics().audit()).isEmpty();
            anOldStateDirectoryIsRefused(config);

            try (Application application = Application.start(config)) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                same(withoutPlaces(answers(apiClient)), withoutPlaces(before));
                embeddedEnvironment
                        .topics()
                        .nothingIsLostAndNothingIsTwice()
                        .everyChainVerifies()
                        .everyDeadLetterIsItsInput();
            }
        }
    }

    @Test
    void membersOfAGroupOfTheStreamsProtocolAreSeen() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = embeddedEnvironment.config(Map.of("kafka.group.protocol", "streams"));
            try (Application application = Application.start(config)) {
                RunningParley.ready(application.uri(), TIMEOUT);
                CommandResult refused = CommandResult.by(config, "reset", "--execute");
                assertThat(refused.exit()).isOne();
                assertThat(refused.all())
                        .contains("Group " + config.topics().applicationId() + " has 1 member (")
                        .doesNotContain("done:");
                // A plain client has no such protocol.
                // The tasks publish their first heads one after the other.
                await().atMost(TIMEOUT).untilAsserted(() -> {
                    CommandResult verified = CommandResult.by(config, "verify");
                    assertThat(verified.exit()).as(verified.all()).isZero();
                });
            }
            Map<String, Object> wrong = new TreeMap<>(config.originals());
            wrong.put("kafka.group.protocol", "consumer");
            assertThat(Preflight.of(ServerConfig.of(wrong), Features.STANDARD))
                    .filteredOn(finding -> finding.check() == Check.CLIENT_SETTINGS)
                    .singleElement()
                    .extracting(Finding::problem)
                    .asString()
                    .contains("group.protocol");
        }
    }

    @Test
    void anotherApplicationCannotWriteToAnExistingAudit() throws Exception {
        RepeatedSamples traffic = new RepeatedSamples();
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = embeddedEnvironment.config();
            try (Application application = Application.start(config)) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                RunningParley.send(config, traffic.rounds(1));
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
            }
            Map<String, Object> values = new TreeMap<>(config.originals());
            values.put(ParleyConfig.APPLICATION_ID, "another");
            assertThat(Preflight.of(ServerConfig.of(values), Features.STANDARD))
                    .extracting(Finding::check)
                    .contains(Check.OUTPUTS_TAKEN);
            assertThat(Preflight.of(config, Features.STANDARD))
                    .extracting(Finding::check)
                    .doesNotContain(Check.OUTPUTS_TAKEN);
        }
    }

    private static void everythingIsRefusedWhileItRuns(ParleyConfig config) {
        assertThat(Preflight.of(config, Features.STANDARD))
                .extracting(Finding::check)
                .contains(Check.STATE_LOCKED);
        CommandResult commandResult = CommandResult.by(config, "reset", "--empty-outputs", "--execute");
        assertThat(commandResult.exit()).isEqualTo(1);
        assertThat(commandResult.all())
                .contains("Group " + config.topics().applicationId() + " has 1 member ")
                .contains("Group " + config.topics().applicationId() + "-traffic has 1 member ")
                .contains("A process runs " + config.topics().applicationId() + "-views")
                .doesNotContain("done:");
    }

    private static void keepAnOldStateDirectory(ParleyConfig config) throws Exception {
        Path state = Path.of(config.getString(ParleyConfig.STATE_DIR));
        String file = config.getString(ParleyConfig.APPLICATION_ID) + "-topics.properties";
        Files.createDirectories(state.resolveSibling("old"));
        Files.copy(state.resolve(file), state.resolveSibling("old").resolve(file));
    }

    private static void anOldStateDirectoryIsRefused(ParleyConfig config) {
        Map<String, Object> values = new TreeMap<>(config.originals());
        values.put(
                ParleyConfig.STATE_DIR,
                Path.of(config.getString(ParleyConfig.STATE_DIR))
                        .resolveSibling("old")
                        .toString());
        assertThat(Preflight.of(ServerConfig.of(values), Features.STANDARD))
                .extracting(Finding::check)
                .contains(Check.STATE_STALE);
    }

    /** Every answer about what was recorded, by its path. */
    private static Map<String, JsonNode> answers(ApiClient apiClient) {
        Map<String, JsonNode> answers = new TreeMap<>();
        for (ItemPage<JsonNode> page :
                new Pages<>(apiClient, new ApiQuery("/v1/conversations?limit=100"), JsonNode.class)) {
            for (JsonNode item : page.items()) {
                String path = item.at("/links/self").asText();
                answers.put(path, item);
                String messages = item.at("/links/messages").asText() + "?limit=1000";
                answers.put(messages, apiClient.get(messages, JsonNode.class));
                if (item.path("protocol").asText().equals("CSP")) {
                    String checkpoints = path + "/checkpoints?limit=1000";
                    answers.put(checkpoints, apiClient.get(checkpoints, JsonNode.class));
                }
            }
        }
        for (ItemPage<JsonNode> page :
                new Pages<>(apiClient, new ApiQuery("/v1/dead-letters?limit=100"), JsonNode.class)) {
            for (JsonNode item : page.items()) {
                answers.put("dead letter " + item.path("source"), item);
            }
        }
        return answers;
    }

    /** The hits of a search on all pages; a page ends after some time. */
    private static List<JsonNode> hits(ApiClient apiClient) throws IOException {
        List<JsonNode> hits = new ArrayList<>();
        JsonNode done;
        ApiQuery query = new ApiQuery("/v1/search?verdict=ACCEPTED&limit=1000");
        ApiQuery page = query;
        do {
            List<JsonNode> lines = new ObjectMapper()
                    .readerFor(JsonNode.class)
                    .<JsonNode>readValues(apiClient.bytes(page.path()))
                    .readAll();
            lines.stream().filter(line -> line.has("hit")).forEach(hits::add);
            done = lines.get(lines.size() - 1).path("done");
            page = query.with("cursor", done.path("cursor").asText());
        } while (!done.path("complete").asBoolean());
        return hits;
    }

    private static void same(Map<String, JsonNode> answers, Map<String, JsonNode> before) {
        assertThat(answers).containsOnlyKeys(before.keySet());
        before.forEach((path, answer) -> assertThat(answers.get(path)).as(path).isEqualTo(answer));
    }

    /** Without the positions of the dead letters, which are new ones in new topics. */
    private static Map<String, JsonNode> withoutPlaces(Map<String, JsonNode> answers) {
        Map<String, JsonNode> without = new TreeMap<>();
        answers.forEach((path, answer) -> {
            JsonNode copy = answer.deepCopy();
            if (copy instanceof ObjectNode object && object.remove("deadLetter") != null) {
                object.remove("id");
            }
            withoutHashes(copy);
            without.put(path, copy);
        });
        return without;
    }

    /** Salts are random, so records that are written again have other hashes. */
    private static void withoutHashes(JsonNode answer) {
        if (answer instanceof ObjectNode object) {
            object.remove(List.of("hash", "previousHash", "contentHash", "lastHash", "salt"));
        }
        answer.forEach(ResetIT::withoutHashes);
    }
}
