package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.access.Role;
import dev.parley.access.StoredToken;
import dev.parley.cli.io.Transcript;
import dev.parley.cli.io.TranscriptProducer;
import dev.parley.config.HttpKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.query.api.SendResult;
import dev.parley.server.Application;
import dev.parley.server.KafkaRedriver;
import dev.parley.topology.setup.StreamsSettings;
import dev.parley.topology.setup.TopicSetup;
import dev.parley.topology.setup.Topics;
import java.io.IOException;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters that are sent again, through a real broker. */
class RedriveIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String DEAD = "parley.dlq.internal.v1";
    private static final String INPUT = "parley.wire";
    private static final String BROKEN = "@a3|f0|c9|S0|d1|broken";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;

    @BeforeAll
    static void open() {
        environment = EmbeddedEnvironment.open(directory);
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()))) {
            assertThat(TopicSetup.of(environment.config()).createAndValidate(admin))
                    .isEmpty();
        }
    }

    @AfterAll
    static void close() {
        environment.close();
    }

    @Test
    void onlyCommittedDeadLettersOfAnInputAreRedrivenByteForByte() {
        long first = end(DEAD, 0);
        try (KafkaProducer<byte[], byte[]> producer = producer("letters")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(letter(INPUT, "1"));
            producer.send(letter("parley.audit.v1", "1"));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(letter(INPUT, "1"));
            producer.flush();
            producer.abortTransaction();
        }
        long before = end(INPUT, 1);

        try (KafkaRedriver redrive = new KafkaRedriver(
                StreamsSettings.clientSettings(environment.config()), Topics.INPUTS, 1 << 20, TIMEOUT)) {
            SendResult.Sent sent = (SendResult.Sent) redrive.redrive(DEAD, 0, first);
            assertThat(sent).isEqualTo(new SendResult.Sent(INPUT, 1, before));
            ConsumerRecord<byte[], byte[]> input = read(INPUT, 1, before);
            ProducerRecord<byte[], byte[]> letter = letter(INPUT, "1");
            assertThat(input.key()).isEqualTo(letter.key());
            assertThat(input.value()).isEqualTo(letter.value());
            assertThat(input.headers().toArray())
                    .as("without what said why it failed, and with the attempt that it now is")
                    .containsExactly(
                            letter.headers().toArray()[0],
                            letter.headers().toArray()[1],
                            new RecordHeader("parley-attempt", "2".getBytes(UTF_8)));

            assertThat(redrive.redrive(DEAD, 0, first + 1)).as("no input topic").isInstanceOf(SendResult.Refused.class);
            assertThat(List.of(first + 2, first + 3, first + 4, first + 5, Long.MAX_VALUE))
                    .as("end of a transaction, aborted, its end, not there yet, never there")
                    .allSatisfy(offset ->
                            assertThat(redrive.redrive(DEAD, 0, offset)).isInstanceOf(SendResult.Unknown.class));
            assertThat(redrive.redrive(DEAD, 7, 0)).as("no such partition").isInstanceOf(SendResult.Unknown.class);
            assertThat(end(INPUT, 1)).as("nothing else was sent").isEqualTo(before + 1);

            redrive.redrive(DEAD, 0, first);
            assertThat(end(INPUT, 1)).as("once more is once more").isEqualTo(before + 2);
        }
    }

    @Test
    void deadLetterWithoutValueAndTopicWithoutDeadLettersAreRejected() throws Exception {
        long offset = end(DEAD, 1);
        long wire = end(INPUT, 0);
        ProducerRecord<byte[], byte[]> omitted = new ProducerRecord<>(DEAD, 1, "k".getBytes(UTF_8), null);
        omitted.headers()
                .add("__streams.errors.topic", INPUT.getBytes(UTF_8))
                .add("__streams.errors.partition", "0".getBytes(UTF_8))
                .add("parley.error.value-sha256", "00".getBytes(UTF_8));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                StreamsSettings.clientSettings(environment.config()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(omitted).get();
            producer.send(new ProducerRecord<>(
                            INPUT,
                            0,
                            "k".getBytes(UTF_8),
                            letter(INPUT, "0").value(),
                            letter(INPUT, "0").headers()))
                    .get();
        }
        try (KafkaRedriver redrive = new KafkaRedriver(
                StreamsSettings.clientSettings(environment.config()), Topics.INPUTS, 1 << 20, TIMEOUT)) {
            assertThat(redrive.redrive(DEAD, 1, offset))
                    .isInstanceOfSatisfying(
                            SendResult.Refused.class,
                            refused -> assertThat(refused.detail()).contains("has no value", "input topic"));
            assertThat(redrive.redrive(INPUT, 0, wire))
                    .isInstanceOfSatisfying(
                            SendResult.Refused.class,
                            refused -> assertThat(refused.detail()).contains("does not hold Parley's dead letters"));
        }
        assertThat(end(INPUT, 0)).as("nothing was sent").isEqualTo(wire + 1);
    }

    @Test
    void redriveWithoutBrokersReportsIt() {
        Map<String, Object> unavailable = Map.of("bootstrap.servers", "127.0.0.1:1");
        try (KafkaRedriver redrive = new KafkaRedriver(unavailable, Topics.INPUTS, 1 << 20, Duration.ofMillis(300))) {
            assertThat(redrive.redrive(DEAD, 0, 0)).isInstanceOf(SendResult.Unavailable.class);
        }
    }

    @Test
    void redrivenDeadLetterIsJudgedAgain() throws Exception {
        String token = StoredToken.newToken(new SecureRandom());
        Path tokens = Files.writeString(
                directory.resolve("tokens.jsonl"),
                StoredToken.of(token, "ops", Role.OPERATOR, Optional.empty()).line());
        Map<String, Object> values = new HashMap<>(environment.config().originals());
        values.put(HttpKeys.TOKENS_FILE, tokens.toString());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        ParleyConfig config = new ParleyConfig(values);
        try (Application application = Application.start(config);
                TranscriptProducer transcriptProducer = new TranscriptProducer(
                        StreamsSettings.clientSettings(config), config.getInt(ParleyConfig.RECORD_BYTES))) {
            URI api = application.uri();
            await().atMost(TIMEOUT)
                    .until(() -> ask(token, HttpRequest.newBuilder(api.resolve("/health/ready")))
                                    .statusCode()
                            == 200);
            transcriptProducer.send(
                    new Transcript.Line("k".getBytes(UTF_8), Map.of(), BROKEN.getBytes(UTF_8), INPUT, null));
            transcriptProducer.flush();
            JsonNode letter = awaitLetters(api, token, 1).get(0);
            assertThat(letter.path("attempt").asInt()).isOne();

            HttpResponse<String> sent = ask(
                    token,
                    HttpRequest.newBuilder(api.resolve("/v1/dead-letters/parley.dlq.decode.v1/"
                                    + letter.at("/deadLetter/partition").asInt() + "/"
                                    + letter.at("/deadLetter/offset").asLong() + "/redrive"))
                            .POST(BodyPublishers.noBody()));

            assertThat(sent.statusCode()).as(sent.body()).isEqualTo(202);
            List<JsonNode> letters = awaitLetters(api, token, 2);
            JsonNode again = letters.stream()
                    .filter(item -> item.path("attempt").asInt() == 2)
                    .findFirst()
                    .orElseThrow();
            assertThat(again.path("sha256")).isEqualTo(letter.path("sha256"));
            assertThat(again.at("/source/offset"))
                    .isEqualTo(JSON.readTree(sent.body()).at("/sent/offset"));
            assertThat(again.at("/source/partition")).isEqualTo(letter.at("/source/partition"));
        }
    }

    private static List<JsonNode> awaitLetters(URI api, String token, int count) {
        List<JsonNode> letters = new ArrayList<>();
        await().atMost(TIMEOUT).until(() -> {
            letters.clear();
            HttpResponse<String> answer =
                    ask(token, HttpRequest.newBuilder(api.resolve("/v1/dead-letters?stage=decode")));
            StreamSupport.stream(JSON.readTree(answer.body()).path("items").spliterator(), false)
                    .filter(item -> item.path("preview").asText().equals(BROKEN))
                    .forEach(letters::add);
            return letters.size() == count;
        });
        return letters;
    }

    private static HttpResponse<String> ask(String token, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request.header("Authorization", "Bearer " + token).build(), BodyHandlers.ofString());
    }

    private static ProducerRecord<byte[], byte[]> letter(String topic, String partition) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(DEAD, 0, "key".getBytes(UTF_8), new byte[] {0, (byte) 0xFF, 1});
        letter.headers()
                .add("mine", null)
                .add("mine", new byte[] {(byte) 0xFE})
                .add("__streams.errors.topic", topic.getBytes(UTF_8))
                .add("__streams.errors.partition", partition.getBytes(UTF_8))
                .add("parley.error.attempt", "1".getBytes(UTF_8));
        return letter;
    }

    private static KafkaProducer<byte[], byte[]> producer(String transactions) {
        Map<String, Object> settings = new HashMap<>(StreamsSettings.clientSettings(environment.config()));
        settings.put("transactional.id", transactions);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static long end(String topic, int partition) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            TopicPartition input = new TopicPartition(topic, partition);
            return consumer.endOffsets(List.of(input)).get(input);
        }
    }

    private static ConsumerRecord<byte[], byte[]> read(String topic, int partition, long offset) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            TopicPartition input = new TopicPartition(topic, partition);
            consumer.assign(List.of(input));
            consumer.seek(input, offset);
            return consumer.poll(TIMEOUT).iterator().next();
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                StreamsSettings.clientSettings(environment.config()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
