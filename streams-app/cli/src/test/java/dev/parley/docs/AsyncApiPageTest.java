package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.PatchCount;
import dev.parley.avro.Redaction;
import dev.parley.avro.Redrive;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.accesslog.AccessLogFeature;
import dev.parley.server.feature.Feature;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.TopicSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/asyncapi.yaml has every topic as the code defines it, and every field of the records. */
class AsyncApiPageTest {
    private static final String NAME = "asyncapi.yaml";
    private static final String PROTOCOL = "{protocol}";
    private static final String GENERATED = "    # Generated from the Avro schemas; see CONTRIBUTING.md.\n";
    private static final Path IDL = Path.of("schemas", "src", "main", "avro");

    /** The records of the output topics. */
    private static final Map<String, Schema> RECORDS = new TreeMap<>(Map.ofEntries(
            Map.entry(TopicNames.DEFAULT.audit(), AuditRecord.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.auditHead(), AuditHead.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.auditCosignature(), AuditHead.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.auditTile(), AuditTile.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.redaction(), Redaction.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.redrive(), Redrive.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.message(), AgentMessage.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.checkpoint(), Checkpoint.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.parkedItem(), ParkedItem.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.accounting(), Accounting.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.traffic(), TrafficCount.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.violation(), ViolationCount.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.edge(), EdgeCount.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.turnaround(), TurnaroundCount.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.openItem(), OpenItem.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.patch(), PatchCount.getClassSchema()),
            Map.entry(TopicNames.DEFAULT.definitionChange(), DefinitionChangeCount.getClassSchema())));

    private JsonNode document;

    @BeforeEach
    void read() throws IOException {
        document = new ObjectMapper(new YAMLFactory())
                .readTree(Path.of("docs", NAME).toFile());
    }

    @Test
    void theSchemasAreThoseOfTheRecords() throws IOException {
        String page = Files.readString(Path.of("docs", NAME));
        int generated = page.indexOf(GENERATED);
        assertThat(generated).as(GENERATED).isPositive();
        Pages.check(
                NAME, page.substring(0, generated + GENERATED.length()) + new RecordSchemas(RECORDS.values()).yaml());
    }

    @Test
    void everyTopicIsAChannelWithItsCleanupPolicy() {
        String witness = NoteSigner.cosigner("w1", KeyFiles.newPair()).verifierKey() + " https://w1.example";
        TopicSetup setup = Feature.topics(
                Features.STANDARD, ServerConfig.of(Map.of("http.access-log", "true", "audit.witnesses", witness)));
        Map<String, String> created = new TreeMap<>();
        for (String name : setup.names()) {
            NewTopic topic = setup.newTopic(name);
            created.put(name, topic.configs().get(TopicConfig.CLEANUP_POLICY_CONFIG));
        }
        // Its format is internal.
        created.remove(TopicNames.DEFAULT.named(IngestFeature.KEYS_TOPIC));

        Map<String, String> documented = new TreeMap<>();
        channels()
                .forEach((address, channel) -> documented.put(
                        address,
                        channel.at("/bindings/kafka/topicConfiguration/cleanup.policy/0")
                                .asText()));

        assertThat(documented).isEqualTo(created);
        assertThat(channels()
                        .get(TopicNames.DEFAULT.auditHead())
                        .at("/bindings/kafka/topicConfiguration/retention.ms")
                        .asText())
                .isEqualTo(
                        setup.newTopic(TopicNames.DEFAULT.auditHead()).configs().get(TopicConfig.RETENTION_MS_CONFIG));
    }

    @Test
    void everyTopicHasOneMessageOfItsRecordOrBytes() {
        channels().forEach((address, channel) -> {
            assertThat(channel.path("messages")).as(address).hasSize(1);
            JsonNode message = resolve(channel.path("messages").elements().next());
            Schema schema = RECORDS.get(address);
            if (address.equals(TopicNames.DEFAULT.named(AccessLogFeature.TOPIC))) {
                assertThat(message.path("contentType").asText()).isEqualTo("application/json");
            } else if (schema == null) {
                String bytes = TopicNames.DEFAULT.deadLetters().contains(address) ? "deadLetter" : "wire";
                assertThat(channel.path("messages").has(bytes)).as(address).isTrue();
                assertThat(TopicNames.DEFAULT.inputs(Protocols.STANDARD).contains(address)
                                || TopicNames.DEFAULT.deadLetters().contains(address))
                        .as(address)
                        .isTrue();
                assertThat(message.path("contentType").asText()).as(address).isEqualTo("application/octet-stream");
            } else {
                assertThat(message.path("title").asText()).as(address).isEqualTo(schema.getName());
                assertThat(message.path("contentType").asText())
                        .as(address)
                        .isEqualTo("application/vnd.confluent.avro");
                assertThat(message.at("/payload/$ref").asText())
                        .as(address)
                        .isEqualTo("#/components/schemas/" + schema.getName());
                assertThat(message.path("description").asText())
                        .as(address)
                        .startsWith("Avro record " + schema.getFullName() + ", defined in schemas/src/main/avro/")
                        .endsWith(", subject " + address + "-value.");
                String file = message.path("description").asText().replaceAll(".*avro/(\\w+[.]avdl).*", "$1");
                assertThat(IDL.resolve(file)).as(address).content().contains("record " + schema.getName() + " {");
                assertThat(message.at("/bindings/kafka/schemaLookupStrategy").asText())
                        .isEqualTo("TopicNameStrategy");
                assertThat(message.at("/bindings/kafka/schemaIdPayloadEncoding").asText())
                        .isEqualTo("confluent");
                assertThat(message.at("/bindings/kafka/key/type").asText())
                        .as(address)
                        .isEqualTo("string");
            }
        });
        assertThat(channels().keySet()).containsAll(RECORDS.keySet());
    }

    @Test
    void parleyReadsItsSourcesAndWritesTheOtherTopics() {
        Set<String> expected = new TreeSet<>();
        channels().keySet().forEach(address -> {
            if (InputTopics.of(new ParleyConfig(Map.of())).sources().contains(address)) {
                expected.add("receive " + address);
            }
            if (!TopicNames.DEFAULT.inputs(Protocols.STANDARD).contains(address)) {
                expected.add("send " + address);
            }
        });

        List<String> documented = new ArrayList<>();
        document.path("operations")
                .forEach(operation -> addresses(resolve(operation.path("channel")))
                        .forEach(address ->
                                documented.add(operation.path("action").asText() + " " + address)));

        assertThat(documented).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theHeadersOfInputRecordsAreThoseThatParleyReads() {
        assertThat(names(document.at("/components/schemas/WireHeaders/properties")))
                .containsAll(CaptureHeaders.NAMES)
                .filteredOn(name -> !CaptureHeaders.NAMES.contains(name))
                .containsExactlyInAnyOrder(
                        RecordHeaders.NAMESPACE,
                        RecordHeaders.PROTOCOL,
                        RecordHeaders.CONVERSATION,
                        RecordHeaders.SENDER,
                        RecordHeaders.EXPECT,
                        RecordHeaders.TIME,
                        RecordHeaders.TRACEPARENT,
                        RecordHeaders.TRACESTATE,
                        DeadLetterHeaders.CLAIMED_ATTEMPT,
                        "content-type",
                        "ce_specversion");
        assertThat(document.at("/components/schemas/WireHeaders/properties/parley-namespace/default")
                        .asText())
                .isEqualTo(RecordHeaders.DEFAULT_NAMESPACE);
    }

    @Test
    void everyReferenceResolves() {
        List<JsonNode> references = document.findValues("$ref");
        assertThat(references).hasSizeGreaterThan(50);
        references.forEach(reference -> assertThat(
                        document.at(reference.asText().substring(1)).isMissingNode())
                .as(reference.asText())
                .isFalse());
    }

    private Map<String, JsonNode> channels() {
        Map<String, JsonNode> channels = new LinkedHashMap<>();
        document.path("channels").forEach(channel -> {
            for (String address : addresses(channel)) {
                assertThat(channels.put(address, channel)).isNull();
            }
        });
        return channels;
    }

    /** The topics of a channel: one for each protocol if its address has that parameter. */
    private static List<String> addresses(JsonNode channel) {
        String address = channel.path("address").asText();
        return address.contains(PROTOCOL)
                ? Protocols.STANDARD.wire().all().stream()
                        .map(protocol -> address.replace(PROTOCOL, protocol.topicSuffix()))
                        .toList()
                : List.of(address);
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
