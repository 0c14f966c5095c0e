package dev.parley.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.TopicNames;
import dev.parley.server.api.HttpTest;
import dev.parley.server.http.AccessLog.Access;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaAccessLogTest {
    private static final int CAPACITY = 3;

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final KafkaAccessLog log =
            new KafkaAccessLog(TopicNames.DEFAULT.named(AccessLogFeature.TOPIC), producer, CAPACITY);

    @AfterEach
    void close() {
        while (producer.completeNext()) {
            // Acknowledges what the test left.
        }
        log.close();
    }

    private static Access access(String target, String conversation) {
        return new Access(Instant.parse("2026-01-31T12:00:00Z"), "alice", "reader", "/v1/x", target, conversation, 200);
    }

    @Test
    void anEntryHasWhoReadWhatAndWhen() {
        log.reserve().orElseThrow().accept(access("/v1/x?a=1", "default|SLIP|7"));

        await().until(() -> producer.history().size() == 1);
        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(record.topic()).isEqualTo(TopicNames.DEFAULT.named(AccessLogFeature.TOPIC));
        assertThat(HttpTest.parse(new String(record.value(), StandardCharsets.UTF_8)))
                .isEqualTo(HttpTest.parse("{\"time\":\"2026-01-31T12:00:00Z\",\"principal\":\"alice\","
                        + "\"role\":\"reader\",\"route\":\"/v1/x\",\"target\":\"/v1/x?a=1\","
                        + "\"conversation\":\"default|SLIP|7\",\"status\":200}"));
        assertThat(producer.completeNext()).isTrue();
    }

    @Test
    void thereIsNoRoomUntilTheBrokersAcknowledge() {
        for (int i = 0; i < CAPACITY; i++) {
            log.reserve().orElseThrow().accept(access("/v1/" + i, null));
        }
        assertThat(log.reserve()).isEmpty();
        await().until(() -> producer.history().size() == CAPACITY);
        assertThat(log.reserve()).isEmpty();

        assertThat(producer.completeNext()).isTrue();

        Optional<Consumer<Access>> entry = log.reserve();
        assertThat(entry).isPresent();
        assertThat(log.reserve()).isEmpty();
        entry.get().accept(access("/v1/late", null));
        await().until(() -> producer.history().size() == CAPACITY + 1);
    }

    @Test
    void anEntryThatTheBrokersRejectIsSentAgain() {
        log.reserve().orElseThrow().accept(access("/v1/x", null));
        await().until(() -> producer.history().size() == 1);

        assertThat(producer.errorNext(new TimeoutException("down"))).isTrue();

        await().until(() -> producer.history().size() == 2);
        List<ProducerRecord<byte[], byte[]>> sent = producer.history();
        assertThat(sent.get(1).value()).isEqualTo(sent.get(0).value());
    }

    /** Every name in an entry is chosen by a client. */
    @Test
    void anEntryIsBoundedWhateverTheRequest() {
        String huge = "\u0000".repeat(100_000);
        log.reserve().orElseThrow().accept(access(huge, huge));

        await().until(() -> producer.history().size() == 1);
        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(record.value().length).isLessThan(30_000);
        assertThat(record.key()).hasSize(32);
    }

    @Test
    void aClosedLogAcceptsNoReads() {
        log.close();

        assertThat(log.reserve()).isEmpty();
    }
}
