package dev.parley.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.avro.RedriveKind;
import dev.parley.avro.Stage;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.feature.Feature;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.http.ProblemException;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.redrive.DeadLetterRecord;
import dev.parley.server.redrive.KafkaRedriver;
import dev.parley.server.redrive.RedriveEdit;
import dev.parley.server.redrive.RedriveItem;
import dev.parley.server.redrive.RedriveResult;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.server.redrive.Redriver;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.ClosureKey;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters that are sent again, through a real broker. */
@Tag("long")
class RedriveIT {
    private static final TopicNames NAMES = SharedCluster.newDeployment();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String DEAD = NAMES.deadLetters(Stage.INTERNAL);
    private static final String INPUT = NAMES.wire();
    private static final String BROKEN = "@a3|f0|c9|S0|d1|broken";
    private static final String FIRST = "@a6|f1|c7|S0|d1|T1|k9#";
    private static final String SECOND = "@a6|f1|c7|S0|d1|T2|k8#";
    private static final String REPAIRED = "@a3|f0|c9|S0|d1|T1|g1c|k1|q1|t\"release_2.4\"#";
    private static final String TRANSACTIONS = NAMES.applicationId() + "-redrive";
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;
    private static AvroSerdes serdes;

    @BeforeAll
    static void open() {
        environment = EmbeddedEnvironment.shared(directory, NAMES);
        serdes = AvroSerdes.fromConfig(environment.config().serdeSettings());
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()))) {
            assertThat(Feature.topics(Features.STANDARD, environment.config()).createAndValidate(admin))
                    .isEmpty();
        }
    }

    @AfterAll
    static void close() throws IOException {
        serdes.close();
        environment.close();
    }

    @Test
    void onlyCommittedDeadLettersOfAnInputAreRedrivenByteForByte() {
        long first = end(DEAD, 0);
        try (KafkaProducer<byte[], byte[]> producer = producer("letters")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(letter(0, INPUT, 101));
            producer.send(letter(0, NAMES.audit(), 102));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(letter(0, INPUT, 103));
            producer.flush();
            producer.abortTransaction();
        }
        long before = end(INPUT, 1);

        try (KafkaRedriver redriver = redriver(5)) {
            RedriveResult entered = redrive(redriver, id(0, first)).get(0);
            assertThat(entered.outcome()).isEqualTo(Outcome.ENTERED);
            assertThat(entered.sent()).isEqualTo(new InputPosition(INPUT, 1, before));
            assertThat(entered.attempt()).isEqualTo(2);
            ConsumerRecord<byte[], byte[]> input = read(INPUT, 1, before);
            ProducerRecord<byte[], byte[]> letter = letter(0, INPUT, 101);
            assertThat(input.key()).isEqualTo(letter.key());
            assertThat(input.value()).isEqualTo(letter.value());
            assertThat(input.headers().toArray())
                    .as("without what said why it failed, and with the attempt that it now is")
                    .containsExactly(
                            letter.headers().toArray()[0],
                            letter.headers().toArray()[1],
                            new RecordHeader("parley-attempt", "2".getBytes(UTF_8)));

            assertThat(redrive(redriver, id(0, first + 1)))
                    .as("no input topic")
                    .extracting(RedriveResult::outcome)
                    .containsExactly(Outcome.REFUSED);
            assertThat(redriver.find(
                            List.of(
                                    id(0, first + 2),
                                    id(0, first + 3),
                                    id(0, first + 4),
                                    id(0, first + 5),
                                    id(0, Long.MAX_VALUE),
                                    id(7, 0),
                                    new InputPosition(INPUT, 1, before)),
                            any -> true))
                    .as("ends of transactions, aborted, not there yet, never there, no partition, no dead letters")
                    .isEmpty();
            assertThat(committed(INPUT, 1, before)).as("nothing else was sent").hasSize(1);
        }
    }

    @Test
    void deadLetterEntersOnceEvenIfTheResponseIsLost() {
        InputPosition id = send(letter(0, INPUT, 201));
        RedriveResult lost;
        try (KafkaRedriver first = redriver(5)) {
            lost = redrive(first, id).get(0);
        }
        long end = end(INPUT, 1);
        try (KafkaRedriver second = redriver(5)) {
            RedriveResult again = redrive(second, id).get(0);
            assertThat(again.outcome()).isEqualTo(Outcome.ALREADY_ENTERED);
            assertThat(again.sent()).isEqualTo(lost.sent());
            assertThat(second.check(items(second, id), "dry").get(0).outcome()).isEqualTo(Outcome.ALREADY_ENTERED);

            List<Redrive> history = second.show(id).orElseThrow().redrives();
            assertThat(history).singleElement().satisfies(redrive -> {
                assertThat(redrive.getBy()).isEqualTo("token:ops");
                assertThat(redrive.getReason()).isEqualTo("fixed");
                assertThat(redrive.getTime()).isEqualTo(NOW);
                assertThat(redrive.getSource()).isEqualTo(INPUT + "-1@201");
                assertThat(redrive.getSent()).isEqualTo(lost.sent().toString());
                assertThat(redrive.getEdited()).isFalse();
                assertThat(redrive.getOriginalHash()).isEqualTo(redrive.getSentHash());
            });
        }
        assertThat(committed(INPUT, 1, end)).isEmpty();
    }

    @Test
    void aClosedDeadLetterIsKnownToEveryInstanceAndAnotherClientHidesNone() throws Exception {
        InputPosition id = send(letter(0, INPUT, 211));
        InputPosition source = new InputPosition(INPUT, 1, 211);
        long before = end(INPUT, 1);
        try (KafkaRedriver first = redriver(5);
                KafkaRedriver second = redriver(5)) {
            assertThat(change(first, id, true)).isEqualTo(Outcome.CLOSED);
            assertThat(redrive(second, id).get(0).outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(second.show(id).orElseThrow()).satisfies(shown -> {
                assertThat(shown.closed()).isTrue();
                assertThat(shown.redrives()).isEmpty();
                assertThat(shown.closures()).singleElement().satisfies(closure -> {
                    assertThat(closure.getKind()).isEqualTo(RedriveKind.CLOSED);
                    assertThat(closure.getBy()).isEqualTo("token:ops");
                    assertThat(closure.getReason()).isEqualTo("fixed");
                    assertThat(closure.getTime()).isEqualTo(NOW);
                });
            });
            assertThat(change(second, id, false)).isEqualTo(Outcome.REOPENED);
            try (KafkaProducer<byte[], byte[]> insider = plainProducer()) {
                for (int number : List.of(3, 5)) {
                    byte[] key = new ClosureKey(number, source).toString().getBytes(UTF_8);
                    insider.send(new ProducerRecord<>(NAMES.redrive(), 0, key, new byte[] {9}))
                            .get();
                }
            }
            assertThat(first.show(id).orElseThrow().closed()).isFalse();
            assertThat(change(first, id, true)).isEqualTo(Outcome.CLOSED);
            assertThat(second.show(id).orElseThrow().closures())
                    .extracting(Redrive::getAttempt)
                    .containsExactly(1, 2, 3);
            assertThat(change(second, id, false)).isEqualTo(Outcome.REOPENED);
            assertThat(committed(INPUT, 1, before)).isEmpty();
            assertThat(redrive(first, id).get(0).outcome()).isEqualTo(Outcome.ENTERED);
            assertThat(change(second, id, true)).isEqualTo(Outcome.ALREADY_ENTERED);
        }
    }

    private static Outcome change(KafkaRedriver redriver, InputPosition id, boolean close) {
        return redriver.change(redriver.find(List.of(id), letter -> true).values(), close, order())
                .get(0)
                .outcome();
    }

    @Test
    void instanceKilledBeforeItsCommitLeavesNothingBehind() {
        InputPosition id = send(letter(0, INPUT, 301));
        long before = end(INPUT, 1);
        // As killed between writing and committing: neither closed nor aborted.
        KafkaProducer<byte[], byte[]> killed = producer(TRANSACTIONS);
        try (KafkaRedriver redriver = redriver(5)) {
            killed.initTransactions();
            killed.beginTransaction();
            killed.send(new ProducerRecord<>(INPUT, 1, "key".getBytes(UTF_8), new byte[] {1}));
            killed.send(new ProducerRecord<>(NAMES.redrive(), 0, (INPUT + "-1@301").getBytes(UTF_8), new byte[] {1}));
            killed.flush();

            assertThat(redrive(redriver, id).get(0).outcome()).isEqualTo(Outcome.ENTERED);

            assertThat(committed(INPUT, 1, before)).hasSize(1);
            assertThatThrownBy(killed::commitTransaction).isInstanceOf(KafkaException.class);
            assertThat(committed(INPUT, 1, before)).hasSize(1);
        } finally {
            killed.close(Duration.ZERO);
        }
    }

    @Test
    void twoOperatorsAtOnceSendEachDeadLetterOnce() throws Exception {
        List<InputPosition> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.add(send(letter(1, INPUT, 400 + i)));
        }
        long before = end(INPUT, 1);
        List<RedriveResult> results = new ArrayList<>();
        ExecutorService operators = Executors.newFixedThreadPool(2);
        try (KafkaRedriver one = redriver(5);
                KafkaRedriver other = redriver(5)) {
            List<Future<List<RedriveResult>>> running = new ArrayList<>();
            for (int from = 0; from < ids.size(); from += 10) {
                InputPosition[] some = ids.subList(from, from + 10).toArray(InputPosition[]::new);
                running.add(operators.submit(() -> redrive(one, some)));
                running.add(operators.submit(() -> redrive(other, some)));
            }
            for (Future<List<RedriveResult>> each : running) {
                results.addAll(each.get());
            }
        } finally {
            operators.shutdown();
        }

        assertThat(results)
                .filteredOn(result -> result.outcome() == Outcome.ENTERED)
                .extracting(RedriveResult::deadLetter)
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(results)
                .filteredOn(result -> result.outcome() == Outcome.ALREADY_ENTERED)
                .hasSize(ids.size());
        assertThat(committed(INPUT, 1, before))
                .extracting(record -> new String(record.key(), UTF_8))
                .as("each once, and in the order of the failed records")
                .containsExactlyElementsOf(java.util.stream.IntStream.range(0, 60)
                        .mapToObj(i -> "key" + (400 + i))
                        .toList());
    }

    @Test
    void attemptsAreCountedByTheRedrivesAndNotByHeaders() {
        InputPosition id = send(letter(0, INPUT, 501));
        try (KafkaRedriver redriver = redriver(3)) {
            RedriveResult second = redrive(redriver, id).get(0);
            // It failed again; an agent's header claims a first attempt.
            InputPosition failed = send(letter(0, INPUT, second.sent().offset()));
            RedriveResult third = redrive(redriver, failed).get(0);
            assertThat(third.outcome()).isEqualTo(Outcome.ENTERED);
            assertThat(third.attempt()).isEqualTo(3);
            InputPosition failedAgain = send(letter(0, INPUT, third.sent().offset()));
            RedriveResult fourth = redrive(redriver, failedAgain).get(0);
            assertThat(fourth.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(fourth.detail()).contains("3 times", "redrive.attempts.max");
            assertThat(redriver.show(failedAgain).orElseThrow().redrives())
                    .extracting(Redrive::getAttempt)
                    .containsExactly(3, 2);
            assertThat(redriver.redrives(List.of(second.sent(), second.sent())))
                    .extracting(Redrive::getAttempt)
                    .as("the redrive that sent it, and that of its failure")
                    .containsExactlyInAnyOrder(2, 3);
            assertThat(redriver.redrives(List.of(new InputPosition(INPUT, 7, 7))))
                    .isEmpty();
        }
    }

    @Test
    void editedBytesEnterAndTheOriginalIsKept() {
        InputPosition id = send(letter(0, INPUT, 601));
        try (KafkaRedriver redriver = redriver(5)) {
            DeadLetterRecord letter = redriver.read(List.of(id)).letters().get(id);
            RedriveResult result = redriver.redrive(
                            List.of(new RedriveItem(letter, RedriveEdit.NONE.withValue(new byte[] {7}), false)),
                            order())
                    .get(0);
            assertThat(read(INPUT, 1, result.sent().offset()).value()).containsExactly(7);
            DeadLetterRecord kept = redriver.read(List.of(id)).letters().get(id);
            assertThat(kept.value()).isEqualTo(letter.value());
            assertThat(redriver.show(id).orElseThrow().redrives())
                    .singleElement()
                    .satisfies(redrive -> {
                        assertThat(redrive.getEdited()).isTrue();
                        assertThat(redrive.getOriginalHash())
                                .isEqualTo(java.nio.ByteBuffer.wrap(dev.parley.encoding.Sha256.of(letter.value())));
                        assertThat(redrive.getSentHash())
                                .isEqualTo(java.nio.ByteBuffer.wrap(dev.parley.encoding.Sha256.of(new byte[] {7})));
                    });
        }
    }

    @Test
    void editedKeyAndHeadersEnterInTheirOrderWithTheAttemptAndWithoutForgedErrors() {
        InputPosition id = send(letter(0, INPUT, 602));
        Headers edited = new RecordHeaders()
                .add("h", "1".getBytes(UTF_8))
                .add("parley.error.code", "forged".getBytes(UTF_8))
                .add("g", null)
                .add("h", new byte[] {(byte) 0xFF});
        try (KafkaRedriver redriver = redriver(5)) {
            DeadLetterRecord letter = redriver.read(List.of(id)).letters().get(id);
            RedriveEdit edit = new RedriveEdit(
                    Optional.empty(), Optional.of(new RedriveEdit.Key("other".getBytes(UTF_8))), Optional.of(edited));
            RedriveResult result = redriver.redrive(List.of(new RedriveItem(letter, edit, false)), order())
                    .get(0);

            ConsumerRecord<byte[], byte[]> entered =
                    read(INPUT, result.sent().partition(), result.sent().offset());
            assertThat(entered.key()).isEqualTo("other".getBytes(UTF_8));
            assertThat(entered.value()).isEqualTo(letter.value());
            assertThat(entered.headers())
                    .containsExactly(
                            new RecordHeader("h", "1".getBytes(UTF_8)),
                            new RecordHeader("g", null),
                            new RecordHeader("h", new byte[] {(byte) 0xFF}),
                            new RecordHeader("parley-attempt", "2".getBytes(UTF_8)));
            assertThat(redriver.show(id).orElseThrow().redrives())
                    .singleElement()
                    .returns(true, Redrive::getEdited);
        }
    }

    @Test
    void withInputKeyedByConversationARecordEntersThePartitionOfItsKey() {
        // The failed record was in partition 1.
        long offset = LongStream.range(610, 700)
                .filter(number -> ChainPartitioner.partition("key" + number, 2) == 0)
                .findFirst()
                .orElseThrow();
        InputPosition id = send(letter(0, INPUT, offset));
        try (KafkaRedriver redriver = redriver(5, TIMEOUT, true)) {
            assertThat(redrive(redriver, id).get(0).sent().partition()).isZero();
        }
    }

    @Test
    void deadLetterWithoutItsValueEntersOnlyWithEditedBytes() {
        ProducerRecord<byte[], byte[]> omitted = new ProducerRecord<>(DEAD, 1, "k".getBytes(UTF_8), null);
        letter(1, INPUT, 701).headers().forEach(omitted.headers()::add);
        omitted.headers().add("parley.error.value-sha256", "00".getBytes(UTF_8));
        InputPosition id = send(omitted);
        long before = end(INPUT, 1);
        try (KafkaRedriver redriver = redriver(5)) {
            assertThat(redrive(redriver, id).get(0)).satisfies(result -> {
                assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
                assertThat(result.detail()).contains("has no value", "input topic");
            });
            assertThat(committed(INPUT, 1, before)).isEmpty();
            DeadLetterRecord letter = redriver.read(List.of(id)).letters().get(id);
            assertThat(redriver.redrive(
                                    List.of(new RedriveItem(letter, RedriveEdit.NONE.withValue(new byte[] {1}), false)),
                                    order())
                            .get(0)
                            .outcome())
                    .isEqualTo(Outcome.ENTERED);
        }
    }

    @Test
    void recordsThatTheInputDoesNotAcceptAreRefusedAndTheOthersEnter() throws Exception {
        long before = end(INPUT, 1);
        try (KafkaRedriver redriver = redriver(5);
                Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()))) {
            limit(admin, "2000");
            InputPosition first = send(large(711));
            InputPosition small = send(letter(1, INPUT, 712));
            InputPosition last = send(large(713));

            assertThat(redrive(redriver, small, first))
                    .extracting(RedriveResult::outcome)
                    .containsExactly(Outcome.ENTERED, Outcome.REFUSED);
            assertThat(redrive(redriver, first, small, last))
                    .extracting(RedriveResult::outcome)
                    .containsExactly(Outcome.REFUSED, Outcome.ALREADY_ENTERED, Outcome.REFUSED);
            InputPosition other = send(letter(1, INPUT, 714));
            assertThat(redrive(redriver, first, other, last)).satisfies(results -> {
                assertThat(results)
                        .extracting(RedriveResult::outcome)
                        .containsExactly(Outcome.REFUSED, Outcome.ENTERED, Outcome.REFUSED);
                assertThat(results.get(0).detail()).contains("does not accept so large a record");
            });
        } finally {
            try (Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()))) {
                limit(admin, "1100000");
            }
        }
        assertThat(committed(INPUT, 1, before)).hasSize(2);
    }

    /** Sets {@code max.message.bytes} of the input topic. */
    private static void limit(Admin admin, String bytes) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, INPUT),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("max.message.bytes", bytes), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private static ProducerRecord<byte[], byte[]> large(long offset) {
        ProducerRecord<byte[], byte[]> large = new ProducerRecord<>(DEAD, 1, null, new byte[4_000]);
        letter(1, INPUT, offset).headers().forEach(large.headers()::add);
        return large;
    }

    @Test
    void pageOfManyLargeHeadersIsBoundedInBytes() {
        List<InputPosition> ids = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ProducerRecord<byte[], byte[]> letter = letter(1, INPUT, 720 + i);
            letter.headers().add("padding", new byte[900_000]);
            ids.add(send(letter));
        }
        Collections.reverse(ids);
        try (KafkaRedriver redriver = redriver(5)) {
            Redriver.Read read = redriver.read(ids);

            assertThat(read.count()).isEqualTo(6);
            assertThat(read.letters()).containsOnlyKeys(ids.subList(0, 6));
        }
    }

    @Test
    void nothingEntersWhileATransactionHidesRedrives() {
        InputPosition id = send(letter(0, INPUT, 811));
        long before = end(INPUT, 1);
        try (KafkaProducer<byte[], byte[]> hanging = producer(TRANSACTIONS + "-other")) {
            hanging.initTransactions();
            hanging.beginTransaction();
            hanging.send(new ProducerRecord<>(NAMES.redrive(), 0, new byte[] {1}, new byte[] {9}));
            hanging.flush();
            try (KafkaRedriver redriver = redriver(5, Duration.ofSeconds(3))) {
                List<RedriveItem> items = items(redriver, id);
                assertThatThrownBy(() -> redriver.redrive(items, order()))
                        .isInstanceOf(ProblemException.class)
                        .hasMessageContaining("open");
            }
            assertThat(committed(INPUT, 1, before)).isEmpty();
            hanging.abortTransaction();
        }
        try (KafkaRedriver redriver = redriver(5)) {
            assertThat(redrive(redriver, id).get(0).outcome()).isEqualTo(Outcome.ENTERED);
        }
    }

    @Test
    void recordOfARedriveThatCannotBeReadStillForbidsAnother() throws Exception {
        InputPosition id = send(letter(0, INPUT, 801));
        try (KafkaProducer<byte[], byte[]> insider = plainProducer()) {
            insider.send(new ProducerRecord<>(NAMES.redrive(), 0, (INPUT + "-1@801").getBytes(UTF_8), new byte[] {9}))
                    .get();
            insider.send(new ProducerRecord<>(NAMES.redrive(), 0, (INPUT + "-1@801").getBytes(UTF_8), null))
                    .get();
            insider.send(new ProducerRecord<>(NAMES.redrive(), 0, new byte[] {1}, new byte[] {9}))
                    .get();
        }
        long before = end(INPUT, 1);
        try (KafkaRedriver redriver = redriver(5)) {
            assertThat(redrive(redriver, id).get(0).outcome()).isEqualTo(Outcome.REFUSED);
        }
        assertThat(committed(INPUT, 1, before)).isEmpty();
    }

    @Test
    void redriveWithoutBrokersReportsIt() {
        KafkaRedriver.Settings unavailable = new KafkaRedriver.Settings(
                Map.of("bootstrap.servers", "127.0.0.1:1"),
                NAMES.deadLetters(),
                NAMES.inputs(Protocols.STANDARD),
                false,
                TRANSACTIONS,
                1 << 20,
                5,
                Duration.ofMillis(300));
        try (KafkaRedriver redriver =
                new KafkaRedriver(unavailable, new Topics(TopicNames.DEFAULT, serdes).redrive(), Clock.systemUTC())) {
            assertThatThrownBy(() -> redriver.read(List.of(id(0, 0)))).isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void deadLettersAreRepairedOverHttpFromDryRunToVerdict() throws Exception {
        String token = StoredToken.newToken(new SecureRandom());
        Path tokens = RunningParley.tokens(directory, token, "ops", Role.OPERATOR);
        Map<String, Object> values = new HashMap<>(environment.config().originals());
        values.put(HttpKeys.TOKENS_FILE, tokens.toString());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        ParleyConfig config = ServerConfig.of(values);
        try (Application application = Application.start(config);
                TranscriptProducer transcriptProducer = new TranscriptProducer(config)) {
            URI api = application.uri();
            await().atMost(TIMEOUT)
                    .until(() -> ask(token, HttpRequest.newBuilder(api.resolve("/health/ready")))
                                    .statusCode()
                            == 200);
            // Both accept what was never proposed.
            for (String message : List.of(BROKEN, FIRST, SECOND)) {
                transcriptProducer.send(new Transcript.Line(
                        "repair".getBytes(UTF_8), Map.of(), message.getBytes(UTF_8), INPUT, null, Optional.empty()));
            }
            transcriptProducer.flush();
            List<JsonNode> letters = awaitLetters(api, token, 3);
            String broken = idOf(letters, BROKEN);

            JsonNode shown = JSON.readTree(ask(token, HttpRequest.newBuilder(api.resolve("/v1/dead-letters/" + broken)))
                    .body());
            assertThat(Base64.getDecoder().decode(shown.path("value").asText())).isEqualTo(BROKEN.getBytes(UTF_8));
            assertThat(shown.path("attempts").asInt()).isOne();
            assertThat(shown.path("redrives")).isEmpty();

            ObjectNode dryBody = JSON.createObjectNode().put("dryRun", true);
            letters.forEach(
                    letter -> dryBody.withArray("ids").add(letter.path("id").asText()));
            JsonNode dry = redrive(api, token, dryBody);
            assertThat(dry.path("results")).hasSize(3).allSatisfy(result -> {
                assertThat(result.path("outcome").asText()).isEqualTo("WOULD_ENTER");
                assertThat(result.path("code").isTextual())
                        .as(result.toString())
                        .isTrue();
            });
            assertThat(inputsOf("repair")).as("a dry run sends nothing").hasSize(3);

            ObjectNode body = JSON.createObjectNode().put("dryRun", true).put("reason", "typo");
            body.putArray("ids").add(broken);
            body.putObject("edits")
                    .putObject(broken)
                    .put("value", Base64.getEncoder().encodeToString(REPAIRED.getBytes(UTF_8)));
            assertThat(redrive(api, token, body).at("/results/0/verdict").asText())
                    .isEqualTo("ACCEPTED");
            body.put("dryRun", false);
            JsonNode entered = redrive(api, token, body).at("/results/0");
            assertThat(entered.path("outcome").asText()).isEqualTo("ENTERED");
            assertThat(verdictAt(api, token, entered.path("sent").asText()))
                    .as("what the dry run predicted")
                    .isEqualTo("ACCEPTED");
            assertThat(redrive(api, token, body).at("/results/0/outcome").asText())
                    .as("a repeated request")
                    .isEqualTo("ALREADY_ENTERED");

            body = JSON.createObjectNode()
                    .put("dryRun", true)
                    .put("reason", "again")
                    .put("limit", 1);
            body.putObject("query").put("stage", "judge");
            List<JsonNode> predicted = all(api, token, body.deepCopy());
            List<JsonNode> sent = all(api, token, body.put("dryRun", false));
            assertThat(sent)
                    .extracting(result -> result.path("outcome").asText())
                    .containsOnly("ENTERED");
            assertThat(sent)
                    .extracting(result -> result.path("id").asText())
                    .as("in the order of the failed records, whatever their codes")
                    .containsExactly(idOf(letters, FIRST), idOf(letters, SECOND));
            for (int i = 0; i < sent.size(); i++) {
                assertThat(verdictAt(api, token, sent.get(i).path("sent").asText()))
                        .as("verdict on %s", sent.get(i))
                        .isEqualTo(predicted.get(i).path("verdict").asText());
            }
            assertThat(inputsOf("repair")).endsWith(REPAIRED, FIRST, SECOND).hasSize(6);
        }
    }

    private static List<JsonNode> all(URI api, String token, ObjectNode body) throws Exception {
        List<JsonNode> results = new ArrayList<>();
        JsonNode answer;
        do {
            answer = redrive(api, token, body);
            answer.path("results").forEach(results::add);
            body.put("cursor", answer.path("next").asText());
        } while (answer.path("next").isTextual());
        return results;
    }

    private static JsonNode redrive(URI api, String token, JsonNode body) throws Exception {
        HttpResponse<String> response = ask(
                token,
                HttpRequest.newBuilder(api.resolve("/v1/dead-letters:redrive"))
                        .POST(BodyPublishers.ofString(body.toString())));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static String verdictAt(URI api, String token, String position) {
        InputPosition at = InputPosition.parse(position).orElseThrow();
        String path = "/v1/positions/" + at.topic() + "/" + at.partition() + "/" + at.offset();
        return await().atMost(TIMEOUT)
                .until(
                        () -> JSON.readTree(ask(token, HttpRequest.newBuilder(api.resolve(path)))
                                        .body())
                                .path("verdict"),
                        JsonNode::isTextual)
                .asText();
    }

    private static String idOf(List<JsonNode> letters, String preview) {
        return letters.stream()
                .filter(letter -> letter.path("preview").asText().equals(preview))
                .findFirst()
                .orElseThrow()
                .path("id")
                .asText();
    }

    private static List<String> inputsOf(String key) {
        List<String> values = new ArrayList<>();
        int partitions;
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            partitions = consumer.partitionsFor(INPUT).size();
        }
        for (int partition = 0; partition < partitions; partition++) {
            committed(INPUT, partition, 0).stream()
                    .filter(record -> new String(record.key(), UTF_8).equals(key))
                    .forEach(record -> values.add(new String(record.value(), UTF_8)));
        }
        return values;
    }

    private static List<JsonNode> awaitLetters(URI api, String token, int count) {
        List<JsonNode> letters = new ArrayList<>();
        await().atMost(TIMEOUT).until(() -> {
            letters.clear();
            HttpResponse<String> answer = ask(token, HttpRequest.newBuilder(api.resolve("/v1/dead-letters")));
            StreamSupport.stream(JSON.readTree(answer.body()).path("items").spliterator(), false)
                    .filter(item -> List.of(BROKEN, FIRST, SECOND)
                            .contains(item.path("preview").asText()))
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

    private static KafkaRedriver redriver(int maxAttempts) {
        return redriver(maxAttempts, TIMEOUT);
    }

    private static KafkaRedriver redriver(int maxAttempts, Duration timeout) {
        return redriver(maxAttempts, timeout, false);
    }

    private static KafkaRedriver redriver(int maxAttempts, Duration timeout, boolean keyed) {
        return new KafkaRedriver(
                new KafkaRedriver.Settings(
                        StreamsSettings.clientSettings(environment.config()),
                        NAMES.deadLetters(),
                        NAMES.inputs(Protocols.STANDARD),
                        keyed,
                        TRANSACTIONS,
                        1 << 20,
                        maxAttempts,
                        timeout),
                new Topics(NAMES, serdes).redrive(),
                Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static Redriver.Order order() {
        return new Redriver.Order("token:ops", "fixed", UUID.randomUUID().toString());
    }

    private static List<RedriveItem> items(Redriver redriver, InputPosition... ids) {
        Map<InputPosition, DeadLetterRecord> letters =
                redriver.read(List.of(ids)).letters();
        return Stream.of(ids)
                .map(id -> new RedriveItem(letters.get(id), RedriveEdit.NONE, false))
                .toList();
    }

    private static List<RedriveResult> redrive(Redriver redriver, InputPosition... ids) {
        return redriver.redrive(items(redriver, ids), order());
    }

    private static InputPosition id(int partition, long offset) {
        return new InputPosition(DEAD, partition, offset);
    }

    private static InputPosition send(ProducerRecord<byte[], byte[]> letter) {
        try (KafkaProducer<byte[], byte[]> producer = plainProducer()) {
            return id(letter.partition(), producer.send(letter).get().offset());
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static ProducerRecord<byte[], byte[]> letter(int partition, String topic, long offset) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(DEAD, partition, ("key" + offset).getBytes(UTF_8), new byte[] {0, (byte) 0xFF, 1});
        letter.headers()
                .add("mine", null)
                .add("mine", new byte[] {(byte) 0xFE})
                .add("__streams.errors.topic", topic.getBytes(UTF_8))
                .add("__streams.errors.partition", "1".getBytes(UTF_8))
                .add("__streams.errors.offset", Long.toString(offset).getBytes(UTF_8))
                .add("parley.error.attempt", "1".getBytes(UTF_8));
        return letter;
    }

    private static KafkaProducer<byte[], byte[]> producer(String transactions) {
        return SharedCluster.transactionalProducer(transactions);
    }

    private static KafkaProducer<byte[], byte[]> plainProducer() {
        return new KafkaProducer<>(
                StreamsSettings.clientSettings(environment.config()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** The committed records from an offset on. */
    private static List<ConsumerRecord<byte[], byte[]>> committed(String topic, int partition, long from) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        TopicPartition input = new TopicPartition(topic, partition);
        long end = SharedCluster.committedEnd(input);
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(List.of(input));
            consumer.seek(input, from);
            while (consumer.position(input) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    private static long end(String topic, int partition) {
        return SharedCluster.committedEnd(new TopicPartition(topic, partition));
    }

    private static ConsumerRecord<byte[], byte[]> read(String topic, int partition, long offset) {
        return committed(topic, partition, offset).get(0);
    }

    private static KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                StreamsSettings.committedReader(StreamsSettings.clientSettings(environment.config())),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
