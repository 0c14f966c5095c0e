package dev.parley.topology.topics;

import dev.parley.avro.Stage;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.ingest.IngestKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.record.TimestampType;

/** Creates Parley's missing topics and validates the existing ones. */
public final class TopicSetup {
    /** Maximum size of a record of {@link Topics#REDACTION}, in bytes. */
    public static final int REDACTION_BYTES = 64 << 10;

    /** Maximum size of a record of {@link Topics#REDRIVE}, in bytes. */
    public static final int REDRIVE_BYTES = 64 << 10;

    /** Maximum size of a record of {@link Topics#INGEST_KEYS}, in bytes. */
    private static final int INGEST_KEY_BYTES = 64 << 10;

    private final Map<String, TopicSpec> specs = new LinkedHashMap<>();
    private final int partitions;
    private final Optional<Short> replication;
    private final boolean samePartitions;
    private final boolean brokerTime;
    private final Set<String> sources;

    private TopicSetup(ParleyConfig config) {
        partitions = config.getInt(ParleyConfig.PARTITIONS);
        replication = Optional.of(config.getShort(ParleyConfig.REPLICATION)).filter(factor -> factor > 0);
        samePartitions = config.getBoolean(ParleyConfig.KEYED);
        brokerTime = !config.trustsProducerTime();
        InputTopics inputs = InputTopics.of(config);
        sources = Set.copyOf(inputs.sources());
        int outputBytes = config.outputRecordBytes();
        if (config.hasRole("pipeline")) {
            inputs.topics()
                    .forEach(topic ->
                            expiring(topic, config.getInt(ParleyConfig.RECORD_BYTES), config, RetentionKeys.INPUTS));
            expiring(Topics.MESSAGE, outputBytes, config, RetentionKeys.MESSAGE);
            kept(Topics.AUDIT_MANIFEST, outputBytes);
        }
        expiring(Topics.REDACTION, REDACTION_BYTES, config, RetentionKeys.AUDIT);
        expiring(Topics.AUDIT, outputBytes, config, RetentionKeys.AUDIT);
        compacted(Topics.AUDIT_HEAD, outputBytes);
        compacted(Topics.CHECKPOINT, outputBytes);
        compacted(Topics.ACCOUNTING, outputBytes);
        for (Stage stage : Topics.DEAD_LETTER_STAGES) {
            expiring(Topics.deadLetters(stage).name(), outputBytes, config, RetentionKeys.DEAD_LETTERS);
        }
        if (config.hasRole("views")) {
            specs.put(Topics.REDRIVE, redrives());
            expiring(Topics.TRAFFIC, outputBytes, config, RetentionKeys.TRAFFIC);
            expiring(Topics.VIOLATION, outputBytes, config, RetentionKeys.ANALYTICS);
            expiring(Topics.EDGE, outputBytes, config, RetentionKeys.ANALYTICS);
            expiring(Topics.TURNAROUND, outputBytes, config, RetentionKeys.ANALYTICS);
            compacted(Topics.OPEN_ITEM, outputBytes);
            expiring(Topics.PATCH, outputBytes, config, RetentionKeys.ANALYTICS);
            expiring(Topics.DEFINITION_CHANGE, outputBytes, config, RetentionKeys.ANALYTICS);
            if (config.getBoolean(HttpKeys.ACCESS_LOG)) {
                expiring(Topics.ACCESS, outputBytes, config, RetentionKeys.ACCESS);
            }
            if (config.getBoolean(IngestKeys.ENABLED)) {
                specs.put(Topics.INGEST_KEYS, ingestKeys(config.getLong(IngestKeys.WINDOW_MS)));
            }
        }
    }

    /** Returns the topics that the roles of a configuration need, with their settings. */
    public static TopicSetup of(ParleyConfig config) {
        return new TopicSetup(config);
    }

    private void expiring(String name, int recordBytes, ParleyConfig config, String key) {
        Retention retention =
                new Retention(key, config.getLong(key), config.originals().containsKey(key));
        specs.put(
                name,
                new TopicSpec(
                        name,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        recordBytes,
                        Optional.of(retention),
                        brokerTime && sources.contains(name),
                        false));
    }

    /** Keys are read back for one window; twice that leaves room for clocks that differ. */
    private static TopicSpec ingestKeys(long windowMs) {
        return new TopicSpec(
                Topics.INGEST_KEYS,
                TopicConfig.CLEANUP_POLICY_DELETE,
                INGEST_KEY_BYTES,
                Optional.of(new Retention(IngestKeys.WINDOW_MS, 2 * windowMs, false)),
                false,
                false);
    }

    /** One partition, which has one writer at a time, so that the redrives of all instances are in one order. */
    private static TopicSpec redrives() {
        return new TopicSpec(
                Topics.REDRIVE, TopicConfig.CLEANUP_POLICY_COMPACT, REDRIVE_BYTES, Optional.empty(), false, true);
    }

    /** Adds a topic whose records never expire. */
    private void kept(String name, int recordBytes) {
        specs.put(
                name,
                new TopicSpec(
                        name,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        recordBytes,
                        Optional.of(Retention.FOREVER),
                        false,
                        false));
    }

    private void compacted(String name, int recordBytes) {
        specs.put(
                name,
                new TopicSpec(name, TopicConfig.CLEANUP_POLICY_COMPACT, recordBytes, Optional.empty(), false, false));
    }

    /**
     * The retention of a topic.
     *
     * @param key configuration key
     * @param millis -1: unlimited; -2: the brokers' default
     * @param explicit whether the operator set the key
     */
    private record Retention(String key, long millis, boolean explicit) {
        static final Retention FOREVER = new Retention("", -1, false);
    }

    /** The kind of a problem with an existing topic. */
    public enum ProblemKind {
        /** Records would expire or be compacted away. */
        CLEANUP,
        /** An output topic rejects records of the maximum size. */
        OUTPUT_SMALL,
        /** An input topic accepts records that are too large for a dead letter. */
        INPUT_LARGE,
        /** Producers choose the timestamps of an input topic. */
        INPUT_TIME,
        /** The input topics differ in their number of partitions. */
        INPUTS_DIFFER,
        /** The audit topic and the checkpoint topic differ in their number of partitions. */
        VIEWS_DIFFER
    }

    /**
     * A problem with an existing topic.
     *
     * @param topic name of the topic
     * @param problem the problem, as a sentence
     * @param remedy the action to take, as a sentence
     */
    public record TopicProblem(ProblemKind kind, String topic, String problem, String remedy) {
        @Override
        public String toString() {
            return problem + " " + remedy;
        }
    }

    /** Returns the names of the topics, input topics first. */
    public List<String> names() {
        return List.copyOf(specs.keySet());
    }

    /**
     * Finds topics whose retention differs from the configuration. Parley works with them.
     *
     * @param configs settings of existing topics, by name
     * @return a sentence for each of them, by topic
     */
    public Map<String, String> retentionDifferences(Map<String, Config> configs) {
        Map<String, String> different = new TreeMap<>();
        configs.forEach((name, config) -> specs.get(name)
                .retention()
                .filter(retention -> retention.explicit() && retention.millis() != RetentionKeys.BROKERS_DEFAULT)
                .ifPresent(retention -> {
                    String kept = config.get(TopicConfig.RETENTION_MS_CONFIG).value();
                    if (Long.parseLong(kept) != retention.millis()) {
                        different.put(
                                name,
                                "It has retention.ms=" + kept + ", and " + retention.key() + " is " + retention.millis()
                                        + ".");
                    }
                }));
        return different;
    }

    /** Returns the definition of a topic for its creation; the name is one of {@link #names}. */
    public NewTopic newTopic(String name) {
        return specs.get(name).newTopic(partitions, replication);
    }

    /**
     * Creates missing topics and validates the others, as far as this principal may read their settings.
     *
     * @return problems with existing topics
     * @throws KafkaException if the brokers are unavailable or reject a request
     */
    public List<TopicProblem> createAndValidate(Admin admin) {
        Map<String, TopicDescription> existing = describe(admin);
        List<NewTopic> missing = specs.keySet().stream()
                .filter(name -> !existing.containsKey(name))
                .map(this::newTopic)
                .toList();
        create(admin, missing);
        return validate(existing, configs(admin, existing.keySet()));
    }

    /**
     * Validates existing topics.
     *
     * @param existing topics by name
     * @param configs settings by name; a topic without settings is validated only for its partitions
     */
    public List<TopicProblem> validate(Map<String, TopicDescription> existing, Map<String, Config> configs) {
        List<TopicProblem> problems = new ArrayList<>();
        specs.values().forEach(topic -> {
            Config config = configs.get(topic.name());
            if (config != null) {
                topic.validate(config, sources.contains(topic.name()), problems);
            }
        });
        long partitionCounts = existing.entrySet().stream()
                .filter(entry -> sources.contains(entry.getKey()))
                .map(entry -> entry.getValue().partitions().size())
                .distinct()
                .count();
        if (samePartitions && partitionCounts > 1) {
            problems.add(new TopicProblem(
                    ProblemKind.INPUTS_DIFFER,
                    Topics.WIRE,
                    "The input topics differ in their number of partitions.",
                    "Give all the same, or unset input.keyed-by-conversation."));
        }
        TopicDescription audit = existing.get(Topics.AUDIT);
        for (String other : List.of(Topics.CHECKPOINT, Topics.AUDIT_HEAD)) {
            TopicDescription sibling = existing.get(other);
            if (audit == null
                    || sibling == null
                    || audit.partitions().size() == sibling.partitions().size()) {
                continue;
            }
            problems.add(new TopicProblem(
                    ProblemKind.VIEWS_DIFFER,
                    other,
                    "Topic " + other + " has "
                            + sibling.partitions().size() + " partitions, " + Topics.AUDIT + " "
                            + audit.partitions().size() + ".",
                    "Records of one conversation must be in partitions of the same number. Create both topics with "
                            + "the same number of partitions, then run parley reset --empty-outputs."));
        }
        return problems;
    }

    private Map<String, TopicDescription> describe(Admin admin) {
        Collection<String> present =
                new ArrayList<>(AdminFutures.of(admin.listTopics().names()));
        present.retainAll(specs.keySet());
        return new TreeMap<>(AdminFutures.of(admin.describeTopics(present).allTopicNames()));
    }

    private static void create(Admin admin, List<NewTopic> topics) {
        admin.createTopics(topics).values().forEach((name, created) -> {
            try {
                AdminFutures.of(created);
            } catch (TopicExistsException e) {
                // Another instance has created it meanwhile.
            } catch (KafkaException e) {
                throw new KafkaException("Could not create topic " + name + ": " + e.getMessage(), e);
            }
        });
    }

    /** Reads the settings of topics, as far as this principal may read them. */
    public static Map<String, Config> configs(Admin admin, Collection<String> topics) {
        Map<String, Config> configs = new TreeMap<>();
        admin.describeConfigs(topics.stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList())
                .values()
                .forEach((resource, config) -> {
                    try {
                        configs.put(resource.name(), AdminFutures.of(config));
                    } catch (AuthorizationException e) {
                        // Omitted: Parley works without DESCRIBE_CONFIGS.
                    }
                });
        return configs;
    }

    private record TopicSpec(
            String name,
            String cleanup,
            int recordBytes,
            Optional<Retention> retention,
            boolean brokerTime,
            boolean onePartition) {

        NewTopic newTopic(int partitions, Optional<Short> replication) {
            Map<String, String> configs = new TreeMap<>(Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    cleanup,
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(recordBytes)));
            retention
                    .filter(wanted -> wanted.millis() != RetentionKeys.BROKERS_DEFAULT)
                    .ifPresent(wanted -> configs.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(wanted.millis())));
            if (brokerTime) {
                configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);
            }
            return new NewTopic(name, Optional.of(onePartition ? 1 : partitions), replication).configs(configs);
        }

        void validate(Config config, boolean input, List<TopicProblem> problems) {
            String policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
            if (!policy.equals(cleanup)) {
                problems.add(new TopicProblem(
                        ProblemKind.CLEANUP,
                        name,
                        "Topic " + name + " has cleanup.policy=" + policy + ".",
                        "Set it to " + cleanup + ", or records will "
                                + (cleanup.equals(TopicConfig.CLEANUP_POLICY_COMPACT)
                                        ? "expire."
                                        : "be compacted away.")));
            }
            String timestampType =
                    config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
            if (brokerTime && !timestampType.equals(TimestampType.LOG_APPEND_TIME.name)) {
                problems.add(new TopicProblem(
                        ProblemKind.INPUT_TIME,
                        name,
                        "Topic " + name + " has message.timestamp.type=" + timestampType
                                + ": its producers choose the time of its records, and times are evidence.",
                        "Run kafka-configs.sh --alter --topic " + name + " --add-config message.timestamp.type="
                                + TimestampType.LOG_APPEND_TIME.name
                                + " with --bootstrap-server, or set input.time=producer if you trust all writers."));
            }
            String kept = config.get(TopicConfig.RETENTION_MS_CONFIG) == null
                    ? "-1"
                    : config.get(TopicConfig.RETENTION_MS_CONFIG).value();
            if (retention.filter(Retention.FOREVER::equals).isPresent() && !kept.equals("-1")) {
                problems.add(new TopicProblem(
                        ProblemKind.CLEANUP,
                        name,
                        "Topic " + name + " has retention.ms=" + kept + ".",
                        "Set it to -1, or records that parley verify needs will expire."));
            }
            long maxBytes = Long.parseLong(
                    config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
            if (!input && maxBytes < recordBytes) {
                problems.add(new TopicProblem(
                        ProblemKind.OUTPUT_SMALL,
                        name,
                        "Topic " + name + " accepts records of " + maxBytes + " bytes.",
                        "Set max.message.bytes to " + recordBytes
                                + ", or lower topics.max.record.bytes to half of the topic's limit."));
            }
            if (input && maxBytes > recordBytes) {
                problems.add(new TopicProblem(
                        ProblemKind.INPUT_LARGE,
                        name,
                        "Input topic " + name + " accepts records of " + maxBytes
                                + " bytes, which may not fit into a dead letter.",
                        "Raise topics.max.record.bytes to " + maxBytes + ", or lower the topic's max.message.bytes."));
            }
        }
    }
}
