package dev.parley.serde;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * Configuration of the wire deserializers, from the map that Kafka passes to {@code configure}. Ignores unknown keys.
 */
public final class WireConfig {

    /**
     * {@code lenient} (the default), or {@code strict}, which turns format warnings into decode errors. Not
     * case-sensitive.
     */
    public static final String PROFILE = "parley.profile";

    /** Maximum bytes of a message. */
    public static final String MESSAGE_BYTES = "parley.limits.message.bytes";

    /** Maximum nesting depth, the outermost bracket being 1. */
    public static final String DEPTH = "parley.limits.depth";

    /** Maximum slots or keys of a message. */
    public static final String FIELDS = "parley.limits.fields";

    /** Maximum operations of a patch. */
    public static final String OPERATIONS = "parley.limits.operations";

    private WireConfig() {}

    /** Creates the definition of the keys, for documentation and validation. */
    public static ConfigDef definition() {
        Range positive = Range.atLeast(1);
        return new ConfigDef()
                .define(
                        PROFILE,
                        Type.STRING,
                        "lenient",
                        ConfigDef.CaseInsensitiveValidString.in("lenient", "strict"),
                        Importance.MEDIUM,
                        "Decoding profile. lenient: format warnings are accepted. strict: every format warning is a "
                                + "decode error.")
                .define(
                        MESSAGE_BYTES,
                        Type.INT,
                        Limits.DEFAULT.messageBytes(),
                        positive,
                        Importance.MEDIUM,
                        "Maximum bytes of a message.")
                .define(
                        DEPTH,
                        Type.INT,
                        Limits.DEFAULT.depth(),
                        Range.between(1, 1_000),
                        Importance.LOW,
                        "Maximum nesting depth of a message, the outermost bracket being 1.")
                .define(
                        FIELDS,
                        Type.INT,
                        Limits.DEFAULT.fields(),
                        positive,
                        Importance.LOW,
                        "Maximum slots or keys of a message.")
                .define(
                        OPERATIONS,
                        Type.INT,
                        Limits.DEFAULT.operations(),
                        positive,
                        Importance.LOW,
                        "Maximum operations of a patch.");
    }

    /**
     * Reads the options from a configuration.
     *
     * @throws ConfigException if a value is not allowed; names its key
     */
    public static DecodeOptions decodeOptions(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(definition(), configs, false);
        return new DecodeOptions(
                Profile.valueOf(config.getString(PROFILE).toUpperCase(Locale.ROOT)),
                new Limits(
                        config.getInt(MESSAGE_BYTES),
                        config.getInt(DEPTH),
                        config.getInt(FIELDS),
                        config.getInt(OPERATIONS)));
    }
}
