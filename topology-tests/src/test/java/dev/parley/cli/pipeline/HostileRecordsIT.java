package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.environment.TopicAssertions;
import dev.parley.cli.transcript.Transcript;
import dev.parley.protocol.TopicNames;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brokers limit compressed batches, so an agent chooses how large a record is once it is read. Records of any size get
 * a verdict, and stop nothing.
 */
@Tag("long")
class HostileRecordsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int BOMB_BYTES = 40 << 20;
    private static final int HEADER_BYTES = 20 << 20;
    private static final int HEADER_COUNT = 100_000;

    /** The values of this many messages together exceed the largest record. */
    private static final int LONG_MESSAGES = 45;

    private static final int NAME_BYTES = 300_000;
    private static final Set<String> TOO_LARGE = Set.of("MESSAGE_TOO_LARGE", "KEY_TOO_LARGE", "HEADERS_TOO_LARGE");

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;
    private static ParleyConfig config;
    private static Application application;
    private static ApiClient api;
    private static long sent;

    @BeforeAll
    static void start() throws Exception {
        environment = EmbeddedEnvironment.open(directory);
        config = environment.config(Map.of(ParleyConfig.RECORD_BYTES, 1 << 20));
        application = Application.start(config);
        api = RunningParley.ready(application.uri(), TIMEOUT);
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        environment.close();
    }

    @Test
    void highlyCompressedRecordsGetVerdictsAmongHonestOnesOfTheirPartition() throws Exception {
        TopicAssertions topics = accounted(attack(config));

        assertThat(StreamSupport.stream(
                                api.get("/v1/dead-letters?stage=decode&limit=1000", JsonNode.class)
                                        .path("items")
                                        .spliterator(),
                                false)
                        .map(item -> item.path("code").asText())
                        .filter(TOO_LARGE::contains))
                .hasSize(5);
        assertThat(topics.audit())
                .extracting(AuditRecord::getCode)
                .filteredOn(code -> code != null && TOO_LARGE.contains(code))
                .containsExactlyInAnyOrder(
                        "MESSAGE_TOO_LARGE",
                        "MESSAGE_TOO_LARGE",
                        "KEY_TOO_LARGE",
                        "HEADERS_TOO_LARGE",
                        "HEADERS_TOO_LARGE");
        assertThat(topics.audit())
                .filteredOn(record ->
                        record.getMessage() != null && record.getMessage().getSlip() != null)
                .extracting(record ->
                        tuple(record.getCode(), record.getMessage().getSlip().getTurn()))
                .containsExactly(
                        tuple(null, 1L),
                        tuple(null, 2L),
                        tuple(null, 3L),
                        tuple(null, 4L),
                        tuple(null, 5L),
                        tuple(null, 6L));
    }

    /**
     * Agents choose the length of their names and values. Parley's records of them must not exceed the limit of a
     * broker, or the pipeline would stop at the same message for ever.
     */
    @Test
    void longNamesAndValuesInOneConversationDoNotStopThePipeline() throws Exception {
        assertThat((long) LONG_MESSAGES * NAME_BYTES).isGreaterThan(config.outputRecordBytes());
        List<Transcript.Line> lines = lines();
        RunningParley.send(config, lines);

        accounted(lines.size());

        assertThat(api.get("/v1/dead-letters?code=CSP_STATE_TOO_LARGE", JsonNode.class)
                        .path("items"))
                .isNotEmpty();
    }

    /** Waits until these messages and all earlier ones have an outcome, and checks the topics. */
    private static TopicAssertions accounted(int messages) throws Exception {
        sent += messages;
        RunningParley.awaitAccounted(api, sent, TIMEOUT);
        assertThat(api.get("/v1/accounting", JsonNode.class).path("balanced").asBoolean())
                .isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.matches("parley-[0-9a-f-]+-StreamThread-[2-9]"));
        return environment
                .topics()
                .nothingIsLostAndNothingIsTwice()
                .everyChainVerifies()
                .everyDeadLetterIsItsInput();
    }

    private static List<Transcript.Line> lines() {
        List<Transcript.Line> lines = new ArrayList<>();
        for (int i = 0; i < LONG_MESSAGES; i++) {
            lines.add(line("tasks", "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK " + name(i) + "\nREQ x"));
            lines.add(line("terms", "{def:d" + i + "=" + name(i) + "}!Ik"));
            lines.add(line(
                    "patches",
                    "CSP/1\nFROM A\nTO B\nCTX C" + i + "\nINTENT PATCH\n\nPATCH P" + i + "\nBASE C" + Math.min(i, 10)
                            + "\n+ DEF D" + i + " = " + name(i) + "\nAPPLY -> C" + (i + 1)));
        }
        return lines;
    }

    private static String name(int number) {
        return "n" + number + "x".repeat(NAME_BYTES);
    }

    private static Transcript.Line line(String conversation, String wire) {
        return new Transcript.Line(
                conversation.getBytes(UTF_8), Map.of(), wire.getBytes(UTF_8), null, null, Optional.empty());
    }

    private static int attack(ParleyConfig config) throws Exception {
        try (KafkaProducer<byte[], byte[]> gzip = producer(config, "gzip");
                KafkaProducer<byte[], byte[]> zstd = producer(config, "zstd")) {
            ProducerRecord<byte[], byte[]> manyHeaders = record(null, Wires.slip(7, 1));
            for (int i = 0; i < HEADER_COUNT; i++) {
                manyHeaders.headers().add("h", new byte[] {'x'});
            }
            ProducerRecord<byte[], byte[]> largeHeader = record(null, Wires.slip(7, 1));
            largeHeader.headers().add("traceparent", new byte[HEADER_BYTES]);
            List<ProducerRecord<byte[], byte[]>> bombs = List.of(
                    record(null, new byte[BOMB_BYTES]),
                    record("bomb".getBytes(UTF_8), new byte[BOMB_BYTES]),
                    record(new byte[HEADER_BYTES], Wires.slip(7, 1)),
                    manyHeaders,
                    largeHeader);
            int turn = 1;
            for (ProducerRecord<byte[], byte[]> bomb : bombs) {
                gzip.send(record(null, Wires.slip(3, turn++))).get();
                (bombs.indexOf(bomb) % 2 == 0 ? gzip : zstd).send(bomb).get();
            }
            gzip.send(record(null, Wires.slip(3, turn++))).get();
            return bombs.size() + turn - 1;
        }
    }

    private static ProducerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
        return new ProducerRecord<>(TopicNames.DEFAULT.wire(), 0, key, value);
    }

    private static KafkaProducer<byte[], byte[]> producer(ParleyConfig config, String compression) {
        Map<String, Object> settings = new HashMap<>(StreamsSettings.clientSettings(config));
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 100 << 20);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 200L << 20);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Wire forms. */
    private static final class Wires {
        /** An INFORM-like nSLIP observation: legal on every turn. */
        static byte[] slip(int conversation, int turn) {
            return ("@a0|f2|c" + conversation + "|S0|d1|T" + turn + "#").getBytes(UTF_8);
        }
    }
}
