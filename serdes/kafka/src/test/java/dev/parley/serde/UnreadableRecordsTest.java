package dev.parley.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that unreadable bytes and an unavailable registry are distinguished, whatever an attacker writes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnreadableRecordsTest {
    private static final String TOPIC = "heads";

    /** A registry that responds like the real one, counts requests, and can be made to fail. */
    private static final class Registry extends MockSchemaRegistryClient {
        private final List<Integer> asked = new ArrayList<>();
        private Exception failure;

        @Override
        public ParsedSchema getSchemaBySubjectAndId(String subject, int id) throws IOException, RestClientException {
            asked.add(id);
            if (failure instanceof IOException network) {
                throw network;
            }
            if (failure instanceof RestClientException answer) {
                throw answer;
            }
            try {
                return super.getSchemaBySubjectAndId(subject, id);
            } catch (IOException e) {
                throw new RestClientException("Schema " + id + " not found", 404, 40403);
            }
        }
    }

    private final Registry registry = new Registry();
    private final Serde<AuditHead> serde = AvroSerdes.of(registry).values(AuditHead.class);

    private byte[] valid() {
        return serde.serializer().serialize(TOPIC, new AuditHead("origin", 0, 7L, Instant.EPOCH, "note"));
    }

    private void assertUnreadable(byte[] bytes) {
        assertThatThrownBy(() -> serde.deserializer().deserialize(TOPIC, bytes))
                .isInstanceOf(UnreadableRecordException.class)
                .satisfies(e -> assertThat(RegistryFailures.isUnavailable(e)).isFalse())
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_000));
    }

    @Test
    void everyPrefixOfARecordIsUnreadable() {
        byte[] valid = valid();
        for (int length = 0; length < valid.length; length++) {
            assertUnreadable(Arrays.copyOf(valid, length));
        }
    }

    @Test
    void anotherMagicByteIsUnreadable() {
        byte[] bytes = valid();
        bytes[0] = 1;
        assertUnreadable(bytes);
    }

    @Test
    void anotherRecordTypeIsUnreadable() {
        byte[] bytes = AvroSerdes.of(registry)
                .values(Accounting.class)
                .serializer()
                .serialize(
                        TOPIC, new Accounting("t", 1, 0L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null, -1, List.of()));
        assertUnreadable(bytes);
    }

    @Test
    void aClassOutsideParleyIsUnreadable() throws Exception {
        Schema foreign = Schema.createRecord(
                "URL", null, "java.net", false, List.of(new Schema.Field("x", Schema.create(Schema.Type.LONG))));
        assertUnreadable(bytes(foreign, encoder -> encoder.writeLong(1)));
    }

    private interface Encoding {
        void to(BinaryEncoder encoder) throws IOException;
    }

    private byte[] bytes(Schema writer, Encoding encoding) throws IOException, RestClientException {
        int id = registry.register(TOPIC + "-value", new AvroSchema(writer));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0);
        out.writeBytes(ByteBuffer.allocate(4).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        encoding.to(encoder);
        encoder.flush();
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {Integer.MAX_VALUE, Integer.MAX_VALUE - 8L, Long.MAX_VALUE, -1, Long.MIN_VALUE, 1 << 28})
    void aLengthBeyondTheRecordIsUnreadable(long length) throws Exception {
        assertUnreadable(bytes(AuditHead.getClassSchema(), encoder -> encoder.writeLong(length)));
        assertUnreadable(bytes(AuditHead.getClassSchema(), encoder -> {
            encoder.writeString("chain");
            encoder.writeLong(1);
            encoder.writeLong(length);
        }));
    }

    /** The schema of a head with an additional first field. */
    private static Schema with(Schema extra) {
        List<Schema.Field> fields = new ArrayList<>();
        fields.add(new Schema.Field("extra", extra));
        AuditHead.getClassSchema().getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
        return Schema.createRecord("AuditHead", null, "dev.parley.avro", false, fields);
    }

    static Stream<Schema> elementsWithoutBytes() {
        Schema nothing = Schema.create(Schema.Type.NULL);
        return Stream.of(
                Schema.createArray(nothing),
                Schema.createArray(Schema.createRecord("Empty", null, "x", false, List.of())),
                Schema.createArray(Schema.createFixed("None", null, "x", 0)));
    }

    @ParameterizedTest
    @MethodSource("elementsWithoutBytes")
    void elementsWithoutBytesCostNoTimeOrMemory(Schema array) throws Exception {
        byte[] bytes = bytes(with(array), encoder -> {
            for (int block = 0; block < 1_000; block++) {
                encoder.writeLong(Integer.MAX_VALUE - 8L);
            }
        });
        // Reading the elements would take hours.
        assertUnreadable(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {Integer.MAX_VALUE, Integer.MAX_VALUE - 8L, 100_000_000})
    void aCountOfItemsBeyondTheRecordIsUnreadable(long count) throws Exception {
        Serde<AuditRecord> records = AvroSerdes.of(registry).values(AuditRecord.class);
        Schema strings = Schema.createArray(Schema.create(Schema.Type.STRING));
        assertUnreadable(bytes(with(strings), encoder -> encoder.writeLong(count)));
        assertUnreadable(
                bytes(with(Schema.createMap(Schema.create(Schema.Type.LONG))), encoder -> encoder.writeLong(count)));
        Schema only = Schema.createRecord(
                "AuditRecord",
                null,
                "dev.parley.avro",
                false,
                List.of(new Schema.Field("warnings", strings, null, List.of())));
        assertThatThrownBy(() ->
                        records.deserializer().deserialize(TOPIC, bytes(only, encoder -> encoder.writeLong(count))))
                .isInstanceOf(UnreadableRecordException.class);
    }

    /** A list that the reader must skip: each element takes one byte of data and one stack frame. */
    @Test
    void aRecordOfDeepNestingIsUnreadable() throws Exception {
        Schema node = Schema.createRecord("Node", null, "x", false);
        node.setFields(List.of(
                new Schema.Field("next", Schema.createUnion(Schema.create(Schema.Type.NULL), node), null, null)));
        assertUnreadable(bytes(with(node), encoder -> {
            for (int depth = 0; depth < 500_000; depth++) {
                encoder.writeIndex(1);
            }
            encoder.writeIndex(0);
        }));
    }

    @Test
    void anInfinitelyRecursiveSchemaIsUnreadable() throws Exception {
        Schema endless = Schema.createRecord("Endless", null, "x", false);
        endless.setFields(List.of(new Schema.Field("self", endless)));
        assertUnreadable(bytes(with(endless), encoder -> {}));
    }

    @Test
    void anUnknownSchemaIsUnreadableWithoutARequestPerRecord() {
        byte[] bytes = valid();
        ByteBuffer.wrap(bytes, 1, 4).putInt(4_711);
        registry.asked.clear();
        for (int time = 0; time < 1_000; time++) {
            assertUnreadable(bytes);
        }
        // Once, and once per second of the test.
        assertThat(registry.asked).hasSizeLessThan(60);
        ByteBuffer.wrap(bytes, 1, 4).putInt(-1);
        registry.asked.clear();
        assertUnreadable(bytes);
        assertThat(registry.asked).isEmpty();
    }

    @Test
    void memoryForUnknownSchemasIsBounded() {
        WriterSchemas schemas = new WriterSchemas(registry);
        IntStream.range(0, WriterSchemas.MAX_MISSING * 3)
                .forEach(id -> assertThatThrownBy(() -> schemas.require(TOPIC, 1_000_000 + id))
                        .isInstanceOf(UnreadableRecordException.class));
        assertThat(schemas.remembered()).isLessThanOrEqualTo(WriterSchemas.MAX_MISSING);
    }

    @Test
    void readersAreKeptForABoundedNumberOfWriterSchemas() throws Exception {
        List<byte[]> values = new ArrayList<>();
        for (int size = 1; size <= CheckedDeserializer.MAX_READERS + 1; size++) {
            byte[] extra = new byte[size];
            values.add(bytes(with(Schema.createFixed("Extra", null, "x", size)), encoder -> {
                encoder.writeFixed(extra);
                encoder.writeString("origin");
                encoder.writeInt(0);
                encoder.writeLong(7);
                encoder.writeLong(0);
                encoder.writeString("note");
            }));
        }
        registry.asked.clear();
        for (byte[] value : values) {
            assertThat(serde.deserializer().deserialize(TOPIC, value).getSize()).isEqualTo(7);
        }
        assertThat(registry.asked).hasSize(values.size()).doesNotHaveDuplicates();
        serde.deserializer().deserialize(TOPIC, values.get(values.size() - 1));
        assertThat(registry.asked).as("the last reader is kept").hasSize(values.size());
        serde.deserializer().deserialize(TOPIC, values.get(0));
        assertThat(registry.asked).as("the first reader is not").hasSize(values.size() + 1);
    }

    static Stream<Exception> outages() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new java.net.SocketTimeoutException("Read timed out"),
                new java.net.UnknownHostException("registry"),
                new IOException("Premature EOF"),
                new java.io.EOFException("of the registry's answer"),
                new RestClientException("Internal", 500, 50001),
                new RestClientException("Bad gateway", 502, 502),
                new RestClientException("Unavailable", 503, 50003),
                new RestClientException("Slow down", 429, 429),
                new RestClientException("Who are you", 401, 40101),
                new RestClientException("You may not", 403, 40301),
                new RestClientException("a proxy's page", 404, 50005));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void anUnavailableRegistryIsNotAFaultOfTheRecord(Exception failure) {
        byte[] bytes = valid();
        Serde<AuditHead> fresh = AvroSerdes.of(registry).values(AuditHead.class);
        registry.failure = failure;
        assertThatThrownBy(() -> fresh.deserializer().deserialize(TOPIC, bytes))
                .isInstanceOf(SerializationException.class)
                .isNotInstanceOf(UnreadableRecordException.class)
                .satisfies(e -> assertThat(RegistryFailures.isUnavailable(e)).isTrue());
        registry.failure = null;
        assertThat(fresh.deserializer().deserialize(TOPIC, bytes).getOrigin()).isEqualTo("origin");
    }
}
