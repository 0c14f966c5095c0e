package dev.parley.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.EventStream;
import dev.parley.cli.api.EventStream.Event;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.protocol.TopicNames;
import dev.parley.server.accesslog.AccessLogFeature;
import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.tail.TailFeature;
import dev.parley.server.tail.TailPosition;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live tail through real brokers, over two instances. */
@Tag("long")
class TailIT {
    private static final TopicNames NAMES = SharedCluster.newDeployment();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MESSAGES = 120;

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;
    private static Application one;
    private static Application two;

    @BeforeAll
    static void open() {
        environment = EmbeddedEnvironment.shared(directory, NAMES);
        one = Application.start(config("one", "pipeline,views"));
        two = Application.start(config("two", "views"));
        await().atMost(TIMEOUT).until(() -> one.isReady() && two.isReady());
    }

    @AfterAll
    static void close() {
        two.close();
        one.close();
        environment.close();
    }

    private static ParleyConfig config(String name, String roles) {
        return environment.config(Map.of(
                ParleyConfig.STATE_DIR,
                directory.resolve(name).toString(),
                ParleyConfig.ROLES,
                roles,
                TailFeature.CALLER_STREAMS,
                16,
                AccessLogFeature.ENABLED,
                true,
                ClusterKeys.SECRET,
                "0123456789 0123456789 0123456789 0123456789"));
    }

    private static void send(int from, int to) {
        try (TranscriptProducer producer = new TranscriptProducer(environment.config())) {
            for (int i = from; i < to; i++) {
                byte[] value = ("@a6|f1|c" + i + "|S0|d1|T1|k9#").getBytes(UTF_8);
                producer.send(new Transcript.Line(
                        Integer.toString(i).getBytes(UTF_8), Map.of(), value, NAMES.wire(), null, Optional.empty()));
            }
            producer.flush();
        }
    }

    @Test
    void readerThatReconnectsToOtherInstancesWhilePartitionsMoveGetsEveryRecordOnce() throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        String[] last = {start()};
        send(0, MESSAGES / 2);
        follow(two, last, seen, 7);
        follow(one, last, seen, 5);
        // The partitions of its views move to the other instance.
        two.close();
        send(MESSAGES / 2, MESSAGES);
        while (seen.size() < MESSAGES) {
            follow(one, last, seen, Math.min(25, MESSAGES - seen.size()));
        }
        send(MESSAGES, MESSAGES + 1);
        follow(one, last, seen, 1);

        // Each message has a conversation of its own.
        assertThat(seen).doesNotHaveDuplicates().hasSize(MESSAGES + 1);
    }

    @Test
    void commandPrintsJsonLinesAndEndsAfterItsCount() {
        String start = start();
        send(1_000, 1_003);

        CommandResult run = CommandResult.by(List.of(
                "tail",
                "--url",
                one.uri().toString(),
                "--after",
                start,
                "--verdict",
                "rejected",
                "--count",
                "3",
                "--json"));

        assertThat(run.exit()).as(run.all()).isZero();
        assertThat(run.all().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line)
                        .contains("\"verdict\":\"REJECTED\"", "\"event\":\"", "\"chain\":\"default|SLIP|"));
    }

    @Test
    void accessLogHasReadsOfConversationsAndOpenTails() throws Exception {
        URI read = URI.create(one.uri() + "/v1/conversations/default/slip/logged");
        assertThat(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(read).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(404);
        try (java.io.InputStream body = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(one.uri() + "/v1/tail?code=SLIP_TURN_REUSED"))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .body()) {
            List<String> entries = new ArrayList<>();
            await().atMost(TIMEOUT).untilAsserted(() -> {
                accessLog(entries);
                assertThat(entries)
                        .anySatisfy(entry -> assertThat(entry)
                                .contains(
                                        "\"target\":\"" + read.getPath() + '"',
                                        "\"conversation\":\"default|SLIP|logged\"",
                                        "\"principal\":\"anonymous\"",
                                        "\"status\":404"))
                        .anySatisfy(entry -> assertThat(entry)
                                .contains("\"target\":\"/v1/tail?code=SLIP_TURN_REUSED\"", "\"status\":200"));
            });
        }
    }

    /** Replaces the entries by those that the topic has now. */
    private static void accessLog(List<String> entries) {
        entries.clear();
        Map<String, Object> settings = new HashMap<>(StreamsSettings.clientSettings(environment.config()));
        try (KafkaConsumer<byte[], String> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(NAMES.named(AccessLogFeature.TOPIC)).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> entries.add(record.value()));
            }
        }
    }

    @Test
    void positionBeyondTheEndIsRejected() throws Exception {
        TailPosition now = TailPosition.parse(start()).orElseThrow();
        List<Long> offsets = new ArrayList<>(now.offsets());
        offsets.set(0, offsets.get(0) + 1_000_000);
        for (TailPosition hostile : List.of(
                new TailPosition(now.topicId(), offsets),
                new TailPosition(new Uuid(1, 1), now.offsets()),
                new TailPosition(now.topicId(), List.of(0L)))) {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(one.uri() + "/v1/tail"))
                                    .header("Last-Event-ID", hostile.text())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
            assertThat(response.body()).contains("INVALID_CURSOR");
        }
    }

    /** The position at the end of the topic. */
    private static String start() {
        try (java.io.InputStream body = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(one.uri() + "/v1/tail"))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .body()) {
            String line = new java.io.BufferedReader(new java.io.InputStreamReader(body, UTF_8)).readLine();
            return line.substring("id: ".length());
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Follows until the given number of further events have come, and then drops the connection. */
    private static void follow(Application instance, String[] last, List<String> seen, int count) {
        int target = seen.size() + count;
        EventStream stream =
                new EventStream(new ApiClient(instance.uri()), new ApiQuery("/v1/tail"), Optional.of(last[0]));
        EventStream.Ended ended = stream.follow(event -> {
            seen.add(name(event));
            last[0] = event.id();
            return seen.size() < target;
        });
        assertThat(seen).as(ended.reason()).hasSize(target);
    }

    private static String name(Event event) {
        return event.data().chain() + '#' + event.data().sequence();
    }
}
