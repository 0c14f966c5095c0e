package dev.parley.topology.topics;

import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.OpenItem;
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
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.kstream.Produced;

/** The topics that one deployment reads and writes, with their serdes. */
public final class Topics {
    /** Name of the pipeline's repartition. */
    public static final String BY_CONVERSATION = "by-conversation";

    private final TopicNames names;
    private final Topic<String, AgentMessage> message;
    private final Topic<String, AuditRecord> audit;
    private final Topic<String, Checkpoint> checkpoint;
    private final Topic<String, Accounting> accounting;
    private final Topic<String, TrafficCount> traffic;
    private final Topic<String, ViolationCount> violation;
    private final Topic<String, EdgeCount> edge;
    private final Topic<String, TurnaroundCount> turnaround;
    private final Topic<String, OpenItem> openItem;
    private final Topic<String, PatchCount> patch;
    private final Topic<String, DefinitionChangeCount> definitionChange;
    private final Topic<String, AuditHead> auditHead;
    private final Topic<String, AuditManifest> auditManifest;
    private final Topic<String, Redaction> redaction;
    private final Topic<String, Redrive> redrive;
    private final Serializer<EncodedRecord<AuditRecord>> encodedAudit;
    private final Serializer<EncodedRecord<AgentMessage>> encodedMessage;

    public Topics(TopicNames names, AvroSerdes serdes) {
        this.names = names;
        message = avro(names.message(), AgentMessage.class, serdes);
        audit = avro(names.audit(), AuditRecord.class, serdes);
        checkpoint = avro(names.checkpoint(), Checkpoint.class, serdes);
        accounting = avro(names.accounting(), Accounting.class, serdes);
        traffic = avro(names.traffic(), TrafficCount.class, serdes);
        violation = avro(names.violation(), ViolationCount.class, serdes);
        edge = avro(names.edge(), EdgeCount.class, serdes);
        turnaround = avro(names.turnaround(), TurnaroundCount.class, serdes);
        openItem = avro(names.openItem(), OpenItem.class, serdes);
        patch = avro(names.patch(), PatchCount.class, serdes);
        definitionChange = avro(names.definitionChange(), DefinitionChangeCount.class, serdes);
        auditHead = avro(names.auditHead(), AuditHead.class, serdes);
        auditManifest = avro(names.auditManifest(), AuditManifest.class, serdes);
        redaction = avro(names.redaction(), Redaction.class, serdes);
        redrive = avro(names.redrive(), Redrive.class, serdes);
        encodedAudit = serdes.encodedValues(AuditRecord.class);
        encodedMessage = serdes.encodedValues(AgentMessage.class);
    }

    public TopicNames names() {
        return names;
    }

    /** Returns whether a topic that the pipeline reads is its repartition topic. */
    public static boolean isRepartition(String topic) {
        return topic.endsWith("-" + BY_CONVERSATION + "-repartition");
    }

    /** Accepted and flagged messages, keyed by conversation. */
    public Topic<String, AgentMessage> message() {
        return message;
    }

    /** Every verdict, chained, keyed by conversation. */
    public Topic<String, AuditRecord> audit() {
        return audit;
    }

    /** Returns the arguments of a sink node that writes encoded audit records. */
    public Produced<String, EncodedRecord<AuditRecord>> encodedAuditProducedAs(String node) {
        return encoded(encodedAudit, node);
    }

    /** Returns the arguments of a sink node that writes encoded messages. */
    public Produced<String, EncodedRecord<AgentMessage>> encodedMessageProducedAs(String node) {
        return encoded(encodedMessage, node);
    }

    private static <T extends SpecificRecord> Produced<String, EncodedRecord<T>> encoded(
            Serializer<EncodedRecord<T>> serializer, String node) {
        Deserializer<EncodedRecord<T>> none = (topic, value) -> {
            throw new UnsupportedOperationException("a sink only writes");
        };
        return Produced.with(Serdes.String(), Serdes.serdeFrom(serializer, none))
                .withName(node);
    }

    /** Checkpoints, compacted, keyed by namespace|context|id. */
    public Topic<String, Checkpoint> checkpoint() {
        return checkpoint;
    }

    /** Counts of the pipeline's tasks, compacted, keyed by input partition and task. */
    public Topic<String, Accounting> accounting() {
        return accounting;
    }

    /** Final counts per minute. */
    public Topic<String, TrafficCount> traffic() {
        return traffic;
    }

    /** Final counts of decode errors, violations and warnings per minute. */
    public Topic<String, ViolationCount> violation() {
        return violation;
    }

    /** Final counts of messages between two agents per minute. */
    public Topic<String, EdgeCount> edge() {
        return edge;
    }

    /** Final histograms of times from request to result per minute. */
    public Topic<String, TurnaroundCount> turnaround() {
        return turnaround;
    }

    /** Open items, compacted, keyed by chain and sequence. */
    public Topic<String, OpenItem> openItem() {
        return openItem;
    }

    /** Final counts of patches per context and minute. */
    public Topic<String, PatchCount> patch() {
        return patch;
    }

    /** Final counts of changes of definitions per minute. */
    public Topic<String, DefinitionChangeCount> definitionChange() {
        return definitionChange;
    }

    /** Published heads of audit chains, compacted, keyed by chain. */
    public Topic<String, AuditHead> auditHead() {
        return auditHead;
    }

    /** Manifests of journals, keyed by the partition of the journal. */
    public Topic<String, AuditManifest> auditManifest() {
        return auditManifest;
    }

    /** Redaction requests, keyed by chain. */
    public Topic<String, Redaction> redaction() {
        return redaction;
    }

    /** Redrives, compacted, keyed by the input position of the failed record. */
    public Topic<String, Redrive> redrive() {
        return redrive;
    }

    /** Returns the dead-letter topic of a stage, with original keys and values. */
    public Topic<byte[], byte[]> deadLetters(Stage stage) {
        return new Topic<>(names.deadLetters(stage), Serdes.ByteArray(), Serdes.ByteArray());
    }

    private static <T extends SpecificRecord> Topic<String, T> avro(String name, Class<T> type, AvroSerdes serdes) {
        return new Topic<>(name, Serdes.String(), serdes.values(type));
    }
}
