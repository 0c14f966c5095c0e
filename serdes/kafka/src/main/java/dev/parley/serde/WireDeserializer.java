package dev.parley.serde;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.WireCodec;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Deserializes messages of a wire protocol; null stays null. Uses the lenient profile and the default limits unless
 * {@link WireConfig} sets others. Reports neither warnings nor violations, which are the result of judging. Thread-safe
 * once configured.
 *
 * @param <M> the generated record of the protocol
 */
public class WireDeserializer<M extends SpecificRecord> implements Deserializer<M> {
    private final WireCodec<M> codec;
    private volatile DecodeOptions options = DecodeOptions.LENIENT;

    public WireDeserializer(WireCodec<M> codec) {
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Sets the profile and the limits.
     *
     * @param configs the keys of {@link WireConfig}; others are ignored
     * @throws org.apache.kafka.common.config.ConfigException if a value is not allowed; names its key
     */
    @Override
    public final void configure(Map<String, ?> configs, boolean isKey) {
        options = WireConfig.decodeOptions(configs);
    }

    /**
     * Decodes a message.
     *
     * @throws MalformedMessageException if the bytes are not a message of the protocol
     */
    @Override
    public final M deserialize(String topic, byte[] wire) {
        if (wire == null) {
            return null;
        }
        DecodeResult<M> result = codec.decode(wire, options);
        if (result instanceof DecodeResult.Malformed<M> fault) {
            throw new MalformedMessageException(topic, fault.code(), fault.offset(), fault.detail());
        }
        return ((DecodeResult.Decoded<M>) result).message();
    }
}
