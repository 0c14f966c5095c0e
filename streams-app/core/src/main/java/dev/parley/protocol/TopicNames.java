package dev.parley.protocol;

import dev.parley.avro.Stage;
import dev.parley.decode.WireProtocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The names of the topics of one deployment: its prefix, and a constant part. Deployments with different prefixes share
 * a Kafka cluster. The constant parts are a public contract.
 *
 * @param prefix a valid prefix, see {@link #isPrefix}
 */
public record TopicNames(String prefix) {
    /** Maximum length of the name of a topic. */
    public static final int MAX_NAME = 249;

    /** Maximum length of a prefix. The longest name adds less than 98 characters. */
    public static final int MAX_PREFIX = 151;

    /** The names of a deployment that sets no prefix. */
    public static final TopicNames DEFAULT = new TopicNames("parley.");

    /** Stages with a dead-letter topic, in the order of the pipeline. */
    public static final List<Stage> DEAD_LETTER_STAGES =
            List.of(Stage.DECODE, Stage.JUDGE, Stage.APPLY, Stage.INTERNAL);

    public TopicNames {
        if (!isPrefix(prefix)) {
            throw new IllegalArgumentException("invalid prefix of topics: " + prefix);
        }
    }

    /**
     * Returns whether a text is a prefix: letters, digits, '_' and '.', where the first is a letter or digit, the last
     * is '.', and no two dots are neighbors. A prefix has no hyphen, because "a-" would begin the internal topics,
     * groups and transactional IDs of both "a." and "a-b.", and with it the ACLs of the one would allow the other.
     */
    public static boolean isPrefix(String text) {
        return text.length() <= MAX_PREFIX
                && text.endsWith(".")
                && !text.startsWith("_")
                && !("." + text).contains("..")
                && !text.contains("-")
                && isLegal(text);
    }

    /** Returns whether Kafka allows a topic of that name. */
    public static boolean isLegal(String topic) {
        return !topic.isEmpty()
                && topic.length() <= MAX_NAME
                && !topic.equals(".")
                && !topic.equals("..")
                && topic.chars()
                        .allMatch(c -> c >= 'a' && c <= 'z'
                                || c >= 'A' && c <= 'Z'
                                || c >= '0' && c <= '9'
                                || c == '.'
                                || c == '_'
                                || c == '-');
    }

    /** The default application ID of the pipeline: the prefix without its last character. */
    public String applicationId() {
        return prefix.substring(0, prefix.length() - 1);
    }

    /** Input of any protocol. */
    public String wire() {
        return prefix + "wire";
    }

    /** Input of one protocol. */
    public String wire(WireProtocol<?> protocol) {
        return wire() + "." + protocol.topicSuffix();
    }

    /** The input topics of single protocols, with their protocols. */
    public Map<String, WireProtocol<?>> byInputTopic(Protocols protocols) {
        Map<String, WireProtocol<?>> topics = new LinkedHashMap<>();
        protocols.all().forEach(definition -> topics.put(wire(definition.wire()), definition.wire()));
        return topics;
    }

    /** The input topics, that of any protocol first. */
    public List<String> inputs(Protocols protocols) {
        return Stream.concat(Stream.of(wire()), byInputTopic(protocols).keySet().stream())
                .toList();
    }

    /** Returns whether a configuration can make the topic an input: a policy adds only topics without the prefix. */
    public boolean isPossibleInput(String topic) {
        return inputs(Protocols.STANDARD).contains(topic) || !topic.startsWith(prefix) && !topic.startsWith("__");
    }

    /** The topic of this deployment for an input topic with the default prefix; any other topic unchanged. */
    public String ofTranscript(String topic) {
        return DEFAULT.inputs(Protocols.STANDARD).contains(topic)
                ? prefix + topic.substring(DEFAULT.prefix.length())
                : topic;
    }

    /** Accepted and flagged messages. */
    public String message() {
        return prefix + "message.v1";
    }

    /** Every verdict. */
    public String audit() {
        return prefix + "audit.v1";
    }

    public String checkpoint() {
        return prefix + "checkpoint.v1";
    }

    /** Patches that wait for their bases. */
    public String parkedItem() {
        return prefix + "parked-item.v1";
    }

    /** Counts of the pipeline's tasks. */
    public String accounting() {
        return prefix + "accounting.v1";
    }

    /** Traffic counts per minute. */
    public String traffic() {
        return prefix + "traffic-1m.v1";
    }

    /** Decode errors, violations and warnings per minute. */
    public String violation() {
        return prefix + "violation-1m.v1";
    }

    /** Messages between two agents per minute. */
    public String edge() {
        return prefix + "edge-1m.v1";
    }

    /** Times from request to result per minute. */
    public String turnaround() {
        return prefix + "turnaround-1m.v1";
    }

    /** Requests that await their results. */
    public String openItem() {
        return prefix + "open-item.v1";
    }

    /** Patches per context and minute. */
    public String patch() {
        return prefix + "patch-1m.v1";
    }

    /** Changes of definitions per minute. */
    public String definitionChange() {
        return prefix + "definition-change-1m.v1";
    }

    /** Heads of the audit log, and the statement of its partitions. */
    public String auditHead() {
        return prefix + "audit-head.v1";
    }

    /** Tiles of the audit log. */
    public String auditTile() {
        return prefix + "audit-tile.v1";
    }

    /** Cosigned heads of the audit log. */
    public String auditCosignature() {
        return prefix + "audit-cosignature.v1";
    }

    /** Redaction requests: an input of the pipeline that Parley itself writes. */
    public String redaction() {
        return prefix + "redaction.v1";
    }

    /** A topic that only one feature of the server names. */
    public String named(String constantPart) {
        return prefix + constantPart;
    }

    /** Redrives, keyed by the input position of the failed record. Parley uses partition 0 only. */
    public String redrive() {
        return prefix + "redrive.v1";
    }

    /** The dead letters of a stage, with original keys and values. */
    public String deadLetters(Stage stage) {
        return prefix + constantPart(stage);
    }

    private static String constantPart(Stage stage) {
        return switch (stage) {
            case DECODE -> "dlq.decode.v1";
            case JUDGE -> "dlq.judge.v1";
            case APPLY -> "dlq.apply.v1";
            case INTERNAL -> "dlq.internal.v1";
            case NONE -> throw new IllegalArgumentException("Stage NONE has no dead letters");
        };
    }

    /**
     * The stage of a dead-letter topic of any deployment.
     *
     * @throws IllegalArgumentException if the topic is not one
     */
    public static Stage stageOf(String deadLetters) {
        return DEAD_LETTER_STAGES.stream()
                .filter(stage -> deadLetters.endsWith(constantPart(stage)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(deadLetters + " is not a dead-letter topic"));
    }

    /** The dead-letter topics, in the order of the pipeline. */
    public List<String> deadLetters() {
        return DEAD_LETTER_STAGES.stream().map(this::deadLetters).toList();
    }
}
