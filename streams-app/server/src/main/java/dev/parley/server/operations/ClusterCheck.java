package dev.parley.server.operations;

import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicSetup;
import java.util.Collection;
import java.util.List;
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
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Checks that the brokers are available and enough, support transactions, and agree with this machine's clock. */
record ClusterCheck(Admin admin, ParleyConfig config, List<Finding> findings) {

    private static final String TRANSACTION_LOG = "__transaction_state";
    private static final long MAX_SKEW_MS = 5_000;

    /** Runs the check; false if the brokers are unavailable, so that no other check of them can run. */
    boolean run() {
        Optional<Collection<Node>> found = nodes();
        if (found.isEmpty()) {
            return false;
        }
        Collection<Node> nodes = found.get();
        if (!nodes.isEmpty()) {
            size(nodes.size());
            limits(nodes);
            transactions(nodes);
            clock();
        }
        return true;
    }

    /** The brokers, none if this principal may not list them; empty, with a finding, if they are unavailable. */
    Optional<Collection<Node>> nodes() {
        String brokers = "brokers " + String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS));
        try {
            return Optional.of(AdminFutures.of(admin.describeCluster().nodes()));
        } catch (AuthenticationException e) {
            findings.add(Check.BROKERS_REFUSE.finding(
                    brokers,
                    "The brokers at the bootstrap addresses rejected this client: " + AdminFutures.root(e) + ".",
                    "Compare kafka.security.protocol, kafka.sasl.* and kafka.ssl.* with the settings of the "
                            + "brokers' listener."));
            return Optional.empty();
        } catch (AuthorizationException e) {
            notAllowed(brokers, "DESCRIBE on the cluster");
            return Optional.of(List.of());
        } catch (KafkaException e) {
            findings.add(Check.BROKERS_SILENT.finding(
                    brokers,
                    "No broker is available: " + AdminFutures.root(e) + ".",
                    "Start the brokers, or fix bootstrap.servers. If they run, the listener may require "
                            + "another kafka.security.protocol."));
            return Optional.empty();
        }
    }

    private void size(int brokers) {
        short factor = config.getShort(ParleyConfig.REPLICATION);
        if (factor > brokers) {
            findings.add(Check.CLUSTER_SMALL.finding(
                    "cluster",
                    "topics.replication.factor is " + factor + ", but the cluster has " + brokers + " broker"
                            + (brokers == 1 ? "." : "s."),
                    "Start more brokers, or lower topics.replication.factor."));
        }
        if (factor == 1 && brokers > 1) {
            findings.add(Check.REPLICATION_LOW.finding(
                    "cluster",
                    "topics.replication.factor is 1, although the cluster has " + brokers
                            + " brokers: the loss of one disk loses records.",
                    "Set topics.replication.factor to " + Math.min(3, brokers)
                            + ", and reassign the existing topics yourself."));
        }
    }

    private void limits(Collection<Node> nodes) {
        OptionalLong limit = brokerSetting(nodes, "socket.request.max.bytes");
        if (limit.isPresent() && limit.getAsLong() < config.outputRecordBytes()) {
            findings.add(Check.REQUESTS_SMALL.finding(
                    "cluster",
                    "The brokers accept requests of at most " + limit.getAsLong()
                            + " bytes (socket.request.max.bytes), but a record may have " + config.outputRecordBytes()
                            + ".",
                    "Raise the brokers' limit, or lower topics.max.record.bytes and limits.message.bytes."));
        }
    }

    private void transactions(Collection<Node> nodes) {
        try {
            TopicDescription log = AdminFutures.of(admin.describeTopics(List.of(TRANSACTION_LOG))
                    .topicNameValues()
                    .get(TRANSACTION_LOG));
            Config settings =
                    TopicSetup.configs(admin, List.of(TRANSACTION_LOG)).get(TRANSACTION_LOG);
            int broken = TopicCheck.offline(log, TopicCheck.minInSync(settings)).size();
            if (broken > 0) {
                findings.add(Check.TOPIC_OFFLINE.finding(
                        "topic " + TRANSACTION_LOG,
                        broken + " of its " + log.partitions().size()
                                + " partitions have no leader or too few in-sync replicas, so transactions fail.",
                        "Start the missing brokers."));
            }
        } catch (UnknownTopicOrPartitionException e) {
            OptionalLong factor = brokerSetting(nodes, "transaction.state.log.replication.factor");
            if (factor.isPresent() && factor.getAsLong() > nodes.size()) {
                findings.add(Check.TRANSACTIONS_IMPOSSIBLE.finding(
                        "cluster",
                        "The brokers' transaction.state.log.replication.factor is " + factor.getAsLong()
                                + ", but the cluster has " + nodes.size() + " brokers: the transaction log cannot be "
                                + "created.",
                        "Start more brokers, or lower that setting and transaction.state.log.min.isr on the brokers."));
            }
        } catch (AuthorizationException e) {
            notAllowed("transaction log", "DESCRIBE on the topic " + TRANSACTION_LOG);
        }
    }

    /** A setting of one broker; empty if the broker does not have it, or this principal may not read it. */
    private OptionalLong brokerSetting(Collection<Node> nodes, String name) {
        ConfigResource broker = new ConfigResource(
                ConfigResource.Type.BROKER, nodes.iterator().next().idString());
        try {
            ConfigEntry entry = AdminFutures.of(
                            admin.describeConfigs(List.of(broker)).values().get(broker))
                    .get(name);
            return entry == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(entry.value()));
        } catch (AuthorizationException e) {
            return OptionalLong.empty();
        }
    }

    /** Reads the cluster's time: the quorum leader reports its current time as its own last-caught-up time. */
    private void clock() {
        long before = System.currentTimeMillis();
        QuorumInfo quorum;
        try {
            quorum = AdminFutures.of(admin.describeMetadataQuorum().quorumInfo());
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

    /** The finding for a cluster time between two readings of the local clock; empty within the tolerance. */
    static Optional<Finding> skew(long before, long theirs, long after) {
        long skew = theirs < before ? theirs - before : Math.max(0, theirs - after);
        if (Math.abs(skew) <= MAX_SKEW_MS) {
            return Optional.empty();
        }
        return Optional.of(Check.CLOCK_SKEW.finding(
                "clock",
                "This machine's clock is " + Math.abs(skew) / 1_000 + " s " + (skew < 0 ? "ahead of" : "behind")
                        + " the cluster's.",
                "Synchronize both clocks with NTP. Brokers set record timestamps, and Parley ignores "
                        + "timestamps over one hour ahead of its clock."));
    }

    private void notAllowed(String what, String permission) {
        findings.add(Check.NOT_CHECKED.finding(
                what,
                "This principal lacks " + permission + ".",
                "No action needed: Parley does not need this permission to run."));
    }
}
