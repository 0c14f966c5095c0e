package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.environment.TopicAssertions;
import dev.parley.protocol.TopicNames;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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

    @TempDir
    private Path directory;

    @Test
    void highlyCompressedRecordsGetVerdictsAmongHonestOnesOfTheirPartition() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory)) {
            ParleyConfig config = embeddedEnvironment.config();
            try (Application application = Application.start(config)) {
                ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
                int sent = attack(config);

                RunningParley.awaitAccounted(apiClient, sent, TIMEOUT);
                assertThat(apiClient.get("/v1/accounting").path("balanced").asBoolean())
                        .isTrue();
                assertThat(apiClient.get("/v1/dead-letters").path("items")).hasSize(5);
                assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.matches("parley-[0-9a-f-]+-StreamThread-[2-9]"));
            }
            TopicAssertions topicAssertions = embeddedEnvironment
                    .topics()
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
            assertThat(topicAssertions.audit())
                    .filteredOn(record -> record.getCode() != null)
                    .extracting(AuditRecord::getCode)
                    .containsExactlyInAnyOrder(
                            "MESSAGE_TOO_LARGE",
                            "MESSAGE_TOO_LARGE",
                            "KEY_TOO_LARGE",
                            "HEADERS_TOO_LARGE",
                            "HEADERS_TOO_LARGE");
            assertThat(topicAssertions.audit())
                    .filteredOn(record -> record.getCode() == null)
                    .extracting(record -> record.getMessage().getSlip().getTurn())
                    .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        }
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
