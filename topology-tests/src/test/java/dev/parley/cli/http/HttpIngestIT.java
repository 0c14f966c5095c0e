package dev.parley.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.protocol.TopicNames;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages sent over HTTP to two instances, through a real broker. */
@Tag("long")
class HttpIngestIT {
    private static final TopicNames NAMES = SharedCluster.newDeployment();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PRODUCER = StoredToken.newToken(new SecureRandom());
    private static final String OPERATOR = StoredToken.newToken(new SecureRandom());
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String LINES = "application/x-ndjson";
    private static final int SLOW_MS = 6_000;

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;
    private static Application one;
    private static Application two;

    @BeforeAll
    static void open() throws IOException {
        environment = EmbeddedEnvironment.shared(directory, NAMES);
        one = Application.start(config("one", Map.of()));
        two = Application.start(config("two", Map.of(ParleyConfig.ROLES, "views")));
        for (Application instance : List.of(one, two)) {
            await().atMost(TIMEOUT).until(instance::isReady);
        }
    }

    @AfterAll
    static void close() {
        two.close();
        one.close();
        environment.close();
    }

    private static ParleyConfig config(String name, Map<String, Object> more) throws IOException {
        Path tokens = Files.write(
                directory.resolve(name + "-tokens.jsonl"),
                List.of(
                        StoredToken.of(PRODUCER, "agent", Role.PRODUCER, Optional.empty(), Optional.empty())
                                .line(),
                        StoredToken.of(OPERATOR, "ops", Role.OPERATOR, Optional.empty(), Optional.empty())
                                .line()));
        Map<String, Object> values = new HashMap<>();
        values.put(HttpKeys.TOKENS_FILE, tokens.toString());
        values.put(ParleyConfig.STATE_DIR, directory.resolve(name).toString());
        values.put(IngestFeature.ENABLED, true);
        values.put(ClusterKeys.SECRET, "0123456789 0123456789 0123456789 0123456789");
        values.put(ClusterKeys.PATIENCE_MS, 30_000);
        // The partitions of a killed instance soon have another owner.
        values.put(ParleyConfig.KAFKA_PREFIX + "session.timeout.ms", 6_000);
        values.put(ParleyConfig.KAFKA_PREFIX + "heartbeat.interval.ms", 2_000);
        values.putAll(more);
        return environment.config(values);
    }

    @Test
    void oneMessageIsJudgedAndItsPositionIsVisible() throws Exception {
        HttpResponse<String> response = post(one, "?wait=verdict", "text/plain", slip(901));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        JsonNode body = JSON.readTree(response.body());
        assertThat(body.at("/verdict/verdict").asText()).as(response.body()).isEqualTo("ACCEPTED");
        assertThat(body.at("/verdict/chain").asText()).isEqualTo("default|SLIP|901");
        HttpResponse<String> conversation = CLIENT.send(
                request(
                                OPERATOR,
                                two,
                                "/v1/conversations/default/SLIP/901?at-least="
                                        + body.path("position").asText())
                        .build(),
                BodyHandlers.ofString());
        assertThat(conversation.statusCode()).as(conversation.body()).isEqualTo(200);
    }

    @Test
    void aTranscriptIsJudgedAsIfItHadBeenIngestedAndARepeatEntersNothing() throws Exception {
        byte[] transcript = Files.readAllBytes(Path.of("samples", "csp-refactoring.jsonl"));
        int lines = (int) new String(transcript, UTF_8).lines().count();

        JsonNode first = JSON.readTree(post(one, "", LINES, transcript, "Idempotency-Key", "transcript")
                .body());
        JsonNode second = JSON.readTree(post(two, "", LINES, transcript, "Idempotency-Key", "transcript")
                .body());

        assertThat(first.path("entered").asInt()).as("%s", first).isEqualTo(lines);
        assertThat(second.path("repeated").asInt()).as("%s", second).isEqualTo(lines);
        for (int i = 0; i < lines; i++) {
            assertThat(second.at("/items/" + i + "/position")).isEqualTo(first.at("/items/" + i + "/position"));
        }
        String last = first.at("/items/" + (lines - 1) + "/position").asText();
        HttpResponse<String> checkpoints = CLIENT.send(
                request(OPERATOR, one, "/v1/conversations/default/csp/auth-refactor/checkpoints?at-least=" + last)
                        .build(),
                BodyHandlers.ofString());
        assertThat(checkpoints.body()).contains("\"C3\"");
    }

    @Test
    void aMarkWithoutAValueEntersOnceAndMessagesAfterItEnter() throws Exception {
        String mark = "{\"key\":\"tapped\",\"headers\":{\"parley-protocol\":\"mcp\","
                + "\"parley-direction\":\"server-to-client\",\"parley-capture\":\"gap\"},\"wire\":null}";

        JsonNode first = JSON.readTree(post(one, "?wait=verdict", LINES, mark, "Idempotency-Key", "mark")
                .body());
        JsonNode second = JSON.readTree(
                post(one, "", LINES, mark, "Idempotency-Key", "mark").body());

        assertThat(first.at("/items/0/verdict/verdict").asText())
                .as("%s", first)
                .isEqualTo("ACCEPTED");
        assertThat(second.path("repeated").asInt()).as("%s", second).isOne();
        assertThat(post(one, "", "text/plain", slip(950), "Idempotency-Key", "after-mark")
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void eventsKeepTheirAttributes() throws Exception {
        String events = "[{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"msg\","
                + "\"parleynamespace\":\"events\",\"parleyconversation\":\"c\",\"parleysender\":\"A1\","
                + "\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\","
                + "\"data\":\"@v0.6#h !Aw/s ?Uc/la\"}]";

        HttpResponse<String> response = post(two, "?wait=verdict", "application/cloudevents-batch+json", events);

        assertThat(JSON.readTree(response.body()).at("/items/0/verdict/chain").asText())
                .as(response.body())
                .isEqualTo("events|LAMBDA|c");
        ConsumerRecord<byte[], byte[]> record = committed().stream()
                .filter(found -> new String(found.value(), UTF_8).startsWith("@v0.6#h !Aw/s"))
                .findFirst()
                .orElseThrow();
        assertThat(record.key()).as("as input.keyed-by-conversation requires").isEqualTo("c".getBytes(UTF_8));
        assertThat(new String(record.headers().lastHeader("traceparent").value(), UTF_8))
                .startsWith("00-0af765");
        assertThat(new String(record.headers().lastHeader("parley-sender").value(), UTF_8))
                .isEqualTo("A1");
    }

    @Test
    void aKeyEntersOnceAtTwoInstancesAtTheSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 5; round++) {
                String message = slip(910 + round);
                String key = "race-" + round;
                List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Application instance = i % 2 == 0 ? one : two;
                    answers.add(CompletableFuture.supplyAsync(
                            () -> post(instance, "", "text/plain", message, "Idempotency-Key", key), threads));
                }
                Set<String> positions = new TreeSet<>();
                int entered = 0;
                for (CompletableFuture<HttpResponse<String>> answer : answers) {
                    JsonNode body = JSON.readTree(answer.join().body());
                    assertThat(answer.join().statusCode()).as("%s", body).isEqualTo(202);
                    positions.add(body.path("position").asText());
                    entered += body.path("repeated").asBoolean() ? 0 : 1;
                }
                assertThat(positions).hasSize(1);
                assertThat(entered).isOne();
                assertThat(count(message)).isOne();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aCrashBeforeTheCommitLeavesNothingAndTheRetryEntersOnce() throws Exception {
        String message = slip(920);
        // An instance that was killed within its transaction, whichever partition the caller has.
        List<KafkaProducer<byte[], byte[]>> killed = new ArrayList<>();
        try {
            for (int partition = 0; partition < 2; partition++) {
                KafkaProducer<byte[], byte[]> producer = transactional(NAMES.applicationId() + "-ingest-" + partition);
                killed.add(producer);
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(NAMES.wire(), "920".getBytes(UTF_8), message.getBytes(UTF_8)));
                producer.flush();
            }

            HttpResponse<String> retry = post(one, "", "text/plain", message, "Idempotency-Key", "crash");
            HttpResponse<String> again = post(two, "", "text/plain", message, "Idempotency-Key", "crash");

            assertThat(JSON.readTree(retry.body()).path("repeated").asBoolean(true))
                    .isFalse();
            assertThat(JSON.readTree(again.body()).path("repeated").asBoolean(false))
                    .isTrue();
        } finally {
            killed.forEach(producer -> producer.close(Duration.ZERO));
        }
        // Ends the transaction of the other partition.
        for (int partition = 0; partition < 2; partition++) {
            try (KafkaProducer<byte[], byte[]> producer =
                    transactional(NAMES.applicationId() + "-ingest-" + partition)) {
                producer.initTransactions();
            }
        }
        await().atMost(TIMEOUT).until(() -> count(message) == 1);
        assertThat(JSON.readTree(post(one, "", "text/plain", message, "Idempotency-Key", "crash")
                                .body())
                        .path("repeated")
                        .asBoolean())
                .as("after it was fenced")
                .isTrue();
    }

    @Test
    void everyKeyEntersOnceIfTheInstanceIsKilledWhileItSends() throws Exception {
        int port = freePort();
        Path file = Files.write(
                directory.resolve("killed.properties"),
                config("killed", Map.of(ParleyConfig.ROLES, "views", HttpKeys.PORT, port))
                        .originals()
                        .entrySet()
                        .stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
        URI uri = URI.create("http://127.0.0.1:" + port);
        Map<Integer, String> acknowledged = new ConcurrentHashMap<>();
        try (ChildProcess killed = ChildProcess.start(directory, List.of("run", "--config", file.toString()))) {
            await().atMost(TIMEOUT)
                    .until(() -> postOrFail(uri, slip(1_999), "warm-up").isPresent());
            List<CompletableFuture<Void>> senders = new ArrayList<>();
            AtomicInteger next = new AtomicInteger();
            for (int sender = 0; sender < 4; sender++) {
                senders.add(CompletableFuture.runAsync(() -> {
                    while (true) {
                        int number = 2_000 + next.getAndIncrement();
                        Optional<String> position = postOrFail(uri, slip(number), "kill-" + number);
                        if (position.isEmpty()) {
                            return;
                        }
                        acknowledged.put(number, position.get());
                    }
                }));
            }
            await().atMost(TIMEOUT).until(() -> acknowledged.size() >= 40);
            killed.kill();
            CompletableFuture.allOf(senders.toArray(CompletableFuture[]::new)).join();

            for (int number = 2_000; number < 2_000 + next.get(); number++) {
                JsonNode retry =
                        JSON.readTree(post(one, "", "text/plain", slip(number), "Idempotency-Key", "kill-" + number)
                                .body());
                if (acknowledged.containsKey(number)) {
                    assertThat(retry.path("repeated").asBoolean())
                            .as("%s", retry)
                            .isTrue();
                    assertThat(retry.path("position").asText()).isEqualTo(acknowledged.get(number));
                }
            }
            List<String> values = committed().stream()
                    .map(record -> new String(record.value(), UTF_8))
                    .toList();
            for (int number = 2_000; number < 2_000 + next.get(); number++) {
                assertThat(Collections.frequency(values, slip(number)))
                        .as("%d", number)
                        .isOne();
            }
        }
    }

    /** The position of a message; empty if there is no response, or another one than 202. */
    private static Optional<String> postOrFail(URI uri, String message, String key) {
        try {
            HttpResponse<String> response = CLIENT.send(
                    HttpRequest.newBuilder(uri.resolve("/v1/wire"))
                            .header("Authorization", "Bearer " + PRODUCER)
                            .header("Content-Type", "text/plain")
                            .header("Idempotency-Key", key)
                            .POST(BodyPublishers.ofString(message))
                            .build(),
                    BodyHandlers.ofString());
            return response.statusCode() == 202
                    ? Optional.of(
                            JSON.readTree(response.body()).path("position").asText())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    @Test
    void aClientThatLosesTheResponseRetriesAndEntersOnce() throws Exception {
        String message = slip(930);
        try (Socket lost = new Socket(one.uri().getHost(), one.uri().getPort())) {
            OutputStream out = lost.getOutputStream();
            out.write(("POST /v1/wire HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + PRODUCER
                            + "\r\nContent-Type: text/plain\r\nIdempotency-Key: lost\r\nContent-Length: "
                            + message.length() + "\r\n\r\n" + message)
                    .getBytes(UTF_8));
            out.flush();
        }
        await().atMost(TIMEOUT).until(() -> count(message) == 1);

        assertThat(JSON.readTree(post(two, "", "text/plain", message, "Idempotency-Key", "lost")
                                .body())
                        .path("repeated")
                        .asBoolean())
                .isTrue();
        assertThat(count(message)).isOne();
        assertThat(post(two, "", "text/plain", slip(931), "Idempotency-Key", "lost")
                        .statusCode())
                .as("the key belongs to another message")
                .isEqualTo(409);
    }

    @Test
    void theAccountingBalancesAfterTransactionsInTheInput() throws Exception {
        post(one, "", "text/plain", slip(940), "Idempotency-Key", "balance");

        await().atMost(TIMEOUT).untilAsserted(() -> {
            JsonNode accounting = JSON.readTree(
                    CLIENT.send(request(OPERATOR, one, "/v1/accounting").build(), BodyHandlers.ofString())
                            .body());
            assertThat(accounting.at("/total/balanced").asBoolean())
                    .as("%s", accounting)
                    .isTrue();
        });
    }

    @Test
    void brokersThatDoNotAcknowledgeAreARetryLater() throws Exception {
        String client = "slow-client";
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Application slow = Application.start(config(
                        "slow",
                        Map.of(
                                ParleyConfig.ROLES,
                                "views",
                                ParleyConfig.APPLICATION_ID,
                                "slow",
                                ParleyConfig.KAFKA_PREFIX + "client.id",
                                client,
                                IngestFeature.TIMEOUT_MS,
                                SLOW_MS)));
                Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()))) {
            ClientQuotaEntity entity = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, client));
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            entity, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1.0)))))
                    .all()
                    .get();
            // The brokers throttle a producer after the message that exceeds its quota.
            AtomicInteger number = new AtomicInteger(950);
            await().atMost(TIMEOUT).untilAsserted(() -> {
                CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(
                        () -> post(slow, "", "text/plain", slip(number.incrementAndGet())), threads);
                List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
                await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(250)).until(() -> {
                    others.add(CompletableFuture.supplyAsync(
                            () -> post(slow, "", "text/plain", slip(number.incrementAndGet())), threads));
                    return first.isDone() || limited(others).isPresent();
                });
                HttpResponse<String> second = limited(others).orElseThrow(() -> new AssertionError(first.join()));
                assertThat(second.headers().firstValue("Retry-After")).isPresent();
                assertThat(second.body()).contains("INGEST_LIMITED");
                assertThat(first.join().statusCode()).as(first.join().body()).isEqualTo(503);
                assertThat(first.join().body()).contains("may have entered");
            });
        } finally {
            threads.shutdown();
        }
    }

    /** The first response that rejects its message for now. */
    private static Optional<HttpResponse<String>> limited(List<CompletableFuture<HttpResponse<String>>> responses) {
        return responses.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .filter(response -> response.statusCode() == 429)
                .findFirst();
    }

    private static String slip(int conversation) {
        return "@a3|f0|c" + base62(conversation) + "|S0|d1|T1|g1c|k1|q1|t\"m" + conversation + "\"#";
    }

    private static String base62(int number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        return number < 62 ? digits.substring(number, number + 1) : base62(number / 62) + digits.charAt(number % 62);
    }

    private static int count(String message) {
        return (int) committed().stream()
                .filter(record -> new String(record.value(), UTF_8).equals(message))
                .count();
    }

    private static List<ConsumerRecord<byte[], byte[]>> committed() {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                StreamsSettings.committedReader(StreamsSettings.clientSettings(environment.config())),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    List.of(new TopicPartition(NAMES.wire(), 0), new TopicPartition(NAMES.wire(), 1));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>();
            partitions.forEach(partition -> ends.put(partition, SharedCluster.committedEnd(partition)));
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            // A mark has no value.
            records.removeIf(record -> record.value() == null);
            return records;
        }
    }

    private static KafkaProducer<byte[], byte[]> transactional(String id) {
        return SharedCluster.transactionalProducer(id);
    }

    private static HttpResponse<String> post(
            Application instance, String query, String type, String body, String... headers) {
        return post(instance, query, type, body.getBytes(UTF_8), headers);
    }

    private static HttpResponse<String> post(
            Application instance, String query, String type, byte[] body, String... headers) {
        HttpRequest.Builder request = request(PRODUCER, instance, "/v1/wire" + query)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static HttpRequest.Builder request(String token, Application instance, String path) {
        return HttpRequest.newBuilder(URI.create(instance.uri() + path)).header("Authorization", "Bearer " + token);
    }
}
