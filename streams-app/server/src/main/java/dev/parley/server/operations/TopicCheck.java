package dev.parley.server.operations;

import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicInventory;
import dev.parley.topology.topics.TopicSetup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;

/** Checks that the topics have the settings that Parley needs, or can be created. */
record TopicCheck(Admin admin, TopicSetup setup, List<Finding> findings) {

    void run(TopicInventory topics) {
        Map<String, TopicDescription> existing = new TreeMap<>(topics.existing());
        existing.keySet().retainAll(setup.names());
        Map<String, Config> configs = TopicSetup.configs(admin, existing.keySet());
        findings.addAll(setup.validate(existing, configs));
        existing.forEach((name, topic) -> available(topic, configs.get(name)));
        findings.addAll(setup.retentionDifferences(configs));
        List<NewTopic> missing = new ArrayList<>();
        setup.names().stream().filter(topics::isMissing).map(setup::newTopic).forEach(missing::add);
        creatable(missing);
    }

    /** Asks the brokers to validate the creation of topics without creating them; returns the refusals by name. */
    static Map<String, KafkaException> refusals(Admin admin, Collection<NewTopic> topics) {
        Map<String, KafkaException> refusals = new TreeMap<>();
        admin.createTopics(topics, new CreateTopicsOptions().validateOnly(true))
                .values()
                .forEach((name, answer) -> {
                    try {
                        AdminFutures.of(answer);
                    } catch (KafkaException e) {
                        refusals.put(name, e);
                    }
                });
        return refusals;
    }

    private void creatable(List<NewTopic> missing) {
        refusals(admin, missing).forEach((name, refusal) -> {
            if (refusal instanceof AuthorizationException) {
                findings.add(AccessCheck.denied("topic " + name, "create", "it is missing"));
            } else if (!(refusal instanceof TopicExistsException)) {
                // Otherwise another instance has created it meanwhile.
                findings.add(Check.TOPIC_REFUSED.finding(
                        "topic " + name,
                        "The topic is missing, and the brokers refuse to create it: " + AdminFutures.root(refusal)
                                + ".",
                        "Create it yourself, or change topics.partitions and topics.replication.factor."));
            }
        });
    }

    private void available(TopicDescription topic, Config config) {
        int inSync = minInSync(config);
        List<Integer> down = offline(topic, inSync);
        if (!down.isEmpty()) {
            findings.add(Check.TOPIC_OFFLINE.finding(
                    "topic " + topic.name(),
                    "Partitions " + down + " have no leader, or fewer in-sync replicas than min.insync.replicas ("
                            + inSync + ").",
                    "Start the missing brokers, or lower min.insync.replicas."));
        }
    }

    /** The in-sync replicas that a topic requires; 1 if its settings are unknown. */
    static int minInSync(Config config) {
        return config == null
                ? 1
                : Integer.parseInt(
                        config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
    }

    /** The partitions of a topic without a leader, or with fewer in-sync replicas. */
    static List<Integer> offline(TopicDescription topic, int inSync) {
        return topic.partitions().stream()
                .filter(partition ->
                        partition.leader() == null || partition.isr().size() < inSync)
                .map(TopicPartitionInfo::partition)
                .toList();
    }
}
