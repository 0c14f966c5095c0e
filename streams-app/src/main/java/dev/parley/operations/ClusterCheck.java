package dev.parley.operations;

import dev.parley.config.ParleyConfig;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Whether the brokers answer, are enough, can have transactions, and agree with this machine about the time. */
final class ClusterCheck {
    private static final String TRANSACTION_LOG = "__transaction_state";
    private static final long MOST_SKEW_MS = 5_000;

    private final Admin admin;
    private final ParleyConfig config;
    private final List<Finding> findings;

    ClusterCheck(Admin admin, ParleyConfig config, List<Finding> findings) {
        this.admin = admin;
        this.config = config;
        this.findings = findings;
    }

    /** Looks; false when the brokers do not answer, so that nothing else about them can be asked. */
    boolean look() {
        String brokers = "brokers " + String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS));
        Collection<Node> nodes;
        try {
            nodes = Answers.of(admin.describeCluster().nodes());
        } catch (AuthenticationException e) {
            findings.add(
                    new Finding(
                            Check.BROKERS_REFUSE,
                            brokers,
                            "They do not let this client in: " + Answers.root(e) + ".",
                            "Compare kafka.security.protocol, kafka.sasl.* and kafka.ssl.* with what the brokers' listener wants."));
            return false;
        } catch (AuthorizationException e) {
            findings.add(new Finding(
                    Check.NOT_CHECKED,
                    brokers,
                    "This principal may not describe the cluster.",
                    "Nothing, unless you want the size of the cluster checked."));
            return true;
        } catch (KafkaException e) {
            findings.add(
                    new Finding(
                            Check.BROKERS_SILENT,
                            brokers,
                            "None answers: " + Answers.root(e) + ".",
                            "Start them, or mend bootstrap.servers; if they run, the listener may want another kafka.security.protocol."));
            return false;
        }
        size(nodes.size());
        limits(nodes);
        transactions(nodes);
        clock();
        return true;
    }

    private void size(int brokers) {
        short factor = config.getShort(ParleyConfig.REPLICATION);
        if (factor > brokers) {
            findings.add(new Finding(
                    Check.CLUSTER_SMALL,
                    "cluster",
                    "topics.replication.factor is " + factor + ", but the cluster has " + brokers + " broker"
                            + (brokers == 1 ? "." : "s."),
                    "Start more brokers, or lower topics.replication.factor."));
        }
        if (factor == 1 && brokers > 1) {
            findings.add(new Finding(
                    Check.REPLICATION_LOW,
                    "cluster",
                    "topics.replication.factor is 1, although the cluster has " + brokers
                            + " brokers: one lost disk loses records.",
                    "Set topics.replication.factor to " + Math.min(3, brokers)
                            + "; topics that exist must be reassigned by hand."));
        }
    }

    private void limits(Collection<Node> nodes) {
        Config broker = brokerConfig(nodes);
        ConfigEntry limit = broker == null ? null : broker.get("socket.request.max.bytes");
        if (limit != null && Long.parseLong(limit.value()) < config.outputRecordBytes()) {
            findings.add(new Finding(
                    Check.REQUESTS_SMALL,
                    "cluster",
                    "The brokers take requests of " + limit.value()
                            + " bytes (socket.request.max.bytes), but a record may have " + config.outputRecordBytes()
                            + ".",
                    "Raise it, or lower topics.max.record.bytes and limits.message.bytes."));
        }
    }

    private void transactions(Collection<Node> nodes) {
        try {
            TopicDescription log = Answers.of(admin.describeTopics(List.of(TRANSACTION_LOG))
                    .topicNameValues()
                    .get(TRANSACTION_LOG));
            int inSync = minInSync();
            long broken = log.partitions().stream()
                    .filter(partition ->
                            partition.leader() == null || partition.isr().size() < inSync)
                    .count();
            if (broken > 0) {
                findings.add(new Finding(
                        Check.TOPIC_OFFLINE,
                        "topic " + TRANSACTION_LOG,
                        broken + " of its " + log.partitions().size()
                                + " partitions have no leader or too few replicas in sync, so transactions fail.",
                        "Start the brokers that are down."));
            }
        } catch (UnknownTopicOrPartitionException e) {
            Config broker = brokerConfig(nodes);
            ConfigEntry factor = broker == null ? null : broker.get("transaction.state.log.replication.factor");
            if (factor != null && Integer.parseInt(factor.value()) > nodes.size()) {
                findings.add(new Finding(
                        Check.TRANSACTIONS_IMPOSSIBLE,
                        "cluster",
                        "transaction.state.log.replication.factor of the brokers is " + factor.value()
                                + ", but there are " + nodes.size() + ": the transaction log cannot be created.",
                        "Start more brokers, or lower that setting and transaction.state.log.min.isr on the brokers."));
            }
        } catch (AuthorizationException e) {
            notAllowed("transaction log", "DESCRIBE on the topic " + TRANSACTION_LOG);
        }
    }

    private int minInSync() {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, TRANSACTION_LOG);
        try {
            Config settings =
                    Answers.of(admin.describeConfigs(List.of(resource)).values().get(resource));
            return Integer.parseInt(
                    settings.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
        } catch (AuthorizationException e) {
            return 1;
        }
    }

    /** Settings of one broker; null when this principal may not read them. */
    private Config brokerConfig(Collection<Node> nodes) {
        if (nodes.isEmpty()) {
            return null;
        }
        ConfigResource resource = new ConfigResource(
                ConfigResource.Type.BROKER, nodes.iterator().next().idString());
        try {
            Map<ConfigResource, Config> settings =
                    Answers.of(admin.describeConfigs(List.of(resource)).all());
            return settings.get(resource);
        } catch (AuthorizationException e) {
            return null;
        }
    }

    /** The leader of the quorum tells its own time as the time when it was last in step with itself. */
    private void clock() {
        long before = System.currentTimeMillis();
        QuorumInfo quorum;
        try {
            quorum = Answers.of(admin.describeMetadataQuorum().quorumInfo());
        } catch (AuthorizationException e) {
            notAllowed("clock", "DESCRIBE on the cluster");
            return;
        } catch (UnsupportedVersionException e) {
            return;
        }
        long after = System.currentTimeMillis();
        OptionalLong theirs = quorum.voters().stream()
                .filter(voter -> voter.replicaId() == quorum.leaderId())
                .map(QuorumInfo.ReplicaState::lastCaughtUpTimestamp)
                .findFirst()
                .orElse(OptionalLong.empty());
        if (theirs.isPresent() && theirs.getAsLong() > 0) {
            skew(before, theirs.getAsLong(), after).ifPresent(findings::add);
        }
    }

    /** What is to be said of a clock that showed a time between two readings of ours. */
    static Optional<Finding> skew(long before, long theirs, long after) {
        long skew = theirs < before ? theirs - before : Math.max(0, theirs - after);
        if (Math.abs(skew) <= MOST_SKEW_MS) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding(
                        Check.CLOCK_SKEW,
                        "clock",
                        "This machine's clock is " + Math.abs(skew) / 1_000 + " s " + (skew < 0 ? "ahead of" : "behind")
                                + " the cluster's.",
                        "Run a time service on both; brokers date records, and a date more than an hour ahead of this clock is not used."));
    }

    private void notAllowed(String what, String permission) {
        findings.add(new Finding(
                Check.NOT_CHECKED, what, "This principal lacks " + permission + ".", "Nothing; Parley works without."));
    }
}
