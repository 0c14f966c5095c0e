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

/** Configuration of the wire deserializers, read from the map that Kafka's {@code configure} passes. Keys it does not know are ignored. */
public final class WireConfig {

    /** {@code lenient} (the default), or {@code strict}: departures from form are faults. Case does not matter. */
    public static final String PROFILE = "parley.profile";

    /** Most bytes of a message. */
    public static final String MESSAGE_BYTES = "parley.limits.message.bytes";

    /** Deepest nesting, the outermost bracket being 1. */
    public static final String DEPTH = "parley.limits.depth";

    /** Most slots or keys of a message. */
    public static final String FIELDS = "parley.limits.fields";

    /** Most operations of a patch. */
    public static final String OPERATIONS = "parley.limits.operations";

    private WireConfig() {}

    /** The definition of the keys, for documentation and validation; a new one each time. */
    public static ConfigDef definition() {
        Range positive = Range.atLeast(1);
        return new ConfigDef()
                .define(
                        PROFILE,
                        Type.STRING,
                        "lenient",
                        ConfigDef.CaseInsensitiveValidString.in("lenient", "strict"),
                        Importance.MEDIUM,
                        "How strictly messages are read: lenient warns of departures from form, strict refuses them.")
                .define(
                        MESSAGE_BYTES,
                        Type.INT,
                        Limits.DEFAULT.messageBytes(),
                        positive,
                        Importance.MEDIUM,
                        "Most bytes of a message.")
                .define(
                        DEPTH,
                        Type.INT,
                        Limits.DEFAULT.depth(),
                        Range.between(1, 1_000),
                        Importance.LOW,
                        "Deepest nesting of a message, the outermost bracket being 1.")
                .define(
                        FIELDS,
                        Type.INT,
                        Limits.DEFAULT.fields(),
                        positive,
                        Importance.LOW,
                        "Most slots or keys of a message.")
                .define(
                        OPERATIONS,
                        Type.INT,
                        Limits.DEFAULT.operations(),
                        positive,
                        Importance.LOW,
                        "Most operations of a patch.");
    }

    /**
     * What the configuration says.
     *
     * @throws ConfigException when a value is not allowed, naming its key
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
