package dev.parley.topology.topics;

import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.topics.TopicSpec.Retention;
import dev.parley.topology.topics.TopicSpec.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates Parley's missing topics and validates the existing ones. */
public final class TopicSetup {
    /** Maximum size of a record of the redaction topic, in bytes. */
    public static final int REDACTION_BYTES = 64 << 10;

    private final TopicNames names;
    private final Map<String, TopicSpec> specs = new LinkedHashMap<>();
    private final int partitions;
    private final Optional<Short> replication;
    private final boolean samePartitions;
    private final Set<String> sources;

    /** Has the topics of the applications that a configuration runs, and other ones. */
    public TopicSetup(ParleyConfig config, Collection<TopicSpec> others) {
        names = config.topics();
        partitions = config.getInt(ParleyConfig.PARTITIONS);
        replication = Optional.of(config.getShort(ParleyConfig.REPLICATION)).filter(factor -> factor > 0);
        samePartitions = config.getBoolean(ParleyConfig.KEYED);
        InputTopics inputs = InputTopics.of(config);
        sources = Set.copyOf(inputs.sources());
        int outputBytes = config.outputRecordBytes();
        if (config.hasRole("pipeline")) {
            inputs.topics()
                    .forEach(topic ->
                            expiring(topic, config.getInt(ParleyConfig.RECORD_BYTES), config, RetentionKeys.INPUTS));
            expiring(names.message(), outputBytes, config, RetentionKeys.MESSAGE);
        }
        expiring(names.redaction(), REDACTION_BYTES, config, RetentionKeys.AUDIT);
        expiring(names.audit(), outputBytes, config, RetentionKeys.AUDIT);
        add(TopicSpec.kept(names.auditHead(), outputBytes));
        add(TopicSpec.compacted(names.auditTile(), outputBytes));
        add(TopicSpec.compacted(names.checkpoint(), outputBytes));
        add(TopicSpec.compacted(names.parkedItem(), outputBytes));
        add(TopicSpec.compacted(names.accounting(), outputBytes));
        for (String topic : names.deadLetters()) {
            expiring(topic, outputBytes, config, RetentionKeys.DEAD_LETTERS);
        }
        if (config.hasRole("views")) {
            expiring(names.traffic(), outputBytes, config, RetentionKeys.TRAFFIC);
            List.of(names.violation(), names.edge(), names.turnaround(), names.patch(), names.definitionChange())
                    .forEach(topic -> expiring(topic, outputBytes, config, RetentionKeys.ANALYTICS));
            add(TopicSpec.compacted(names.openItem(), outputBytes));
        }
        others.forEach(this::add);
    }

    /** Returns the topics of the applications that a configuration runs, with their settings. */
    public static TopicSetup of(ParleyConfig config) {
        return new TopicSetup(config, List.of());
    }

    private void expiring(String name, int recordBytes, ParleyConfig config, String key) {
        TopicSpec spec = TopicSpec.expiring(name, recordBytes, Retention.of(config, key));
        Use input = config.trustsProducerTime() ? Use.INPUT : Use.INPUT_WITH_BROKER_TIME;
        add(sources.contains(name) ? spec.with(input) : spec);
    }

    private void add(TopicSpec spec) {
        specs.put(spec.name(), spec);
    }

    /** Returns the names of the deployment's own topics. */
    public TopicNames topics() {
        return names;
    }

    /** Returns the names of the topics, input topics first. */
    public List<String> names() {
        return List.copyOf(specs.keySet());
    }

    /**
     * Finds topics whose retention differs from the configuration. Parley works with them.
     *
     * @param configs settings of existing topics, by name
     */
    public List<Finding> retentionDifferences(Map<String, Config> configs) {
        List<Finding> different = new ArrayList<>();
        configs.forEach((name, config) -> specs.get(name)
                .retention()
                .filter(retention -> !retention.key().isEmpty() && retention.millis() != RetentionKeys.BROKERS_DEFAULT)
                .ifPresent(retention -> {
                    String kept = config.get(TopicConfig.RETENTION_MS_CONFIG).value();
                    if (Long.parseLong(kept) != retention.millis()) {
                        different.add(Check.RETENTION_DIFFERS.finding(
                                "topic " + name,
                                "It has retention.ms=" + kept + ", and " + retention.key() + " is " + retention.millis()
                                        + ".",
                                "Set retention.ms of the topic, or change the configuration. Parley sets it only when"
                                        + " it creates the topic."));
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
     * @return findings about existing topics
     * @throws KafkaException if the brokers are unavailable or reject a request
     */
    public List<Finding> createAndValidate(Admin admin) {
        Map<String, TopicDescription> existing =
                TopicInventory.describe(admin, specs.keySet()).existing();
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
    public List<Finding> validate(Map<String, TopicDescription> existing, Map<String, Config> configs) {
        List<Finding> findings = new ArrayList<>();
        specs.values().forEach(topic -> {
            Config config = configs.get(topic.name());
            if (config != null) {
                topic.validate(config, findings::add);
            }
        });
        Map<String, Integer> partitions = new TreeMap<>();
        existing.forEach((name, topic) -> {
            if (sources.contains(name)) {
                partitions.put(name, topic.partitions().size());
            }
        });
        if (samePartitions && new HashSet<>(partitions.values()).size() > 1) {
            findings.add(Check.INPUTS_DIFFER.finding(
                    "topic " + names.wire(),
                    "The input topics differ in their number of partitions: "
                            + partitions.entrySet().stream()
                                    .map(topic -> topic.getKey() + " has " + topic.getValue())
                                    .collect(Collectors.joining(", "))
                            + ".",
                    "Give all the same, or unset input.keyed-by-conversation."));
        }
        TopicDescription audit = existing.get(names.audit());
        for (String other : List.of(names.checkpoint(), names.parkedItem(), names.auditHead(), names.auditTile())) {
            TopicDescription sibling = existing.get(other);
            if (audit == null
                    || sibling == null
                    || audit.partitions().size() == sibling.partitions().size()) {
                continue;
            }
            findings.add(Check.VIEWS_DIFFER.finding(
                    "topic " + other,
                    "Topic " + other + " has "
                            + sibling.partitions().size() + " partitions, " + names.audit() + " "
                            + audit.partitions().size() + ".",
                    "Records of one conversation must be in partitions of the same number. Create both topics with "
                            + "the same number of partitions, then run parley reset --empty-outputs."));
        }
        return findings;
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
        // Kafka Streams does not start while the brokers do not know the topic of a global store.
        List<String> names = topics.stream().map(NewTopic::name).toList();
        AdminFutures.retried(
                () -> admin.describeTopics(names).allTopicNames(),
                UnknownTopicOrPartitionException.class,
                "Interrupted while creating topics");
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
}
