package dev.parley.topology.setup;

import dev.parley.avro.Stage;
import dev.parley.config.ParleyConfig;
import dev.parley.config.RetentionKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.record.TimestampType;

/** Creates Parley's topics where they do not exist, and checks them where they do. */
public final class TopicSetup {
    /** Most bytes of a record of {@link Topics#REDACTION}: room for a chain's name and a reason. */
    public static final int REDACTION_BYTES = 64 << 10;

    private final Map<String, Wanted> wanted = new LinkedHashMap<>();
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
            compacted(Topics.AUDIT_HEAD, outputBytes);
            kept(Topics.AUDIT_MANIFEST, outputBytes);
        }
        expiring(Topics.REDACTION, REDACTION_BYTES, config, RetentionKeys.AUDIT);
        expiring(Topics.AUDIT, outputBytes, config, RetentionKeys.AUDIT);
        compacted(Topics.CHECKPOINT, outputBytes);
        compacted(Topics.ACCOUNTING, outputBytes);
        for (Stage stage : Topics.DEAD_LETTER_STAGES) {
            expiring(Topics.deadLetters(stage).name(), outputBytes, config, RetentionKeys.DEAD_LETTERS);
        }
        if (config.hasRole("views")) {
            expiring(Topics.TRAFFIC, outputBytes, config, RetentionKeys.TRAFFIC);
        }
    }

    /** The topics that the roles of a configuration need, as that configuration wants them. */
    public static TopicSetup of(ParleyConfig config) {
        return new TopicSetup(config);
    }

    private void expiring(String name, int recordBytes, ParleyConfig config, String key) {
        Retention retention =
                new Retention(key, config.getLong(key), config.originals().containsKey(key));
        wanted.put(
                name,
                new Wanted(
                        name,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        recordBytes,
                        Optional.of(retention),
                        brokerTime && sources.contains(name)));
    }

    /** A topic whose records never expire. */
    private void kept(String name, int recordBytes) {
        wanted.put(
                name,
                new Wanted(
                        name, TopicConfig.CLEANUP_POLICY_DELETE, recordBytes, Optional.of(Retention.FOREVER), false));
    }

    private void compacted(String name, int recordBytes) {
        wanted.put(name, new Wanted(name, TopicConfig.CLEANUP_POLICY_COMPACT, recordBytes, Optional.empty(), false));
    }

    /**
     * How long a topic keeps its records.
     *
     * @param key of the configuration
     * @param millis -1 for ever; -2 for as long as the brokers say
     * @param stated whether somebody set it
     */
    private record Retention(String key, long millis, boolean stated) {
        /** For good, whatever is configured. */
        static final Retention FOREVER = new Retention("", -1, false);
    }

    /** What makes an existing topic unfit. */
    public enum ProblemKind {
        /** Its records would expire, or be compacted away. */
        CLEANUP,
        /** An output that cannot take every record. */
        OUTPUT_SMALL,
        /** An input that takes records for which no dead letter is made. */
        INPUT_LARGE,
        /** An input whose times the producers choose. */
        INPUT_TIME,
        /** The inputs must have the same number of partitions, and have not. */
        INPUTS_DIFFER,
        /** Audit and checkpoints must have the same number of partitions, and have not. */
        VIEWS_DIFFER
    }

    /**
     * An existing topic that is not what Parley needs.
     *
     * @param kind in what
     * @param topic its name
     * @param problem a sentence
     * @param remedy a sentence: what to do
     */
    public record TopicProblem(ProblemKind kind, String topic, String problem, String remedy) {
        @Override
        public String toString() {
            return problem + " " + remedy;
        }
    }

    /** The names of the topics, the inputs first. */
    public List<String> names() {
        return List.copyOf(wanted.keySet());
    }

    /**
     * Topics that keep their records for another time than the configuration says. They are fit all the same.
     *
     * @param configs settings by name of existing topics
     * @return a sentence about each, by the topic's name
     */
    public Map<String, String> otherwiseKept(Map<String, Config> configs) {
        Map<String, String> different = new TreeMap<>();
        configs.forEach((name, config) -> wanted.get(name)
                .retention()
                .filter(retention -> retention.stated() && retention.millis() != RetentionKeys.BROKERS_DEFAULT)
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

    /** A topic as it would be created; the name is one of {@link #names}. */
    public NewTopic newTopic(String name) {
        return wanted.get(name).toCreate(partitions, replication);
    }

    /**
     * Creates what is missing and checks the rest. What it may not look at it does not check.
     *
     * @return what is wrong with topics that exist already
     * @throws KafkaException when the brokers do not answer or refuse
     */
    public List<TopicProblem> run(Admin admin) {
        Map<String, TopicDescription> existing = describe(admin);
        List<NewTopic> missing = wanted.keySet().stream()
                .filter(name -> !existing.containsKey(name))
                .map(this::newTopic)
                .toList();
        create(admin, missing);
        return misfits(existing, configs(admin, existing.keySet()));
    }

    /**
     * Checks existing topics.
     *
     * @param existing by name
     * @param configs their settings by name; a topic without is not checked for them
     */
    public List<TopicProblem> misfits(Map<String, TopicDescription> existing, Map<String, Config> configs) {
        List<TopicProblem> wrong = new ArrayList<>();
        wanted.values().forEach(topic -> {
            Config config = configs.get(topic.name());
            if (config != null) {
                topic.check(config, sources.contains(topic.name()), wrong);
            }
        });
        long partitionCounts = existing.entrySet().stream()
                .filter(entry -> sources.contains(entry.getKey()))
                .map(entry -> entry.getValue().partitions().size())
                .distinct()
                .count();
        if (samePartitions && partitionCounts > 1) {
            wrong.add(new TopicProblem(
                    ProblemKind.INPUTS_DIFFER,
                    Topics.WIRE,
                    "The input topics differ in their number of partitions.",
                    "Give all the same, or unset input.keyed-by-conversation."));
        }
        TopicDescription audit = existing.get(Topics.AUDIT);
        TopicDescription checkpoints = existing.get(Topics.CHECKPOINT);
        if (audit != null
                && checkpoints != null
                && audit.partitions().size() != checkpoints.partitions().size()) {
            wrong.add(new TopicProblem(
                    ProblemKind.VIEWS_DIFFER,
                    Topics.CHECKPOINT,
                    "Topic " + Topics.CHECKPOINT + " has "
                            + checkpoints.partitions().size() + " partitions, " + Topics.AUDIT + " "
                            + audit.partitions().size() + ".",
                    "What belongs to one conversation must lie in partitions of one number: create both with"
                            + " the same, then run parley reset --empty-outputs."));
        }
        return wrong;
    }

    private Map<String, TopicDescription> describe(Admin admin) {
        Collection<String> present = new ArrayList<>(get(admin.listTopics().names()));
        present.retainAll(wanted.keySet());
        return new TreeMap<>(get(admin.describeTopics(present).allTopicNames()));
    }

    private static void create(Admin admin, List<NewTopic> topics) {
        admin.createTopics(topics).values().forEach((name, created) -> {
            try {
                created.get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new KafkaException(
                            "Could not create topic " + name + ": "
                                    + e.getCause().getMessage(),
                            e.getCause());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("Interrupted while creating topic " + name, e);
            }
        });
    }

    /** The settings of topics, as far as this principal may read them. */
    public static Map<String, Config> configs(Admin admin, Collection<String> topics) {
        Map<String, Config> configs = new TreeMap<>();
        admin.describeConfigs(topics.stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList())
                .values()
                .forEach((resource, config) -> {
                    try {
                        configs.put(resource.name(), get(config));
                    } catch (AuthorizationException e) {
                        // Left out: a principal without DESCRIBE_CONFIGS can work all the same.
                    }
                });
        return configs;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while waiting for the brokers", e);
        }
    }

    private record Wanted(
            String name, String cleanup, int recordBytes, Optional<Retention> retention, boolean brokerTime) {

        NewTopic toCreate(int partitions, Optional<Short> replication) {
            Map<String, String> configs = new TreeMap<>(Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    cleanup,
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(recordBytes)));
            retention
                    .filter(time -> time.millis() != RetentionKeys.BROKERS_DEFAULT)
                    .ifPresent(time -> configs.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(time.millis())));
            if (brokerTime) {
                configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);
            }
            return new NewTopic(name, Optional.of(partitions), replication).configs(configs);
        }

        void check(Config config, boolean input, List<TopicProblem> wrong) {
            String policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
            if (!policy.equals(cleanup)) {
                wrong.add(new TopicProblem(
                        ProblemKind.CLEANUP,
                        name,
                        "Topic " + name + " has cleanup.policy=" + policy + ".",
                        "Set it to " + cleanup + ", or records will "
                                + (cleanup.equals(TopicConfig.CLEANUP_POLICY_COMPACT)
                                        ? "expire."
                                        : "be compacted away.")));
            }
            String time = config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
            if (brokerTime && !time.equals(TimestampType.LOG_APPEND_TIME.name)) {
                wrong.add(new TopicProblem(
                        ProblemKind.INPUT_TIME,
                        name,
                        "Topic " + name + " has message.timestamp.type=" + time
                                + ": whoever writes it chooses the time of its records, and times are evidence.",
                        "Run kafka-configs.sh --alter --topic " + name + " --add-config message.timestamp.type="
                                + TimestampType.LOG_APPEND_TIME.name
                                + " with --bootstrap-server, or set input.time=producer if you trust all writers."));
            }
            String kept = config.get(TopicConfig.RETENTION_MS_CONFIG) == null
                    ? "-1"
                    : config.get(TopicConfig.RETENTION_MS_CONFIG).value();
            if (retention.filter(Retention.FOREVER::equals).isPresent() && !kept.equals("-1")) {
                wrong.add(new TopicProblem(
                        ProblemKind.CLEANUP,
                        name,
                        "Topic " + name + " has retention.ms=" + kept + ".",
                        "Set it to -1, or records will expire that parley verify needs."));
            }
            long most = Long.parseLong(
                    config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
            if (!input && most < recordBytes) {
                wrong.add(new TopicProblem(
                        ProblemKind.OUTPUT_SMALL,
                        name,
                        "Topic " + name + " takes records of " + most + " bytes.",
                        "Set max.message.bytes to " + recordBytes
                                + ", or lower topics.max.record.bytes to half of what it takes."));
            }
            if (input && most > recordBytes) {
                wrong.add(new TopicProblem(
                        ProblemKind.INPUT_LARGE,
                        name,
                        "Input topic " + name + " takes records of " + most
                                + " bytes, more than a dead letter is made for.",
                        "Raise topics.max.record.bytes to " + most + ", or lower the topic's max.message.bytes."));
            }
        }
    }
}
