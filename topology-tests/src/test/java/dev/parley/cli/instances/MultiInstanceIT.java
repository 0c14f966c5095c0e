package dev.parley.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.InputPosition;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.json.ApiJson;
import dev.parley.json.model.ItemPage;
import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three instances share the pipeline and the views. Messages arrive and queries are sent continuously
 * while one instance is killed and another joins: every answer is right, declared stale, or 503. {@code
 * -Dinstances.minutes=10} repeats that for ten minutes.
 */
@Tag("long")
class MultiInstanceIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** As {@link ApiClient} reads numbers. */
    private static final ObjectMapper JSON = ApiJson.builder().build();

    private static final Pattern LISTENS = Pattern.compile("HTTP API at (\\S+)");
    private static final String FIRST_ROUND = "/round0-";
    private static final int MAX_RECORDED_ANSWERS = 40;
    private static final int RECORD_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger right = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();
    private final AtomicInteger later = new AtomicInteger();
    private int started;
    private int turns;

    @Test
    void responsesAreCorrectStaleOr503WhileInstancesFailAndJoin() throws Exception {
        long end = System.nanoTime()
                + Duration.ofMinutes(Long.getLong("instances.minutes", 0)).toNanos();
        RepeatedSamples traffic = new RepeatedSamples();
        ScheduledExecutorService helpers = Executors.newScheduledThreadPool(2);
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory);
                Application staying = Application.start(config(embeddedEnvironment));
                Application helping = Application.start(config(embeddedEnvironment))) {
            ChildProcess victim = child(embeddedEnvironment);
            try {
                ApiClient apiClient = RunningParley.ready(staying.uri(), TIMEOUT);
                RunningParley.ready(helping.uri(), TIMEOUT);
                RunningParley.ready(uri(victim), TIMEOUT);
                Set<InputPosition> sent = feed(embeddedEnvironment, traffic.rounds(1));
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                everyoneShowsWhatWasSent(List.of(staying.uri(), helping.uri(), uri(victim)), sent, parked(apiClient));
                Map<String, JsonNode> answers = answers(apiClient);
                assertThat(answers).hasSize(MAX_RECORDED_ANSWERS);
                assertThat(answers(new ApiClient(helping.uri()))).isEqualTo(answers);
                assertThat(answers(new ApiClient(uri(victim)))).isEqualTo(answers);
                everyListHasOneOrder(List.of(staying.uri(), helping.uri(), uri(victim)));

                TranscriptProducer transcriptProducer = new TranscriptProducer(embeddedEnvironment.config());
                ScheduledFuture<?> feeding = often(helpers, () -> {
                    transcriptProducer.send(traffic.next());
                    transcriptProducer.flush();
                });
                Iterator<Map.Entry<String, JsonNode>> questions = Stream.generate(answers.entrySet()::stream)
                        .flatMap(all -> all)
                        .iterator();
                List<URI> asked = List.of(staying.uri(), helping.uri());
                ScheduledFuture<?> asking = often(helpers, () -> ask(asked, questions.next()));
                do {
                    victim.kill();
                    victim = child(embeddedEnvironment);
                    // It answers everything before it owns anything, or while it takes partitions over.
                    URI joining = uri(victim);
                    answers.forEach((path, expected) -> check(joining, path + "?stale=ok", expected));
                    RunningParley.ready(joining, TIMEOUT);
                    await().atMost(TIMEOUT)
                            .ignoreExceptions()
                            .until(() -> answers(new ApiClient(joining)).equals(answers));
                } while ((System.nanoTime() < end || tooFewAreRight(answers, end))
                        && !asking.isDone()
                        && !feeding.isDone());
                end(feeding);
                end(asking);
                helpers.shutdown();
                assertThat(helpers.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                transcriptProducer.close();
                System.out.printf("instances: %d right, %d stale, %d later%n", right.get(), stale.get(), later.get());
                assertThat(right).hasValueGreaterThan(answers.size());
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                embeddedEnvironment.topics().nothingIsLostAndNothingIsTwice().everyChainVerifies();
            } finally {
                victim.close();
            }
        } finally {
            helpers.shutdownNow();
        }
    }

    /** A slow machine gets more time, so that every question has been answered right at least once on average. */
    private boolean tooFewAreRight(Map<String, JsonNode> answers, long end) {
        return right.get() <= answers.size() && System.nanoTime() < end + TIMEOUT.toNanos();
    }

    /** Every instance returns all expected data, except parked patches. */
    private void everyoneShowsWhatWasSent(List<URI> processes, Set<InputPosition> sent, long parked) {
        int shown = 0;
        int unshown = 0;
        for (InputPosition position : sent.stream().limit(MAX_RECORDED_ANSWERS).toList()) {
            URI process = processes.get(shown % processes.size());
            HttpResponse<String> answer = get(process, "/v1/conversations?limit=1&at-least=" + position);
            if (answer.statusCode() == 503) {
                assertThat(answer.body()).contains("POSITION_NOT_SHOWN", position.toString());
                unshown++;
            } else {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(get(process, path(position)).statusCode()).isEqualTo(200);
                shown++;
            }
        }
        assertThat(shown + unshown).isEqualTo(MAX_RECORDED_ANSWERS);
        assertThat((long) unshown).isLessThanOrEqualTo(parked);
    }

    private static void everyListHasOneOrder(List<URI> processes) {
        List<String> expected = conversations(new ApiClient(processes.get(0)), 1000);
        for (URI process : processes) {
            for (int limit : new int[] {7, 50}) {
                assertThat(conversations(new ApiClient(process), limit)).isEqualTo(expected);
            }
        }
    }

    private static ScheduledFuture<?> often(ScheduledExecutorService helpers, Runnable task) {
        return helpers.scheduleWithFixedDelay(task, 0, 20, TimeUnit.MILLISECONDS);
    }

    /** Ends what would go on for ever; if it has ended by itself, it has failed. */
    private static void end(ScheduledFuture<?> endless) throws Exception {
        if (!endless.cancel(false)) {
            endless.get();
        }
    }

    private void ask(List<URI> processes, Map.Entry<String, JsonNode> known) {
        int turn = turns++;
        String path = known.getKey() + (turn % 3 == 0 ? "?stale=ok" : "");
        check(processes.get(turn % processes.size()), path, known.getValue());
    }

    /** Of conversations of the first round: nothing is added to them any more. */
    private void check(URI process, String path, JsonNode expected) {
        HttpResponse<String> answer = get(process, path);
        if (answer.statusCode() == 503) {
            assertThat(answer.headers().firstValue("Retry-After"))
                    .as(answer.body())
                    .isPresent();
            assertThat(answer.body()).contains("VIEWS_UNAVAILABLE");
            later.incrementAndGet();
            return;
        }
        if (answer.headers().firstValue("Parley-Staleness").isEmpty()) {
            assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
            assertThat(json(answer)).as(path).isEqualTo(expected);
            right.incrementAndGet();
            return;
        }
        stale.incrementAndGet();
        assertThat(path).endsWith("?stale=ok");
        if (answer.statusCode() == 200 && path.contains("/messages")) {
            List<JsonNode> items = new ArrayList<>();
            expected.path("items").forEach(items::add);
            JsonNode had = json(answer).path("items");
            assertThat(had).as(path).containsExactlyElementsOf(items.subList(0, had.size()));
        } else if (answer.statusCode() == 200) {
            assertThat(json(answer).path("lastSequence").asLong())
                    .as(path)
                    .isLessThanOrEqualTo(expected.path("lastSequence").asLong());
        } else {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
        }
    }

    private ParleyConfig config(EmbeddedEnvironment embeddedEnvironment) {
        Map<String, Object> values = new HashMap<>();
        values.put(
                ParleyConfig.STATE_DIR, directory.resolve("state-" + started++).toString());
        values.put(ClusterKeys.SECRET, "between us 0123456789 0123456789 0123456789");
        // So that the work of one that is killed is soon taken over.
        values.put("kafka.main.consumer.session.timeout.ms", "6000");
        return embeddedEnvironment.config(values);
    }

    private ChildProcess child(EmbeddedEnvironment embeddedEnvironment) throws IOException {
        return ChildProcess.start(directory, CommandResult.arguments(config(embeddedEnvironment), "run"));
    }

    private static URI uri(ChildProcess child) {
        await().atMost(TIMEOUT).until(() -> child.hasSaid("HTTP API at "));
        Matcher listens = LISTENS.matcher(child.said());
        assertThat(listens.find()).isTrue();
        return URI.create(listens.group(1));
    }

    private static Set<InputPosition> feed(EmbeddedEnvironment embeddedEnvironment, List<Transcript.Line> lines) {
        Set<InputPosition> sent = ConcurrentHashMap.newKeySet();
        try (TranscriptProducer transcriptProducer = new TranscriptProducer(embeddedEnvironment.config())) {
            for (Transcript.Line line : lines) {
                transcriptProducer.send(line, sent::add);
            }
            assertThat(transcriptProducer.flush()).isEqualTo(lines.size());
        }
        return sent;
    }

    private static long parked(ApiClient apiClient) {
        return apiClient
                .get("/v1/accounting", JsonNode.class)
                .at("/total/parked")
                .asLong();
    }

    private static String path(InputPosition position) {
        return "/v1/positions/" + position.topic() + "/" + position.partition() + "/" + position.offset();
    }

    private static List<String> conversations(ApiClient apiClient, int limit) {
        List<String> all = new ArrayList<>();
        for (ItemPage<JsonNode> page :
                new Pages<>(apiClient, new ApiQuery("/v1/conversations?limit=" + limit), JsonNode.class)) {
            page.items().forEach(item -> all.add(item.at("/links/self").asText()));
        }
        return all;
    }

    /** What is said of some conversations of the first round, by their paths. */
    private static Map<String, JsonNode> answers(ApiClient apiClient) {
        Map<String, JsonNode> answers = new TreeMap<>();
        for (String path : conversations(apiClient, 1000)) {
            if (path.contains(FIRST_ROUND) && answers.size() < MAX_RECORDED_ANSWERS) {
                answers.put(path, apiClient.get(path, JsonNode.class));
                answers.put(path + "/messages", apiClient.get(path + "/messages", JsonNode.class));
            }
        }
        return answers;
    }

    private HttpResponse<String> get(URI process, String path) {
        try {
            return http.send(
                    HttpRequest.newBuilder(process.resolve(path))
                            .timeout(TIMEOUT)
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(process + path + " did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }
}
