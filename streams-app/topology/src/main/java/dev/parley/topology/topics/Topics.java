package dev.parley.topology.topics;

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
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.encoding.EncodedRecord;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;

/**
 * The topics that one deployment reads and writes, with their serdes.
 *
 * @param names their names
 * @param message accepted and flagged messages, keyed by conversation
 * @param audit every verdict, chained, keyed by conversation
 * @param checkpoint checkpoints, compacted, keyed by namespace|context|id
 * @param parkedItem patches that wait for their bases, compacted, keyed by chain and input position
 * @param accounting counts of the pipeline's tasks, compacted, keyed by input partition and task
 * @param traffic final counts per minute
 * @param violation final counts of decode errors, violations and warnings per minute
 * @param edge final counts of messages between two agents per minute
 * @param turnaround final histograms of times from request to result per minute
 * @param openItem open items, compacted, keyed by chain and sequence
 * @param patch final counts of patches per context and minute
 * @param definitionChange final counts of changes of definitions per minute
 * @param auditHead heads of the audit log and the statement of its partitions, keyed by origin
 * @param auditTile tiles of the audit log, compacted, keyed by partition/level/index
 * @param auditCosignature cosigned heads of the audit log, compacted, keyed by origin
 * @param redaction redaction requests, keyed by chain
 * @param redrive redrives, compacted, keyed by the input position of the failed record
 * @param encodedAudit the audit topic, for writing encoded records
 * @param encodedMessage the message topic, for writing encoded messages
 */
public record Topics(
        TopicNames names,
        Topic<String, AgentMessage> message,
        Topic<String, AuditRecord> audit,
        Topic<String, Checkpoint> checkpoint,
        Topic<String, ParkedItem> parkedItem,
        Topic<String, Accounting> accounting,
        Topic<String, TrafficCount> traffic,
        Topic<String, ViolationCount> violation,
        Topic<String, EdgeCount> edge,
        Topic<String, TurnaroundCount> turnaround,
        Topic<String, OpenItem> openItem,
        Topic<String, PatchCount> patch,
        Topic<String, DefinitionChangeCount> definitionChange,
        Topic<String, AuditHead> auditHead,
        Topic<String, AuditTile> auditTile,
        Topic<String, AuditHead> auditCosignature,
        Topic<String, Redaction> redaction,
        Topic<String, Redrive> redrive,
        Topic<String, EncodedRecord<AuditRecord>> encodedAudit,
        Topic<String, EncodedRecord<AgentMessage>> encodedMessage) {
    /** Name of the pipeline's repartition. */
    public static final String BY_CONVERSATION = "by-conversation";

    /** Name of its topic in the topology, which Kafka Streams puts after the application ID. */
    private static final String REPARTITION = BY_CONVERSATION + "-repartition";

    public Topics(TopicNames names, AvroSerdes serdes) {
        this(
                names,
                avro(names.message(), AgentMessage.class, serdes),
                avro(names.audit(), AuditRecord.class, serdes),
                avro(names.checkpoint(), Checkpoint.class, serdes),
                avro(names.parkedItem(), ParkedItem.class, serdes),
                avro(names.accounting(), Accounting.class, serdes),
                avro(names.traffic(), TrafficCount.class, serdes),
                avro(names.violation(), ViolationCount.class, serdes),
                avro(names.edge(), EdgeCount.class, serdes),
                avro(names.turnaround(), TurnaroundCount.class, serdes),
                avro(names.openItem(), OpenItem.class, serdes),
                avro(names.patch(), PatchCount.class, serdes),
                avro(names.definitionChange(), DefinitionChangeCount.class, serdes),
                avro(names.auditHead(), AuditHead.class, serdes),
                avro(names.auditTile(), AuditTile.class, serdes),
                avro(names.auditCosignature(), AuditHead.class, serdes),
                avro(names.redaction(), Redaction.class, serdes),
                avro(names.redrive(), Redrive.class, serdes),
                encoded(names.audit(), AuditRecord.class, serdes),
                encoded(names.message(), AgentMessage.class, serdes));
    }

    /** Returns the name of the repartition topic of a pipeline. */
    public static String repartition(String applicationId) {
        return applicationId + "-" + REPARTITION;
    }

    /** Returns whether a topic that the pipeline reads is its repartition topic. */
    public static boolean isRepartition(String topic) {
        return topic.endsWith(REPARTITION);
    }

    /** Returns the dead-letter topic of a stage, with original keys and values. */
    public Topic<byte[], byte[]> deadLetters(Stage stage) {
        return new Topic<>(names.deadLetters(stage), Serdes.ByteArray(), Serdes.ByteArray(), Optional.empty());
    }

    /** Returns the schemas of Avro values by topic. */
    public Map<String, Schema> schemas() {
        Map<String, Schema> schemas = new TreeMap<>();
        Stream.of(
                        message,
                        audit,
                        checkpoint,
                        parkedItem,
                        accounting,
                        traffic,
                        violation,
                        edge,
                        turnaround,
                        openItem,
                        patch,
                        definitionChange,
                        auditHead,
                        auditTile,
                        auditCosignature,
                        redaction,
                        redrive)
                .forEach(topic -> topic.schema().ifPresent(schema -> schemas.put(topic.name(), schema)));
        return schemas;
    }

    private static <T extends SpecificRecord> Topic<String, T> avro(String name, Class<T> type, AvroSerdes serdes) {
        return new Topic<>(name, Serdes.String(), serdes.values(type), schema(type));
    }

    private static <T extends SpecificRecord> Topic<String, EncodedRecord<T>> encoded(
            String name, Class<T> type, AvroSerdes serdes) {
        Deserializer<EncodedRecord<T>> none = (topic, value) -> {
            throw new UnsupportedOperationException("a sink only writes");
        };
        return new Topic<>(name, Serdes.String(), Serdes.serdeFrom(serdes.encodedValues(type), none), schema(type));
    }

    private static Optional<Schema> schema(Class<? extends SpecificRecord> type) {
        return Optional.of(SpecificData.get().getSchema(type));
    }
}
