package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.io.Api;
import dev.parley.cli.io.Feed;
import dev.parley.cli.io.Pages;
import dev.parley.cli.io.Transcript;
import dev.parley.config.ParleyConfig;
import dev.parley.operations.Check;
import dev.parley.operations.Clean;
import dev.parley.operations.Deployment;
import dev.parley.operations.Finding;
import dev.parley.operations.Plan;
import dev.parley.operations.Preflight;
import dev.parley.server.Application;
import dev.parley.topology.StreamsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be made again is made again the same: from the outputs after a lost disk, from the input after a reset. */
@Tag("long")
class ResetIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void allAnswersAreTheSameAfterALostDiskAndAfterAReset() throws Exception {
        Traffic traffic = new Traffic();
        try (House house = House.open(directory)) {
            ParleyConfig config = house.config();
            Map<String, JsonNode> before;
            assertThat(Preflight.of(config)).extracting(Finding::check).containsOnly(Check.STATE_VOLATILE);
            try (Application application = Application.start(config)) {
                Api api = ready(application);
                feed(config, traffic.rounds(1));
                assertThat(api.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                        .isTrue();
                before = answers(api);
                everythingIsRefusedWhileItRuns(config);
            }
            assertThat(before).hasSizeGreaterThan(10);

            Clean.of(Deployment.of(config)).steps().forEach(Plan.Step::run);
            assertThat(Path.of(config.getString(ParleyConfig.STATE_DIR))).isEmptyDirectory();
            try (Application application = Application.start(config)) {
                Api api = ready(application);
                assertThat(api.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                        .isTrue();
                same(answers(api), before);
                house.evidence().nothingIsLostAndNothingIsTwice().everyChainVerifies();
            }

            assertThat(Said.by(config, "reset", "--execute"))
                    .returns(1, Said::exit)
                    .extracting(Said::all)
                    .asString()
                    .contains("Topic parley.audit.v1 is not empty")
                    .contains("--empty-outputs");
            assertThat(Said.by(config, "reset", "--empty-outputs"))
                    .returns(0, Said::exit)
                    .extracting(Said::all)
                    .asString()
                    .contains("would empty topic parley.audit.v1")
                    .contains("would delete topic parley-conversations-changelog")
                    .contains("nothing was changed");
            house.evidence().nothingIsLostAndNothingIsTwice();
            keepAnOldStateDirectory(config);

            Said done = Said.by(config, "reset", "--empty-outputs", "--execute");
            assertThat(done.exit()).as(done.all()).isZero();
            assertThat(done.all()).contains("done: set committed offset of parley in parley.wire-0 (offset 0)");
            assertThat(house.evidence().audit()).isEmpty();
            anOldStateDirectoryIsRefused(config);

            try (Application application = Application.start(config)) {
                Api api = ready(application);
                assertThat(api.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                        .isTrue();
                same(withoutPlaces(answers(api)), withoutPlaces(before));
                house.evidence()
                        .nothingIsLostAndNothingIsTwice()
                        .everyChainVerifies()
                        .everyDeadLetterIsItsInput();
            }
        }
    }

    @Test
    void anotherApplicationIsNotLetOntoAnAuditThatIsWritten() throws Exception {
        Traffic traffic = new Traffic();
        try (House house = House.open(directory)) {
            ParleyConfig config = house.config();
            try (Application application = Application.start(config)) {
                Api api = ready(application);
                feed(config, traffic.rounds(1));
                assertThat(api.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                        .isTrue();
            }
            Map<String, Object> values = new TreeMap<>(config.originals());
            values.put(ParleyConfig.APPLICATION_ID, "another");
            assertThat(Preflight.of(new ParleyConfig(values)))
                    .extracting(Finding::check)
                    .contains(Check.OUTPUTS_TAKEN);
            assertThat(Preflight.of(config)).extracting(Finding::check).doesNotContain(Check.OUTPUTS_TAKEN);
        }
    }

    private static void everythingIsRefusedWhileItRuns(ParleyConfig config) {
        assertThat(Preflight.of(config)).extracting(Finding::check).contains(Check.STATE_LOCKED);
        Said said = Said.by(config, "reset", "--empty-outputs", "--execute");
        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.all())
                .contains("Group parley has 1 members")
                .contains("Group parley-traffic has 1 members")
                .contains("A process runs parley-views")
                .doesNotContain("done:");
    }

    private static void keepAnOldStateDirectory(ParleyConfig config) throws Exception {
        Path state = Path.of(config.getString(ParleyConfig.STATE_DIR));
        Files.createDirectories(state.resolveSibling("old"));
        Files.copy(
                state.resolve("parley-topics.properties"),
                state.resolveSibling("old").resolve("parley-topics.properties"));
    }

    private static void anOldStateDirectoryIsRefused(ParleyConfig config) {
        Map<String, Object> values = new TreeMap<>(config.originals());
        values.put(
                ParleyConfig.STATE_DIR,
                Path.of(config.getString(ParleyConfig.STATE_DIR))
                        .resolveSibling("old")
                        .toString());
        assertThat(Preflight.of(new ParleyConfig(values)))
                .extracting(Finding::check)
                .contains(Check.STATE_STALE);
    }

    /** Every answer about what was recorded, by its path. */
    private static Map<String, JsonNode> answers(Api api) {
        Map<String, JsonNode> answers = new TreeMap<>();
        for (JsonNode page : new Pages(api, "/v1/conversations?limit=100")) {
            for (JsonNode item : page.path("items")) {
                String path = item.at("/links/self").asText();
                answers.put(path, item);
                String messages = item.at("/links/messages").asText() + "?limit=1000";
                answers.put(messages, api.get(messages));
                if (item.path("protocol").asText().equals("CSP")) {
                    String checkpoints = path + "/checkpoints?limit=1000";
                    answers.put(checkpoints, api.get(checkpoints));
                }
            }
        }
        for (JsonNode page : new Pages(api, "/v1/dead-letters?limit=100")) {
            for (JsonNode item : page.path("items")) {
                answers.put("dead letter " + item.path("source"), item);
            }
        }
        return answers;
    }

    private static void same(Map<String, JsonNode> answers, Map<String, JsonNode> before) {
        assertThat(answers).containsOnlyKeys(before.keySet());
        before.forEach((path, answer) -> assertThat(answers.get(path)).as(path).isEqualTo(answer));
    }

    /** Without the places of the dead letters, which are new ones in new topics. */
    private static Map<String, JsonNode> withoutPlaces(Map<String, JsonNode> answers) {
        Map<String, JsonNode> without = new TreeMap<>();
        answers.forEach((path, answer) -> {
            JsonNode copy = answer.deepCopy();
            if (copy instanceof ObjectNode object) {
                object.remove("deadLetter");
            }
            without.put(path, copy);
        });
        return without;
    }

    private static Api ready(Application application) throws InterruptedException {
        Api api = new Api(application.uri());
        api.awaitReady(PATIENCE, new CountDownLatch(1));
        return api;
    }

    private static void feed(ParleyConfig config, List<Transcript.Line> lines) {
        try (Feed feed = new Feed(StreamsSettings.clients(config), config.getInt(ParleyConfig.RECORD_BYTES))) {
            lines.forEach(feed::send);
            assertThat(feed.flush()).isEqualTo(lines.size());
        }
    }
}
