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
import dev.parley.decode.WireProtocol;
import dev.parley.encoding.EncodedRecord;
import dev.parley.protocol.Protocols;
import dev.parley.serde.AvroSerdes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.kstream.Produced;

/** The topics that Parley reads and writes. The names are a public contract. */
public final class Topics {
    /** Input of any protocol. */
    public static final String WIRE = Protocols.INPUT_TOPIC;
    /** Input topics of a single protocol, with their protocols. */
    public static final Map<String, WireProtocol<?>> WIRE_PROTOCOLS = Protocols.STANDARD.byInputTopic();

    public static final List<String> INPUTS = inputs(Protocols.STANDARD);
    /** Accepted and flagged messages. */
    public static final String MESSAGE = "parley.message.v1";
    /** Every verdict. */
    public static final String AUDIT = "parley.audit.v1";

    public static final String CHECKPOINT = "parley.checkpoint.v1";
    /** Counts of the pipeline's tasks. */
    public static final String ACCOUNTING = "parley.accounting.v1";
    /** Traffic counts per minute. */
    public static final String TRAFFIC = "parley.traffic-1m.v1";
    /** Decode errors, violations and warnings per minute. */
    public static final String VIOLATION = "parley.violation-1m.v1";
    /** Messages between two agents per minute. */
    public static final String EDGE = "parley.edge-1m.v1";
    /** Times from request to result per minute. */
    public static final String TURNAROUND = "parley.turnaround-1m.v1";
    /** Requests that await their results. */
    public static final String OPEN_ITEM = "parley.open-item.v1";
    /** Patches per context and minute. */
    public static final String PATCH = "parley.patch-1m.v1";
    /** Changes of definitions per minute. */
    public static final String DEFINITION_CHANGE = "parley.definition-change-1m.v1";
    /** Published heads of audit chains. */
    public static final String AUDIT_HEAD = "parley.audit-head.v1";
    /** Manifests of journals. */
    public static final String AUDIT_MANIFEST = "parley.audit-manifest.v1";
    /** Redaction requests: an input of the pipeline that Parley itself writes. */
    public static final String REDACTION = "parley.redaction.v1";
    /** Idempotency keys of HTTP ingest. Its format is internal. */
    public static final String INGEST_KEYS = "parley.ingest-key.v1";
    /** Access log: who read what, as JSON. */
    public static final String ACCESS = "parley.access.v1";
    /** Redrives, keyed by the input position of the failed record. Parley uses partition 0 only. */
    public static final String REDRIVE = "parley.redrive.v1";
    /** All topics that the pipeline reads by default: the input topics and the redaction topic. */
    public static final List<String> PIPELINE_SOURCES =
            Stream.concat(INPUTS.stream(), Stream.of(REDACTION)).toList();
    /** Name of the pipeline's repartition. */
    public static final String BY_CONVERSATION = "by-conversation";
    /** Dead letters of unexpected failures. */
    public static final String INTERNAL_DEAD_LETTERS = "parley.dlq.internal.v1";

    /** Stages with a dead-letter topic, in the order of the pipeline. */
    public static final List<Stage> DEAD_LETTER_STAGES =
            List.of(Stage.DECODE, Stage.DIALOGUE, Stage.PATCH, Stage.INTERNAL);

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

    public Topics(AvroSerdes serdes) {
        message = avro(MESSAGE, AgentMessage.class, serdes);
        audit = avro(AUDIT, AuditRecord.class, serdes);
        checkpoint = avro(CHECKPOINT, Checkpoint.class, serdes);
        accounting = avro(ACCOUNTING, Accounting.class, serdes);
        traffic = avro(TRAFFIC, TrafficCount.class, serdes);
        violation = avro(VIOLATION, ViolationCount.class, serdes);
        edge = avro(EDGE, EdgeCount.class, serdes);
        turnaround = avro(TURNAROUND, TurnaroundCount.class, serdes);
        openItem = avro(OPEN_ITEM, OpenItem.class, serdes);
        patch = avro(PATCH, PatchCount.class, serdes);
        definitionChange = avro(DEFINITION_CHANGE, DefinitionChangeCount.class, serdes);
        auditHead = avro(AUDIT_HEAD, AuditHead.class, serdes);
        auditManifest = avro(AUDIT_MANIFEST, AuditManifest.class, serdes);
        redaction = avro(REDACTION, Redaction.class, serdes);
        redrive = avro(REDRIVE, Redrive.class, serdes);
        encodedAudit = serdes.encodedValues(AuditRecord.class);
        encodedMessage = serdes.encodedValues(AgentMessage.class);
    }

    static List<String> inputs(Protocols protocols) {
        return Stream.concat(Stream.of(WIRE), protocols.byInputTopic().keySet().stream())
                .toList();
    }

    /**
     * Returns whether the pipeline may read a topic of that name under some configuration. An input policy can add
     * topics whose names do not start with "parley.".
     */
    public static boolean isPossibleSource(String topic) {
        return PIPELINE_SOURCES.contains(topic)
                || !topic.startsWith("parley.") && !topic.startsWith("__") && !isRepartition(topic);
    }

    private static boolean isRepartition(String topic) {
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
    public static Topic<byte[], byte[]> deadLetters(Stage stage) {
        return switch (stage) {
            case DECODE -> bytes("parley.dlq.decode.v1");
            case DIALOGUE -> bytes("parley.dlq.dialogue.v1");
            case PATCH -> bytes("parley.dlq.patch.v1");
            case INTERNAL -> bytes(INTERNAL_DEAD_LETTERS);
            case NONE -> throw new IllegalArgumentException("Stage NONE has no dead letters");
        };
    }

    public static boolean isDeadLetterTopic(String topic) {
        return DEAD_LETTER_STAGES.stream()
                .anyMatch(stage -> deadLetters(stage).name().equals(topic));
    }

    private static Topic<byte[], byte[]> bytes(String name) {
        return new Topic<>(name, Serdes.ByteArray(), Serdes.ByteArray());
    }

    private static <T extends SpecificRecord> Topic<String, T> avro(String name, Class<T> type, AvroSerdes serdes) {
        return new Topic<>(name, Serdes.String(), serdes.values(type));
    }
}
