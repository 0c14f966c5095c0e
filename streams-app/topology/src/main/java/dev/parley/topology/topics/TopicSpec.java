package dev.parley.topology.topics;

import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.TimestampType;

/**
 * The settings with which Parley creates a topic, and that it requires of an existing one.
 *
 * @param cleanup cleanup policy
 * @param recordBytes maximum size of a record, in bytes
 * @param retention retention; empty for a compacted topic
 * @param use use of the topic
 * @param singlePartition whether the topic has one partition, regardless of {@code topics.partitions}
 */
public record TopicSpec(
        String name, String cleanup, int recordBytes, Optional<Retention> retention, Use use, boolean singlePartition) {

    /** Use of a topic. */
    public enum Use {
        OUTPUT,
        /** Input, whose record time the producers choose. */
        INPUT,
        /** Input, whose record time the brokers set. */
        INPUT_WITH_BROKER_TIME
    }

    /**
     * The retention of a topic.
     *
     * @param key configuration key; empty if there is none
     * @param millis -1: unlimited; -2: the brokers' default
     */
    public record Retention(String key, long millis) {
        private static final Retention FOREVER = new Retention("", -1);

        /** The retention under a configuration. */
        public static Retention of(ParleyConfig config, String key) {
            return new Retention(key, config.getLong(key));
        }
    }

    /** A topic whose records expire. */
    public static TopicSpec expiring(String name, int recordBytes, Retention retention) {
        return new TopicSpec(
                name, TopicConfig.CLEANUP_POLICY_DELETE, recordBytes, Optional.of(retention), Use.OUTPUT, false);
    }

    /** A topic whose records never expire. */
    public static TopicSpec kept(String name, int recordBytes) {
        return expiring(name, recordBytes, Retention.FOREVER);
    }

    /** A topic that keeps the latest record of each key. */
    public static TopicSpec compacted(String name, int recordBytes) {
        return new TopicSpec(
                name, TopicConfig.CLEANUP_POLICY_COMPACT, recordBytes, Optional.empty(), Use.OUTPUT, false);
    }

    /** The same topic with one partition, whose records are in one order. */
    public TopicSpec withSinglePartition() {
        return new TopicSpec(name, cleanup, recordBytes, retention, use, true);
    }

    public TopicSpec with(Use newUse) {
        return new TopicSpec(name, cleanup, recordBytes, retention, newUse, singlePartition);
    }

    public NewTopic newTopic(int partitions, Optional<Short> replication) {
        Map<String, String> configs = new TreeMap<>(Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                cleanup,
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(recordBytes)));
        retention
                .filter(wanted -> wanted.millis() != RetentionKeys.BROKERS_DEFAULT)
                .ifPresent(wanted -> configs.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(wanted.millis())));
        if (use == Use.INPUT_WITH_BROKER_TIME) {
            configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);
        }
        return new NewTopic(name, Optional.of(singlePartition ? 1 : partitions), replication).configs(configs);
    }

    /** Validates the settings of the existing topic. */
    public void validate(Config config, Consumer<Finding> findings) {
        String policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
        if (!policy.equals(cleanup)) {
            findings.accept(finding(
                    Check.TOPIC_CLEANUP,
                    "Topic " + name + " has cleanup.policy=" + policy + ".",
                    "Set it to " + cleanup + ", or records will "
                            + (cleanup.equals(TopicConfig.CLEANUP_POLICY_COMPACT) ? "expire." : "be compacted away.")));
        }
        String timestampType =
                config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
        if (use == Use.INPUT_WITH_BROKER_TIME && !timestampType.equals(TimestampType.LOG_APPEND_TIME.name)) {
            findings.accept(finding(
                    Check.INPUT_TIME,
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
            findings.accept(finding(
                    Check.TOPIC_CLEANUP,
                    "Topic " + name + " has retention.ms=" + kept + ".",
                    "Set it to -1, or records that parley verify needs will expire."));
        }
        long maxBytes =
                Long.parseLong(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
        if (use == Use.OUTPUT && maxBytes < recordBytes) {
            findings.accept(finding(
                    Check.TOPIC_SMALL,
                    "Topic " + name + " accepts records of " + maxBytes + " bytes.",
                    "Set max.message.bytes to " + recordBytes
                            + ", or lower topics.max.record.bytes to half of the topic's limit."));
        }
        if (use != Use.OUTPUT && maxBytes > recordBytes) {
            findings.accept(finding(
                    Check.INPUT_LARGE,
                    "Input topic " + name + " accepts records of " + maxBytes
                            + " bytes, which may not fit into a dead letter.",
                    "Raise topics.max.record.bytes to " + maxBytes + ", or lower the topic's max.message.bytes."));
        }
    }

    private Finding finding(Check check, String problem, String remedy) {
        return check.finding("topic " + name, problem, remedy);
    }
}
