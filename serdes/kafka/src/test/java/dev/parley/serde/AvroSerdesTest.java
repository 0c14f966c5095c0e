package dev.parley.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.avro.SlipTurn;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.confluent.kafka.serializers.KafkaAvroSerializer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AvroSerdesTest {
    private static final Instant WHEN = Instant.ofEpochMilli(1_767_225_600_123L);
    private static final Source SOURCE = Source.newBuilder()
            .setTopic("parley.wire")
            .setPartition(3)
            .setOffset(41)
            .setTimestamp(WHEN)
            .build();

    private final MockSchemaRegistryClient registry = new MockSchemaRegistryClient();
    private final AvroSerdes serdes = AvroSerdes.of(registry);

    @Test
    void aRecordRoundTripsAsItsGeneratedClass() {
        Serde<AuditRecord> serde = serdes.values(AuditRecord.class);

        byte[] bytes = serde.serializer().serialize("audit", auditRecord());
        AuditRecord read = serde.deserializer().deserialize("audit", bytes);

        assertThat(read).isEqualTo(auditRecord());
    }

    @Test
    void aTimestampIsAnInstantAtEveryDepth() {
        Serde<AuditRecord> audit = serdes.values(AuditRecord.class);
        Serde<TrafficCount> traffic = serdes.values(TrafficCount.class);

        AuditRecord record =
                audit.deserializer().deserialize("audit", audit.serializer().serialize("audit", auditRecord()));
        TrafficCount count = traffic.deserializer()
                .deserialize("traffic", traffic.serializer().serialize("traffic", trafficCount()));

        assertThat(record.getSource().getTimestamp()).isEqualTo(WHEN);
        assertThat(record.getMessage().getSource().getTimestamp()).isEqualTo(WHEN);
        assertThat(count.getWindowStart()).isEqualTo(WHEN);
    }

    @Test
    void aRecentValueIsNotReadAgainAndHasTheSameBytes() {
        Serde<DialogueState> recent = serdes.recentValues(DialogueState.class);
        Serde<DialogueState> plain = serdes.values(DialogueState.class);
        DialogueState state = state(0);
        for (long turn = 1; turn < 100; turn++) {
            byte[] bytes = recent.serializer().serialize("states", state);
            DialogueState read = recent.deserializer().deserialize("states", bytes);

            assertThat(read).isSameAs(state);
            assertThat(bytes).isEqualTo(plain.serializer().serialize("states", state));
            assertThat(recent.deserializer().deserialize("states", bytes.clone()))
                    .isEqualTo(state)
                    .isNotSameAs(state);
            state = after(read, turn);
        }
    }

    @Test
    void recentValuesTakeBoundedMemory() {
        Serde<DialogueState> recent = serdes.recentValues(DialogueState.class);
        DialogueState state = state(RecentValues.MAX_BYTES / 4 / 20);
        List<byte[]> encodings = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            encodings.add(recent.serializer().serialize("states", state));
        }
        assertThat(encodings.get(0)).hasSizeGreaterThan(RecentValues.MAX_BYTES / 8);
        // The latest first, because a value that is read takes the place of others.
        Collections.reverse(encodings);

        long kept = encodings.stream()
                .filter(bytes -> recent.deserializer().deserialize("states", bytes) == state)
                .count();

        assertThat(kept).isBetween(1L, 7L);
    }

    @Test
    void versionsThatWereReplacedDoNotTakeTheRoomOfOtherValues() {
        Serde<DialogueState> recent = serdes.recentValues(DialogueState.class);
        DialogueState other = state(1);
        List<byte[]> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(recent.serializer().serialize("states", other));
        }
        DialogueState state = state(RecentValues.MAX_BYTES / 4 / 20);
        for (int turn = 1; turn <= 8; turn++) {
            byte[] bytes = recent.serializer().serialize("states", state);
            state = after(recent.deserializer().deserialize("states", bytes), turn);
        }

        // Few may have lost their place to another value.
        assertThat(others)
                .filteredOn(bytes -> recent.deserializer().deserialize("states", bytes) == other)
                .hasSizeGreaterThan(10);
    }

    /** A SLIP conversation with many tasks. */
    private static DialogueState state(int tasks) {
        List<SlipTask> open = new ArrayList<>();
        for (long task = 0; task < tasks; task++) {
            open.add(new SlipTask(task << 40, SlipTaskState.ACCEPTED, task << 40, null, List.of()));
        }
        return state(0, open);
    }

    private static DialogueState state(long turn, List<SlipTask> tasks) {
        SlipDialogue slip = new SlipDialogue(List.of(new SlipTurn(turn, ByteBuffer.wrap(new byte[16]), true)), tasks);
        return new DialogueState(
                turn, ByteBuffer.wrap(new byte[32]), turn, false, slip, null, null, null, null, 0L, null, 0, 0L);
    }

    /** The state with one more task, and without the fifth. */
    private static DialogueState after(DialogueState before, long turn) {
        List<SlipTask> tasks = new ArrayList<>(before.getSlip().getTasks());
        if (tasks.size() > 50) {
            tasks.remove(4);
        }
        tasks.add(new SlipTask(turn, SlipTaskState.REQUESTED, turn, null, List.of()));
        return state(turn, tasks);
    }

    @Test
    void theBytesAreConfluentsWireFormatUnderTheTopicsSubject() throws Exception {
        byte[] bytes = serdes.values(Accounting.class).serializer().serialize("counts", accounting());

        int id = ByteBuffer.wrap(bytes, 1, 4).getInt();
        assertThat(bytes[0]).isZero();
        assertThat(registry.getAllSubjects()).containsExactly("counts-value");
        assertThat(registry.getSchemaById(id).rawSchema()).isEqualTo(Accounting.getClassSchema());
    }

    @Test
    void everyRecordHasTheBytesOfConfluentsSerializer() {
        Serde<AuditRecord> serde = serdes.values(AuditRecord.class);
        AuditRecord second =
                AuditRecord.newBuilder(auditRecord()).setSequence(6).build();
        try (KafkaAvroSerializer confluent =
                new KafkaAvroSerializer(registry, Map.of("schema.registry.url", "unused"))) {
            for (String topic : List.of("one", "two", "one")) {
                for (AuditRecord record : List.of(auditRecord(), second)) {
                    assertThat(serde.serializer().serialize(topic, record))
                            .isEqualTo(confluent.serialize(topic, record));
                }
            }
        }
    }

    @Test
    void aSchemaSelectedByTheRegistryIsUsed() throws Exception {
        AvroSerdes latest = AvroSerdes.of(registry, Map.of("auto.register.schemas", false, "use.latest.version", true));
        Serde<Accounting> serde = latest.values(Accounting.class);
        Schema smaller = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Accounting\",\"namespace\":\"dev.parley.avro\",\"fields\":["
                        + "{\"name\":\"topic\",\"type\":\"string\"},{\"name\":\"partition\",\"type\":\"int\"}]}");
        int id = registry.register("counts-value", new AvroSchema(smaller));

        for (int time = 0; time < 2; time++) {
            byte[] bytes = serde.serializer().serialize("counts", accounting());
            assertThat(ByteBuffer.wrap(bytes, 1, 4).getInt()).isEqualTo(id);
        }
    }

    @Test
    void aRecordThatDoesNotFitItsSchemaIsRefused() {
        Serde<Accounting> serde = serdes.values(Accounting.class);
        serde.serializer().serialize("counts", accounting());

        assertThatThrownBy(() -> serde.serializer().serialize("counts", new Accounting()))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("counts");
    }

    @Test
    void nullStaysNull() {
        Serde<Accounting> serde = serdes.values(Accounting.class);

        assertThat(serde.serializer().serialize("counts", null)).isNull();
        assertThat(serde.deserializer().deserialize("counts", null)).isNull();
    }

    @Test
    void aRecordOfAnEarlierSchemaReadsIntoTheCurrentClass() {
        Schema earlier = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Accounting\",\"namespace\":\"dev.parley.avro\",\"fields\":["
                        + "{\"name\":\"topic\",\"type\":\"string\"},{\"name\":\"partition\",\"type\":\"int\"},"
                        + "{\"name\":\"inputs\",\"type\":\"long\",\"default\":0},"
                        + "{\"name\":\"gone\",\"type\":\"string\",\"default\":\"\"}]}");
        GenericRecord record = new GenericData.Record(earlier);
        record.put("topic", "t");
        record.put("partition", 1);
        record.put("inputs", 7L);
        record.put("gone", "x");
        byte[] bytes;
        try (KafkaAvroSerializer old = new KafkaAvroSerializer(registry, Map.of("schema.registry.url", "unused"))) {
            bytes = old.serialize("counts", record);
        }

        Accounting read = serdes.values(Accounting.class).deserializer().deserialize("counts", bytes);

        assertThat(read.getInputs()).isEqualTo(7);
        assertThat(read.getAccepted()).isZero();
    }

    @Test
    void aRecordOfAnotherClassIsRefused() {
        byte[] bytes = serdes.values(Accounting.class).serializer().serialize("counts", accounting());

        assertThatThrownBy(
                        () -> serdes.values(TrafficCount.class).deserializer().deserialize("counts", bytes))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("counts")
                .hasMessageContaining("TrafficCount");
    }

    @Test
    void withoutRegistrationAnUnknownSchemaIsRefused() throws Exception {
        AvroSerdes readOnly = AvroSerdes.of(registry, Map.of("auto.register.schemas", false));
        Serde<Accounting> serde = readOnly.values(Accounting.class);

        assertThatThrownBy(() -> serde.serializer().serialize("counts", accounting()))
                .isInstanceOf(SerializationException.class);
        ParsedSchema schema = new AvroSchema(Accounting.getClassSchema());
        registry.register("counts-value", schema);
        assertThat(serde.serializer().serialize("counts", accounting())).isNotEmpty();
    }

    @Test
    void configurationSelectsTheRegistry() {
        AvroSerdes first = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
        Serde<Accounting> serde = first.values(Accounting.class);

        byte[] bytes = serde.serializer().serialize("counts", accounting());

        assertThat(serde.deserializer().deserialize("counts", bytes)).isEqualTo(accounting());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "schema.registry."})
    void credentialsReachTheRegistryWithOrWithoutThePrefix(String prefix) throws Exception {
        Queue<String> authorizations = new ConcurrentLinkedQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        server.start();
        try (AvroSerdes authenticated = AvroSerdes.fromConfig(Map.of(
                "schema.registry.url",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                prefix + "basic.auth.credentials.source",
                "USER_INFO",
                prefix + "basic.auth.user.info",
                "ann:secret"))) {
            assertThatThrownBy(() -> authenticated.registry().getAllSubjects()).isInstanceOf(RestClientException.class);
        } finally {
            server.stop(0);
        }

        String credentials = Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
        assertThat(authorizations).isNotEmpty().containsOnly("Basic " + credentials);
    }

    @Test
    void configurationWithoutARegistryIsRefused() {
        assertThatThrownBy(() -> AvroSerdes.fromConfig(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("schema.registry.url");
    }

    private static Accounting accounting() {
        return Accounting.newBuilder()
                .setTopic("parley.wire")
                .setPartition(1)
                .setInputs(9)
                .build();
    }

    private static TrafficCount trafficCount() {
        return TrafficCount.newBuilder()
                .setWindowStart(WHEN)
                .setWindowEnd(WHEN.plusSeconds(60))
                .setNamespace("default")
                .setProtocol(Protocol.CSP.name())
                .setPerformative(Performative.PATCH.name())
                .setVerdict(Verdict.ACCEPTED.name())
                .setMessages(2)
                .build();
    }

    private static AuditRecord auditRecord() {
        AgentMessage message = AgentMessage.newBuilder()
                .setMessageId("parley.wire-3-41")
                .setNamespace("default")
                .setProtocol(Protocol.SUBIT.name())
                .setConversation("s1")
                .setRecipients(List.of("b", "c"))
                .setPerformative(Performative.ASSERT.name())
                .setSource(SOURCE)
                .setRaw(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                .setSha256(ByteBuffer.wrap(new byte[32]))
                .build();
        return AuditRecord.newBuilder()
                .setChain("default|SUBIT|s1")
                .setSequence(5)
                .setHash(ByteBuffer.wrap(new byte[32]))
                .setPreviousHash(ByteBuffer.wrap(new byte[32]))
                .setSource(SOURCE)
                .setPayloadHash(ByteBuffer.wrap(new byte[32]))
                .setVerdict(Verdict.ACCEPTED.name())
                .setStage(Stage.NONE.name())
                .setProfile(Profile.LENIENT.name())
                .setMessage(message)
                .setContentHash(ByteBuffer.wrap(new byte[32]))
                .setLog(new LogPosition(0, 5L))
                .setRules("1")
                .build();
    }
}
