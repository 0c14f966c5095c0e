package dev.parley.serde;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.codec.WireCodec;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * Configuration of the wire serdes and of {@code WireConverter}, from the map that Kafka passes to {@code configure}.
 * Ignores unknown keys.
 */
public final class WireConfig {

    /**
     * The protocol: {@code slip} or {@code nslip}, {@code subit}, {@code csp}, {@code lambda} or {@code λ}. Not
     * case-sensitive. Required unless the serde was created with a codec.
     */
    public static final String PROTOCOL = "parley.protocol";

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
        ConfigDef definition = new ConfigDef()
                .define(
                        PROTOCOL,
                        Type.STRING,
                        null,
                        ConfigDef.LambdaValidator.with(
                                (key, name) -> {
                                    if (name != null) {
                                        named(name);
                                    }
                                },
                                WireProtocols.STANDARD::names),
                        Importance.HIGH,
                        "Protocol of the messages, in any case. Required by a class that Kafka creates by name.")
                .define(
                        PROFILE,
                        Type.STRING,
                        "lenient",
                        ConfigDef.CaseInsensitiveValidString.in("lenient", "strict"),
                        Importance.MEDIUM,
                        "Decoding profile. lenient: format warnings are accepted. strict: every format warning is a "
                                + "decode error.");
        Limits limits = Limits.DEFAULT;
        limit(definition, Importance.MEDIUM, MESSAGE_BYTES, limits.messageBytes(), "Maximum bytes of a message.");
        definition.define(
                DEPTH,
                Type.INT,
                limits.depth(),
                Range.between(1, 1_000),
                Importance.LOW,
                "Maximum nesting depth of a message, the outermost bracket being 1.");
        limit(definition, Importance.LOW, FIELDS, limits.fields(), "Maximum slots or keys of a message.");
        limit(definition, Importance.LOW, OPERATIONS, limits.operations(), "Maximum operations of a patch.");
        return definition;
    }

    private static void limit(ConfigDef definition, Importance importance, String key, int value, String doc) {
        definition.define(key, Type.INT, value, Range.atLeast(1), importance, doc);
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

    /**
     * The protocol that a configuration names.
     *
     * @param <M> the generated record of that protocol, which the caller knows
     * @throws ConfigException if the name is missing or unknown; lists the names
     */
    @SuppressWarnings("unchecked")
    public static <M extends SpecificRecord> WireProtocol<M> protocol(Map<String, ?> configs) {
        return (WireProtocol<M>) named(configs.get(PROTOCOL));
    }

    private static WireProtocol<?> named(Object name) {
        WireProtocol<?> protocol = name == null
                ? null
                : WireProtocols.STANDARD.named(name.toString().strip());
        if (protocol == null) {
            throw new ConfigException(PROTOCOL, name, "must be one of " + WireProtocols.STANDARD.names());
        }
        return protocol;
    }

    /** The given codec, or that of the protocol in the configuration if it is null. */
    static <M extends SpecificRecord> WireCodec<M> codec(Map<String, ?> configs, WireCodec<M> given) {
        return given == null ? WireConfig.<M>protocol(configs).codec() : given;
    }

    static <M extends SpecificRecord> WireCodec<M> requireConfigured(WireCodec<M> codec) {
        if (codec == null) {
            throw new IllegalStateException(
                    "No protocol is set: call configure with " + PROTOCOL + ", or create the serde with a codec.");
        }
        return codec;
    }
}
