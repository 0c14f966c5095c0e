package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.config.InstanceKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.query.Position;
import dev.parley.topology.StreamsSettings;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes share the views: each answers everything, while one leaves and another joins. */
class SeveralInstancesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void eachAnswersEverythingWhileOneLeavesAndAnotherJoins() throws Exception {
        Traffic traffic = new Traffic();
        try (House house = House.open(directory);
                Application staying = Application.start(config(house, "one"))) {
            Map<String, JsonNode> before;
            try (Application leaving = Application.start(config(house, "two"))) {
                Api one = ready(staying);
                Api two = ready(leaving);
                Map<Long, Position> sent = feed(house, traffic);
                // What was sent a moment ago is demanded from the one that may not have it.
                for (Position position : sent.values()) {
                    HttpResponse<String> answer = get(leaving, "/v1/conversations?limit=1000&at-least=" + position);
                    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 503);
                    if (answer.statusCode() == 200) {
                        assertThat(get(staying, path(position)).statusCode()).isEqualTo(200);
                    } else {
                        // A patch that waits for its base is not shown.
                        assertThat(answer.body()).contains("POSITION_NOT_SHOWN", position.toString());
                    }
                    if (answer.statusCode() == 503) {
                        break;
                    }
                }
                assertThat(one.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                        .isTrue();
                before = answers(one);
                assertThat(before).hasSizeGreaterThan(5);
                assertThat(answers(two)).isEqualTo(before);
                for (int limit : new int[] {1, 3}) {
                    assertThat(conversations(two, limit)).isEqualTo(conversations(one, 1000));
                }
            }
            try (Application joining = Application.start(config(house, "three"))) {
                // While partitions move: right, declared stale, or told to come again.
                for (int round = 0; round < 3; round++) {
                    for (Map.Entry<String, JsonNode> known : before.entrySet()) {
                        rightStaleOrLater(get(joining, known.getKey()), known.getValue());
                        rightStaleOrLater(get(staying, known.getKey() + "?stale=ok"), known.getValue());
                    }
                }
                Api three = ready(joining);
                ready(staying);
                assertThat(answers(three)).isEqualTo(before);
                assertThat(answers(new Api(staying.uri()))).isEqualTo(before);
            }
        }
    }

    private static void rightStaleOrLater(HttpResponse<String> answer, JsonNode right) throws Exception {
        if (answer.statusCode() == 503) {
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(answer.body()).contains("VIEWS_UNAVAILABLE");
        } else if (answer.headers().firstValue("Parley-Staleness").isEmpty()) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(JSON.readTree(answer.body())).isEqualTo(right);
        }
    }

    private ParleyConfig config(House house, String name) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state-" + name).toString());
        values.put(InstanceKeys.SECRET, "between us");
        return house.config(values);
    }

    private Map<Long, Position> feed(House house, Traffic traffic) {
        Map<Long, Position> sent = new ConcurrentHashMap<>();
        ParleyConfig config = house.config();
        try (Feed feed = new Feed(StreamsSettings.clients(config), config.getInt(ParleyConfig.RECORD_BYTES))) {
            long number = 0;
            for (Transcript.Line line : traffic.rounds(1)) {
                long key = number++;
                feed.send(line, position -> sent.put(key, position));
            }
            assertThat(feed.flush()).isEqualTo(sent.size());
        }
        return new TreeMap<>(sent);
    }

    private static String path(Position position) {
        return "/v1/positions/" + position.topic() + "/" + position.partition() + "/" + position.offset();
    }

    private static List<String> conversations(Api api, int limit) {
        List<String> all = new ArrayList<>();
        for (JsonNode page : new Pages(api, "/v1/conversations?limit=" + limit)) {
            page.path("items").forEach(item -> all.add(item.at("/links/self").asText()));
        }
        return all;
    }

    /** What is said of each conversation, by its path. */
    private static Map<String, JsonNode> answers(Api api) {
        Map<String, JsonNode> answers = new TreeMap<>();
        for (String path : conversations(api, 1000)) {
            answers.put(path, api.get(path));
            answers.put(path + "/messages", api.get(path + "/messages"));
        }
        return answers;
    }

    private static Api ready(Application application) throws InterruptedException {
        Api api = new Api(application.uri());
        api.awaitReady(PATIENCE, new CountDownLatch(1));
        return api;
    }

    private HttpResponse<String> get(Application application, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(application.uri().resolve(path))
                        .timeout(PATIENCE)
                        .build(),
                BodyHandlers.ofString());
    }
}
