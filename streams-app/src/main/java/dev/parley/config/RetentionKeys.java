package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Keys of {@link ParleyConfig} for retention. */
public final class RetentionKeys {
    /** Value of a topic's key that selects the brokers' default. */
    public static final long BROKERS_DEFAULT = -2;

    /** {@value}. */
    public static final String CHECKPOINTS = "csp.retention.ms";
    /** {@value}. */
    public static final String INPUTS = "topics.retention.inputs.ms";
    /** {@value}. */
    public static final String MESSAGE = "topics.retention.message.ms";
    /** {@value}. */
    public static final String AUDIT = "topics.retention.audit.ms";
    /** {@value}. */
    public static final String TRAFFIC = "topics.retention.traffic.ms";
    /** {@value}. */
    public static final String DEAD_LETTERS = "topics.retention.dead-letters.ms";

    /** {@value}. */
    public static final String VIEWS_CONVERSATIONS = "views.retention.conversations.ms";
    /** {@value}. */
    public static final String VIEWS_DEAD_LETTERS = "views.retention.dead-letters.ms";

    private RetentionKeys() {}

    static void addTo(ConfigDef definition) {
        kept(
                definition,
                CHECKPOINTS,
                "Milliseconds of record time that a checkpoint is kept after its first child was applied. Then its "
                        + "content is pruned, and no patch can use it as its base. -1: keep all. A checkpoint without "
                        + "children is always kept.");
        topic(definition, INPUTS, BROKERS_DEFAULT, "input topics");
        topic(definition, MESSAGE, BROKERS_DEFAULT, "the message topic");
        topic(definition, AUDIT, -1, "the audit topic");
        topic(definition, TRAFFIC, BROKERS_DEFAULT, "the traffic topic");
        topic(definition, DEAD_LETTERS, BROKERS_DEFAULT, "dead-letter topics");
        kept(
                definition,
                VIEWS_CONVERSATIONS,
                "Milliseconds of record time that a conversation may be idle before the views prune its messages; its "
                        + "summary is kept. -1: keep all.");
        kept(
                definition,
                VIEWS_DEAD_LETTERS,
                "Milliseconds of record time that dead letters stay visible in the views; the topic may keep them "
                        + "longer. -1: keep all.");
    }

    private static void kept(ConfigDef definition, String key, String documentation) {
        definition.define(key, Type.LONG, -1L, Range.atLeast(-1), Importance.MEDIUM, documentation);
    }

    private static void topic(ConfigDef definition, String key, long otherwise, String what) {
        definition.define(
                key,
                Type.LONG,
                otherwise,
                Range.atLeast(BROKERS_DEFAULT),
                Importance.MEDIUM,
                "Retention, in milliseconds, of " + what
                        + ", applied when Parley creates a topic. -1: unlimited. -2: the brokers' default. The"
                        + " preflight checks report existing topics that differ from a value set here.");
    }
}
