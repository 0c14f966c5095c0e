package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/** The keys of {@link ParleyConfig} that say how long what Parley writes is kept. */
public final class RetentionKeys {
    /** Value of a topic's key that leaves it to the brokers. */
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
                "How many milliseconds of record time a checkpoint is kept after the first patch was applied to it; then what it holds is pruned, and no patch "
                        + "can have it as its base. -1 keeps all. A checkpoint that no patch was applied to is kept whatever its age.");
        topic(definition, INPUTS, BROKERS_DEFAULT, "the input topics");
        topic(definition, MESSAGE, BROKERS_DEFAULT, "the message topic");
        topic(definition, AUDIT, -1, "the audit topic");
        topic(definition, TRAFFIC, BROKERS_DEFAULT, "the topic of the traffic counts");
        topic(definition, DEAD_LETTERS, BROKERS_DEFAULT, "the dead-letter topics");
        kept(
                definition,
                VIEWS_CONVERSATIONS,
                "How many milliseconds of record time a conversation may be silent until the views forget its messages; its summary is kept. -1 keeps all.");
        kept(
                definition,
                VIEWS_DEAD_LETTERS,
                "How many milliseconds of record time the views show a dead letter; its topic may keep it longer. -1 keeps all.");
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
                "Milliseconds that " + what
                        + " keep their records, when Parley creates them; -1 for ever, -2 for the brokers' default. Of topics that "
                        + "exist the preflight says whether they differ from a value that is set.");
    }
}
