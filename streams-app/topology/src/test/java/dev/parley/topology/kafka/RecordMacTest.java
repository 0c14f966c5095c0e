package dev.parley.topology.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordMacTest {
    private static final String REPARTITION = "parley-by-conversation-repartition";
    private static final String CHANGELOG = "parley-views-messages-changelog";
    private static final String ACCOUNTING = "parley.accounting.v1";
    private static final String REQUESTS = "parley.redaction.v1";
    private static final byte[] KEY = "k".getBytes(UTF_8);
    private static final byte[] VALUE = "value".getBytes(UTF_8);

    private static RecordMac mac(String... secrets) {
        return new RecordMac(
                "parley",
                Set.of(ACCOUNTING),
                REQUESTS,
                Stream.of(secrets).map(secret -> secret.getBytes(UTF_8)).toList());
    }

    /** A record as the producer sends it. */
    private static ConsumerRecord<byte[], byte[]> sent(
            RecordMac mac, String topic, Integer partition, byte[] key, byte[] value, Header... headers) {
        MacProducerInterceptor interceptor = new MacProducerInterceptor();
        interceptor.configure(Map.of(RecordMac.CONFIG, mac));
        ProducerRecord<byte[], byte[]> record = interceptor.onSend(
                new ProducerRecord<>(topic, partition, 1_000L, key, value, new RecordHeaders(headers)));
        return read(topic, partition == null ? 0 : partition, 1_000, key, value, record.headers());
    }

    private static ConsumerRecord<byte[], byte[]> read(
            String topic, int partition, long timestamp, byte[] key, byte[] value, Headers headers) {
        return new ConsumerRecord<>(
                topic,
                partition,
                5,
                timestamp,
                TimestampType.CREATE_TIME,
                0,
                0,
                key,
                value,
                new RecordHeaders(headers),
                Optional.empty());
    }

    /** The record as the application gets it. */
    private static ConsumerRecord<byte[], byte[]> consumed(RecordMac mac, ConsumerRecord<byte[], byte[]> record) {
        MacConsumerInterceptor interceptor = new MacConsumerInterceptor();
        interceptor.configure(Map.of(RecordMac.CONFIG, mac));
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Map<TopicPartition, OffsetAndMetadata> next = Map.of(partition, new OffsetAndMetadata(6));
        ConsumerRecords<byte[], byte[]> records =
                interceptor.onConsume(new ConsumerRecords<>(Map.of(partition, List.of(record)), next));
        assertThat(records.nextOffsets()).isEqualTo(next);
        return records.iterator().next();
    }

    @ParameterizedTest
    @ValueSource(strings = {REPARTITION, CHANGELOG, ACCOUNTING, REQUESTS})
    void whatAnInstanceWroteIsReadAsItWas(String topic) {
        RecordMac mac = mac("secret");
        Integer partition = topic.equals(ACCOUNTING) || topic.equals(REQUESTS) ? null : Integer.valueOf(3);
        Header[] headers = {new RecordHeader("x", VALUE), new RecordHeader("y", null)};

        ConsumerRecord<byte[], byte[]> record = consumed(mac, sent(mac, topic, partition, KEY, VALUE, headers));

        assertThat(record.value()).isEqualTo(VALUE);
        assertThat(record.headers().toArray()).containsExactly(headers);
    }

    @Test
    void aTombstoneHasACodeToo() {
        RecordMac mac = mac("secret");

        assertThat(consumed(mac, sent(mac, CHANGELOG, 3, KEY, null)).value()).isNull();
        assertThat(consumed(mac, read(CHANGELOG, 3, 1_000, KEY, null, new RecordHeaders()))
                        .value())
                .isEqualTo(UnreadableValues.refused());
    }

    @Test
    void aHeaderOfTheSameNameThatAnAgentSentStaysInItsPlace() {
        RecordMac mac = mac("secret");
        Header[] headers = {new RecordHeader(RecordMac.HEADER, VALUE), new RecordHeader("x", VALUE)};

        ConsumerRecord<byte[], byte[]> record = consumed(mac, sent(mac, REPARTITION, 3, KEY, VALUE, headers));

        assertThat(record.headers().toArray()).containsExactly(headers);
    }

    @Test
    void aRequestWithoutAValidCodeKeepsItsValueAndIsMarked() {
        ConsumerRecord<byte[], byte[]> record = consumed(mac("secret"), sent(mac("other"), REQUESTS, null, KEY, VALUE));

        assertThat(record.value()).isEqualTo(VALUE);
        assertThat(record.headers().lastHeader(RecordMac.HEADER).value()).isEqualTo(UnreadableValues.refused());
    }

    @Test
    void othersTopicsAreNotTouched() {
        RecordMac mac = mac("secret");
        for (String topic : List.of("parley.wire", "parley2-x-changelog", "agents-changelog", "parley.audit.v1")) {
            ConsumerRecord<byte[], byte[]> record = sent(mac, topic, 3, KEY, VALUE);
            assertThat(record.headers()).isEmpty();
            assertThat(consumed(mac, record)).isSameAs(record);
        }
    }

    record Change(String name, UnaryOperator<ConsumerRecord<byte[], byte[]>> change) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Change> changes() {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change(
                "topic",
                r -> read("parley-other-by-conversation-repartition", 3, 1_000, r.key(), r.value(), r.headers())));
        changes.add(new Change("partition", r -> read(r.topic(), 4, 1_000, r.key(), r.value(), r.headers())));
        changes.add(new Change("time", r -> read(r.topic(), 3, 999, r.key(), r.value(), r.headers())));
        changes.add(new Change("key", r -> read(r.topic(), 3, 1_000, VALUE, r.value(), r.headers())));
        changes.add(new Change("no key", r -> read(r.topic(), 3, 1_000, null, r.value(), r.headers())));
        changes.add(new Change("value", r -> read(r.topic(), 3, 1_000, r.key(), KEY, r.headers())));
        changes.add(new Change("no value", r -> read(r.topic(), 3, 1_000, r.key(), null, r.headers())));
        changes.add(new Change("no headers", r -> with(r, new RecordHeaders())));
        changes.add(new Change("another header", r -> {
            Headers headers = new RecordHeaders(new Header[] {new RecordHeader("x", KEY)});
            headers.add(r.headers().lastHeader(RecordMac.HEADER));
            return with(r, headers);
        }));
        changes.add(new Change("a header more", r -> with(r, new RecordHeaders(r.headers()).add("x", KEY))));
        for (int i = 0; i < 24; i++) {
            int at = i;
            changes.add(new Change("byte " + i + " of the code", r -> {
                byte[] code = r.headers().lastHeader(RecordMac.HEADER).value().clone();
                code[at] ^= 1;
                return with(r, new RecordHeaders(new Header[] {new RecordHeader(RecordMac.HEADER, code)}));
            }));
        }
        changes.add(new Change(
                "a code without bytes",
                r -> with(r, new RecordHeaders(new Header[] {new RecordHeader(RecordMac.HEADER, null)}))));
        changes.add(new Change(
                "a short code",
                r -> with(r, new RecordHeaders(new Header[] {new RecordHeader(RecordMac.HEADER, new byte[23])}))));
        return changes.stream();
    }

    private static ConsumerRecord<byte[], byte[]> with(ConsumerRecord<byte[], byte[]> record, Headers headers) {
        return read(record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), headers);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void noChangedRecordIsAccepted(Change change) {
        RecordMac mac = mac("secret");
        long reported = UnreadableValues.total();

        assertThat(consumed(mac, change.change().apply(sent(mac, REPARTITION, 3, KEY, VALUE)))
                        .value())
                .isEqualTo(UnreadableValues.refused());

        assertThat(UnreadableValues.total()).isEqualTo(reported + 1);
    }

    @Test
    void theFirstKeyWritesAndAllVerify() {
        ConsumerRecord<byte[], byte[]> old = sent(mac("old"), CHANGELOG, 3, KEY, VALUE);
        ConsumerRecord<byte[], byte[]> both = sent(mac("new", "old"), CHANGELOG, 3, KEY, VALUE);

        assertThat(consumed(mac("new", "old"), old).value()).isEqualTo(VALUE);
        assertThat(consumed(mac("new"), both).value()).isEqualTo(VALUE);
        assertThat(consumed(mac("new"), sent(mac("old"), CHANGELOG, 3, KEY, VALUE))
                        .value())
                .isEqualTo(UnreadableValues.refused());
    }
}
