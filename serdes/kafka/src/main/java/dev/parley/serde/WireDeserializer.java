package dev.parley.serde;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.WireCodec;
import dev.parley.diagnosis.ValueDiagnosis;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Deserializes messages of a wire protocol; null stays null. Uses the lenient profile and the default limits unless
 * {@link WireConfig} sets others. Reports neither warnings nor violations, which are the result of judging. Thread-safe
 * once configured.
 *
 * @param <M> the generated record of the protocol
 */
public final class WireDeserializer<M extends SpecificRecord> implements Deserializer<M> {
    private final WireCodec<M> given;
    private volatile WireCodec<M> codec;
    private volatile DecodeOptions options = DecodeOptions.LENIENT;

    /** For Kafka, which creates deserializers by class name; {@link WireConfig#PROTOCOL} must name the protocol. */
    public WireDeserializer() {
        given = null;
    }

    /** Creates a deserializer of one protocol, whatever {@link WireConfig#PROTOCOL} names. */
    public WireDeserializer(WireCodec<M> codec) {
        given = Objects.requireNonNull(codec, "codec");
        this.codec = codec;
    }

    /**
     * Sets the protocol, the profile and the limits.
     *
     * @param configs the keys of {@link WireConfig}; others are ignored
     * @throws ConfigException if the protocol is missing or unknown, or a value is not allowed; names its key
     */
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        codec = WireConfig.codec(configs, given);
        options = WireConfig.decodeOptions(configs);
    }

    /**
     * Decodes a message.
     *
     * @throws MalformedMessageException if the bytes are not a message of the protocol
     * @throws IllegalStateException if neither the constructor nor the configuration names the protocol
     */
    @Override
    public M deserialize(String topic, byte[] wire) {
        if (wire == null) {
            return null;
        }
        DecodeResult<M> result = WireConfig.requireConfigured(codec).decode(wire, options);
        if (result instanceof DecodeResult.Malformed<M> error) {
            DecodeResult.Malformed<?> cause = ValueDiagnosis.explain(wire, codec.protocol(), error);
            throw new MalformedMessageException(topic, cause.code(), cause.offset(), cause.detail());
        }
        return ((DecodeResult.Decoded<M>) result).message();
    }
}
