package dev.parley.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Source;
import dev.parley.serde.AvroSerdes;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.testutil.MockSchemaRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;
import org.junit.jupiter.api.Test;

class AvroConverterTest {
    private static final String TOPIC = "topic";
    private static final Instant TIME = Instant.parse("2026-01-31T10:00:00.123Z");

    private final String scope = UUID.randomUUID().toString();

    @Test
    void recordsBecomeStructsWithTheirNestedValues() {
        Struct struct = convert(checkpoint("GOAL"), Map.of());

        assertThat(struct.schema().name()).isEqualTo("dev.parley.avro.Checkpoint");
        assertThat(struct.getString("parent")).isNull();
        assertThat(struct.schema().field("parent").schema().isOptional()).isTrue();
        assertThat(struct.getBytes("hash")).containsExactly(1, 2);
        assertThat(struct.getInt64("depth")).isEqualTo(3);
        assertThat(struct.getMap("snapshot")).isEqualTo(Map.of("GOAL", "ship"));
        assertThat(struct.getArray("setters")).isEqualTo(List.of(7L));
        Struct operation = (Struct) struct.getArray("operations").get(0);
        assertThat(operation.getString("operator")).isEqualTo("CHANGE");
        assertThat(operation.get("value")).isNull();
        Struct source = struct.getStruct("source");
        assertThat(source.getInt32("partition")).isEqualTo(1);
        assertThat(source.get("timestamp")).isEqualTo(Date.from(TIME));
        assertThat(source.get("producerTime")).isNull();
        assertThat(struct.getStruct("releasedBy")).isNull();
        struct.validate();
    }

    @Test
    void nestedValuesBecomeJsonIfConfigured() {
        Struct struct = convert(checkpoint("GOAL"), Map.of(AvroConverter.NESTED, "json"));

        assertThat(struct.getString("operations"))
                .isEqualTo("[{\"operator\":\"CHANGE\",\"name\":\"GOAL\",\"value\":null}]");
        assertThat(struct.getString("snapshot")).isEqualTo("{\"GOAL\":\"ship\"}");
        assertThat(struct.getString("source"))
                .isEqualTo("{\"topic\":\"parley.wire\",\"partition\":1,\"offset\":2,"
                        + "\"timestamp\":\"2026-01-31T10:00:00.123Z\",\"producerTime\":null}");
        assertThat(struct.get("releasedBy")).isNull();
        assertThat(struct.schema().field("source").schema().name()).isEqualTo("io.debezium.data.Json");
        assertThat(struct.getArray("setters"))
                .as("an array of numbers stays one")
                .isEqualTo(List.of(7L));
        assertThat(struct.getBytes("hash")).containsExactly(1, 2);
    }

    @Test
    void bytesInJsonAreHexadecimal() {
        AuditRecord record = AuditRecord.newBuilder()
                .setChain("c")
                .setSequence(0)
                .setHash(ByteBuffer.allocate(1))
                .setPreviousHash(ByteBuffer.allocate(1))
                .setSource(source())
                .setPayloadHash(ByteBuffer.allocate(1))
                .setVerdict("UNDECODABLE")
                .setProfile("LENIENT")
                .setContentHash(ByteBuffer.allocate(1))
                .setLog(new LogPosition(0, 0L))
                .setRules("1")
                .setOmitted(dev.parley.avro.Omitted.newBuilder()
                        .setSha256(ByteBuffer.wrap(new byte[] {(byte) 0xab, 1}))
                        .build())
                .build();

        assertThat(convert(record, Map.of(AvroConverter.NESTED, "json")).getString("omitted"))
                .startsWith("{\"sha256\":\"ab01\",");
    }

    @Test
    void nulCharactersAreReplacedOnlyIfConfigured() {
        for (String nested : List.of("struct", "json")) {
            assertThat(convert(checkpoint("a\0b"), Map.of(AvroConverter.NESTED, nested))
                            .getString("context"))
                    .isEqualTo("a\0b");
            Struct replaced = convert(
                    checkpoint("a\0b"), Map.of(AvroConverter.NESTED, nested, AvroConverter.REPLACE_NUL, "true"));
            assertThat(replaced.getString("context")).isEqualTo("a\uFFFDb");
            assertThat(replaced.get("snapshot").toString()).contains("a\uFFFDb").doesNotContain("\\u0000", "\0");
            assertThat(replaced.get("operations").toString())
                    .contains("a\uFFFDb")
                    .doesNotContain("\\u0000", "\0");
        }
    }

    @Test
    void tombstonesStayNull() {
        assertThat(converter(Map.of()).toConnectData(TOPIC, null)).isEqualTo(SchemaAndValue.NULL);
    }

    @Test
    void recordsOfTheSameSchemaShareTheConnectSchema() {
        AvroConverter converter = converter(Map.of());
        byte[] bytes = bytes(checkpoint("GOAL"));

        assertThat(converter.toConnectData(TOPIC, bytes).schema())
                .isSameAs(converter.toConnectData(TOPIC, bytes).schema());
    }

    @Test
    void unreadableBytesAreReportedAndNotRetried() {
        byte[] valid = bytes(checkpoint("GOAL"));
        AvroConverter converter = converter(Map.of());
        for (int length = 0; length < valid.length; length++) {
            byte[] truncated = Arrays.copyOf(valid, length);
            assertThatThrownBy(() -> converter.toConnectData(TOPIC, truncated))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining(TOPIC);
        }
        assertThatThrownBy(() -> converter.toConnectData(TOPIC, "{\"json\":1}".getBytes(UTF_8)))
                .isInstanceOf(DataException.class);
    }

    @Test
    void schemasThatConnectCannotRepresentAreReported() throws Exception {
        requireRefused("{\"type\":\"record\",\"name\":\"R\",\"fields\":["
                + "{\"name\":\"next\",\"type\":[\"null\",\"R\"],\"default\":null}]}");
        requireRefused("{\"type\":\"record\",\"name\":\"R\",\"fields\":["
                + "{\"name\":\"f\",\"type\":[\"null\",\"int\",\"string\"],\"default\":null}]}");
    }

    private void requireRefused(String schema) throws Exception {
        Schema parsed = new Schema.Parser().parse(schema);
        GenericRecord record = new GenericData.Record(parsed);
        int id = MockSchemaRegistry.getClientForScope(scope).register(TOPIC + "-value", new AvroSchema(parsed));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(parsed).write(record, encoder);
        encoder.flush();
        byte[] bytes = out.toByteArray();
        assertThatThrownBy(() -> converter(Map.of()).toConnectData(TOPIC, bytes))
                .isInstanceOf(DataException.class);
    }

    @Test
    void anUnavailableRegistryIsRetried() {
        AvroConverter converter = new AvroConverter();
        converter.configure(Map.of("schema.registry.url", "http://127.0.0.1:1", "max.retries", "0"), false);

        assertThatThrownBy(() -> converter.toConnectData(TOPIC, new byte[] {0, 0, 0, 0, 1, 2}))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining("registry");
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> new AvroConverter().configure(Map.of(), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("schema.registry.url");
        assertThatThrownBy(() -> converter(Map.of(AvroConverter.NESTED, "xml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(AvroConverter.NESTED);
        assertThatThrownBy(() -> new AvroConverter().configure(Map.of("schema.registry.url", "mock://x"), true))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("StringConverter");
    }

    @Test
    void itOnlyReads() {
        assertThatThrownBy(() -> converter(Map.of()).fromConnectData(TOPIC, null, "text"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("only reads");
    }

    @Test
    void connectFindsItAsAService() {
        assertThat(ServiceLoader.load(Converter.class).stream()
                        .map(provider -> provider.type().getSimpleName()))
                .contains("AvroConverter");
    }

    @Test
    void aThousandSchemasKeepFewInMemory() {
        AvroData data = new AvroData(false, false);
        for (int i = 0; i < 1_000; i++) {
            Schema schema = Schema.createRecord("R" + i, null, null, false, List.of());
            data.toConnect(new GenericData.Record(schema));
        }
        assertThat(data.cached()).isLessThanOrEqualTo(AvroData.MAX_SCHEMAS);
    }

    private Struct convert(SpecificRecord record, Map<String, String> settings) {
        return (Struct) converter(settings).toConnectData(TOPIC, bytes(record)).value();
    }

    private AvroConverter converter(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("schema.registry.url", "mock://" + scope);
        AvroConverter converter = new AvroConverter();
        converter.configure(all, false);
        return converter;
    }

    @SuppressWarnings("unchecked")
    private <T extends SpecificRecord> byte[] bytes(T record) {
        AvroSerdes serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + scope));
        return serdes.values((Class<T>) record.getClass()).serializer().serialize(TOPIC, record);
    }

    private static Source source() {
        return new Source("parley.wire", 1, 2L, TIME, null);
    }

    private static Checkpoint checkpoint(String name) {
        return Checkpoint.newBuilder()
                .setNamespace("n")
                .setContext(name)
                .setId("C1")
                .setPatchHash(ByteBuffer.allocate(0))
                .setOperations(List.of(new CspOperation(CspOperator.CHANGE, name, null)))
                .setSource(source())
                .setOrdinal(1)
                .setDepth(3)
                .setHash(ByteBuffer.wrap(new byte[] {1, 2}))
                .setStateBytes(8)
                .setDeltaBytes(9)
                .setSnapshot(Map.of(name, "ship"))
                .setSetters(List.of(7L))
                .build();
    }
}
