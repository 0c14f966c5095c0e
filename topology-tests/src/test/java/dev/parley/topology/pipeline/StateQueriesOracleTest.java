package dev.parley.topology.pipeline;

import static dev.parley.topology.StateAnswers.assertBy;
import static dev.parley.topology.StateAnswers.flat;
import static dev.parley.topology.StateAnswers.values;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import dev.parley.json.ApiJson;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.auth.Role;
import dev.parley.server.metrics.Metrics;
import dev.parley.stage.StageSettings;
import dev.parley.state.InMemoryConversation;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateQueries;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.StateOracle.Entry;
import dev.parley.topology.pipeline.StateOracle.Moment;
import dev.parley.topology.pipeline.StateOracle.Step;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.ViewsDriver;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories: what the API says of states, as of random moments, is what plain folds of the input say, and byte
 * for byte what the same queries say offline. 10,000 messages in 20 conversations of all protocols, two input topics
 * each, with clocks that disagree. A history is played again with {@code -Dparley.seed}.
 */
@Tag("long")
class StateQueriesOracleTest {
    private static final int MESSAGES = rounds(10_000);
    private static final int MOMENTS = rounds(6);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    /** The same records in memory, by the names of the conversations. */
    private final Map<String, InMemoryConversation> offline = new HashMap<>();

    private URI api;

    private static int rounds(int rounds) {
        return Math.max(1, (int) (rounds * Long.getLong("parley.rounds", 100) / 100));
    }

    @Test
    void statesOfTheApiEqualFoldsOfTheInput(@TempDir Path directory) throws Exception {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        System.out.println("StateQueriesOracleTest: -Dparley.seed=" + seed);
        Random random = new Random(seed);
        List<RandomConversations> talks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Protocol protocol = i < 3 ? Protocol.SLIP : i < 6 ? Protocol.SUBIT : i < 9 ? Protocol.LAMBDA : Protocol.CSP;
            talks.add(new RandomConversations(protocol, i, random));
        }
        try (ViewsDriver driver = ViewsDriver.in(directory.resolve("views"));
                Metrics metrics = new Metrics(Optional.empty(), false)) {
            play(talks, random, directory, driver);
            try (QueryServer server = driver.serve(Loopback.OPEN, metrics)) {
                api = server.uri();
                for (RandomConversations talk : talks) {
                    assertThat(talk.oracle.moments).as(talk.name).isNotEmpty();
                    for (int i = 0; i < MOMENTS; i++) {
                        compare(talk, random, "parley.seed=" + seed);
                    }
                    if (talk.oracle instanceof CspOracle contexts) {
                        compareTree(talk, contexts, random, "parley.seed=" + seed);
                    }
                }
            }
        }
    }

    private void play(List<RandomConversations> talks, Random random, Path directory, ViewsDriver views) {
        long never = Long.MAX_VALUE / 4;
        try (PipelineDriver pipeline = PipelineDriver.in(
                directory.resolve("pipeline"),
                Map.of(
                        ParleyConfig.IDLE_MS,
                        never,
                        ParleyConfig.PARKING_MS,
                        Duration.ofDays(1).toMillis()))) {
            for (int i = 0; i < MESSAGES; i++) {
                Instant time = PipelineDriver.START.plusSeconds(i + random.nextInt(40));
                talks.get(random.nextInt(talks.size())).next(pipeline, time);
            }
            talks.forEach(talk -> offline.put(talk.name, new InMemoryConversation(key(talk))));
            pipeline.auditRecords().forEach(r -> {
                views.audit(r.value());
                offline.values().forEach(records -> records.accept(r.value()));
            });
            pipeline.checkpoints().forEach(r -> {
                views.checkpoint(r.value());
                offline.values().forEach(records -> records.accept(r.value()));
            });
        }
    }

    /** A moment as the API is asked for it, and what the oracle knows of it. */
    private record Asked(String text, Moment moment) {}

    private static Asked random(RandomConversations talk, Random random) {
        StateOracle oracle = talk.oracle;
        Moment some = oracle.moments.get(random.nextInt(oracle.moments.size()));
        int off = random.nextInt(3) - 1;
        return switch (random.nextInt(5)) {
            case 0 -> {
                long sequence = Math.max(0, some.sequence() + off);
                yield new Asked("sequence:" + sequence, oracle.last(m -> m.sequence() <= sequence));
            }
            case 1 -> {
                long time = some.cause().time() + off;
                yield new Asked("time:" + time, oracle.last(m -> m.cause().time() <= time));
            }
            case 2 -> {
                String topic = some.cause().topic();
                long offset = Math.max(0, some.cause().offset() + off);
                yield new Asked(
                        "offset:" + topic + "/0/" + offset,
                        oracle.last(m ->
                                m.cause().topic().equals(topic) && m.cause().offset() <= offset));
            }
            case 3 ->
                switch (talk.protocol) {
                    case CSP -> new Asked("checkpoint:" + some.checkpoint(), some);
                    case SLIP -> {
                        long turn = Math.max(0, some.turn() + off);
                        yield new Asked("turn:" + turn, oracle.last(m -> m.turn() <= turn));
                    }
                    default -> new Asked("latest", oracle.last(m -> true));
                };
            default -> new Asked("latest", oracle.last(m -> true));
        };
    }

    private static dev.parley.state.PointInTime point(Asked asked, RandomConversations talk) {
        return dev.parley.state.PointInTime.parse(asked.text(), talk.protocol, Clock.systemUTC());
    }

    private void compare(RandomConversations talk, Random random, String seed) throws Exception {
        Asked asked = random(talk, random);
        Asked other = random(talk, random);
        String about = seed + " " + talk.protocol + " " + talk.name + " " + asked.text() + " " + other.text();
        Map<String, String> expected = values(asked.moment());

        ConversationKey key = key(talk);
        dev.parley.state.PointInTime at = point(asked, talk);
        JsonNode state = ask(talk, "/state?at=" + encoded(asked.text()), queries -> queries.state(key, at));
        assertThat(flat(talk.protocol, state)).as(about).isEqualTo(expected);
        if (talk.protocol == Protocol.CSP) {
            assertThat(state.at("/asOf/id").asText())
                    .as(about)
                    .isEqualTo(asked.moment().checkpoint());
        } else {
            assertThat(state.at("/asOf/sequence").asLong(-1))
                    .as(about)
                    .isEqualTo(asked.moment().sequence());
        }

        JsonNode blame = ask(
                talk,
                "/blame?limit=1000&at=" + encoded(asked.text()),
                queries -> queries.blame(key, at, entry -> true, Optional.empty(), 1_000));
        assertThat(blame.path("items")).as(about).hasSize(expected.size());
        for (JsonNode item : blame.path("items")) {
            Entry entry = asked.moment().state().get(item.path("entry").asText());
            assertThat(item.path("value").asText()).as(about).isEqualTo(entry.value());
            assertBy(about, talk.protocol, item.path("by"), entry.by());
        }

        JsonNode diff = ask(
                talk,
                "/diff?from=" + encoded(asked.text()) + "&to=" + encoded(other.text()),
                queries -> queries.diff(key, at, point(other, talk)));
        Map<String, String> after = new TreeMap<>(expected);
        diff.path("removed")
                .forEach(item -> assertThat(after.remove(item.path("entry").asText()))
                        .as(about)
                        .isEqualTo(item.path("value").asText()));
        diff.path("changed")
                .forEach(item -> assertThat(after.put(
                                item.path("entry").asText(), item.path("new").asText()))
                        .as(about)
                        .isEqualTo(item.path("old").asText())
                        .isNotEqualTo(item.path("new").asText()));
        diff.path("added")
                .forEach(item -> assertThat(after.put(
                                item.path("entry").asText(), item.path("value").asText()))
                        .as(about)
                        .isNull());
        assertThat(after).as(about).isEqualTo(values(other.moment()));

        List<String> names = new ArrayList<>(talk.oracle.last(m -> true).state().keySet());
        String entry = names.isEmpty() ? "none" : names.get(random.nextInt(names.size()));
        JsonNode history = ask(
                talk,
                "/history?limit=1000&entry=" + encoded(entry) + "&at=" + encoded(asked.text()),
                queries -> queries.history(key, entry, at, Optional.empty(), 1_000));
        List<Step> steps = talk.oracle.history(entry, asked.moment());
        assertThat(history.path("items")).as(about + " " + entry).hasSize(steps.size());
        for (int i = 0; i < steps.size(); i++) {
            JsonNode item = history.path("items").get(i);
            assertThat(item.path("value").textValue())
                    .as(about)
                    .isEqualTo(steps.get(i).value());
            assertBy(about, talk.protocol, item.path("by"), steps.get(i).by());
        }
    }

    /** The tree: heads, states and differences by ID, operations, state as of a time. */
    private void compareTree(RandomConversations talk, CspOracle oracle, Random random, String seed) throws Exception {
        String context = "/v1/conversations/default/csp/" + encoded(talk.name);
        List<CspOracle.Node> nodes = new ArrayList<>(oracle.nodes.values());
        JsonNode tree =
                ask(talk, "/checkpoints?limit=1000", queries -> queries.tree(key(talk), Optional.empty(), 1_000));
        assertThat(tree.path("next").isNull()).isTrue();
        List<String> lines = new ArrayList<>();
        tree.path("items")
                .forEach(item -> lines.add(item.path("id").asText() + " of "
                        + item.path("parent").textValue() + " by "
                        + item.path("patch").textValue() + " "
                        + item.path("head").asBoolean()));
        assertThat(lines)
                .as(seed)
                .containsExactlyElementsOf(nodes.stream()
                        .map(node -> node.id() + " of "
                                + (node.parent() == null ? null : node.parent().id()) + " by " + node.patch() + " "
                                + nodes.stream().noneMatch(other -> other.parent() == node))
                        .toList());
        for (int i = 0; i < MOMENTS; i++) {
            CspOracle.Node from = nodes.get(random.nextInt(nodes.size()));
            CspOracle.Node to = nodes.get(random.nextInt(nodes.size()));
            String about = seed + " " + talk.name + " " + from.id() + " " + to.id();
            assertThat(flat(Protocol.CSP, get(context + "/state?at=checkpoint:" + from.id())))
                    .as(about)
                    .isEqualTo(values(from.state()));
            assertThat(get(context + "/checkpoints/" + from.id()).path("operations"))
                    .as(about)
                    .hasSize(from.changes().size());
            Map<String, String> before = values(from.state());
            Map<String, String> after = values(to.state());
            long differences = before.keySet().stream()
                            .filter(name -> !before.get(name).equals(after.get(name)))
                            .count()
                    + after.keySet().stream()
                            .filter(name -> !before.containsKey(name))
                            .count();
            JsonNode diff = get(context + "/diff?from=checkpoint:" + from.id() + "&to=checkpoint:" + to.id());
            assertThat(diff.path("added").size()
                            + diff.path("changed").size()
                            + diff.path("removed").size())
                    .as(about)
                    .isEqualTo((int) differences);
            long time = PipelineDriver.START.toEpochMilli() + 1_000L * random.nextInt(MESSAGES);
            assertThat(flat(Protocol.CSP, get(context + "/state?at=time:" + time)))
                    .as(about + " " + time)
                    .isEqualTo(values(oracle.last(m -> m.cause().time() <= time)));
        }
    }

    private static ConversationKey key(RandomConversations talk) {
        return new ConversationKey("default", talk.protocol, talk.name);
    }

    /** Asks the API, and offline, which must say the same. */
    private JsonNode ask(RandomConversations talk, String question, Function<StateQueries, StateAnswer> offlineQuestion)
            throws IOException, InterruptedException {
        String path = "/v1/conversations/default/" + talk.protocol + "/" + encoded(talk.name) + question;
        String answer = body(path);
        StateQueries queries = new StateQueries(
                offline.get(talk.name),
                StageSettings.DEFAULT::stateModel,
                MaskingPolicy.of(Role.READER, PublicContent.WITHOUT_RULES)::visible,
                QueryBudget.UNLIMITED,
                Glosses.STANDARD::gloss);
        assertThat(ApiJson.text(offlineQuestion.apply(queries))).as(path).isEqualTo(answer);
        return JSON.readTree(answer);
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(body(path));
    }

    private String body(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(api + path)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
