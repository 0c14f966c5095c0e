package dev.parley.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;

/** Keys of {@link ParleyConfig} for retention. */
public final class RetentionKeys {
    /** Value of a topic's key that selects the brokers' default. */
    public static final long BROKERS_DEFAULT = -2;

    public static final String CHECKPOINTS = "csp.retention.ms";
    public static final String INPUTS = "topics.retention.inputs.ms";
    public static final String MESSAGE = "topics.retention.message.ms";
    public static final String AUDIT = "topics.retention.audit.ms";
    public static final String TRAFFIC = "topics.retention.traffic.ms";
    public static final String ANALYTICS = "topics.retention.analytics.ms";
    public static final String DEAD_LETTERS = "topics.retention.dead-letters.ms";

    public static final String VIEWS_CONVERSATIONS = "views.retention.conversations.ms";
    public static final String VIEWS_DEAD_LETTERS = "views.retention.dead-letters.ms";
    public static final String VIEWS_STATISTICS = "views.retention.statistics.ms";

    private RetentionKeys() {}

    static void addTo(KeyDefinitions definitions) {
        definitions
                .key(CHECKPOINTS, -1L, atLeast(-1))
                .doc("Milliseconds of record time that a checkpoint is kept after its first child was applied. Then "
                        + "its content is pruned, and no patch can use it as its base. -1: keep all. A checkpoint "
                        + "without children is always kept.");
        topic(definitions, INPUTS, BROKERS_DEFAULT, "input topics");
        topic(definitions, MESSAGE, BROKERS_DEFAULT, "the message topic");
        topic(definitions, AUDIT, -1, "the audit topic");
        topic(definitions, TRAFFIC, BROKERS_DEFAULT, "the traffic topic");
        topic(definitions, ANALYTICS, BROKERS_DEFAULT, "the analytics topics other than the traffic topic");
        topic(definitions, DEAD_LETTERS, BROKERS_DEFAULT, "dead-letter topics");
        definitions
                .key(VIEWS_CONVERSATIONS, -1L, atLeast(-1))
                .doc("Milliseconds of record time that a conversation may be idle before the views prune its "
                        + "messages; its summary is kept. -1: keep all.")
                .key(VIEWS_DEAD_LETTERS, -1L, atLeast(-1))
                .doc("Milliseconds of record time that dead letters stay visible in the views; the topic may keep "
                        + "them longer. -1: keep all.")
                .key(VIEWS_STATISTICS, 691_200_000L, atLeast(-1))
                .doc("Milliseconds that the rows of the analytics topics stay visible in the views (/v1/stats); the "
                        + "topics may keep them longer. -1: keep all.");
    }

    /**
     * Defines the key of the retention of a topic.
     *
     * @param topics name of the topic or topics, for the documentation
     */
    public static void topic(KeyDefinitions definitions, String key, long defaultMs, String topics) {
        definitions
                .key(key, defaultMs, atLeast(BROKERS_DEFAULT))
                .doc("Retention, in milliseconds, of " + topics
                        + ", applied when Parley creates a topic. -1: unlimited. -2: the brokers' default. The"
                        + " preflight checks report existing topics that differ, except with -2.");
    }
}
