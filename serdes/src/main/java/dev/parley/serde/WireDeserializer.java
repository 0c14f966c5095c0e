package dev.parley.serde;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.WireCodec;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads messages of a wire protocol; null as null. Lenient with the default limits until {@link WireConfig} says otherwise. Warnings and
 * violations are not reported: a deserializer tells what a message says, the judge whether it was legal. Once configured, it may be used by
 * any number of threads.
 *
 * @param <M> the generated record of the protocol
 */
public class WireDeserializer<M extends SpecificRecord> implements Deserializer<M> {
    private final WireCodec<M> codec;
    private volatile DecodeOptions options = DecodeOptions.LENIENT;

    /** Over a codec. */
    public WireDeserializer(WireCodec<M> codec) {
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Takes profile and limits.
     *
     * @param configs the keys of {@link WireConfig}; others are ignored
     * @throws org.apache.kafka.common.config.ConfigException when a value is not allowed, naming its key
     */
    @Override
    public final void configure(Map<String, ?> configs, boolean isKey) {
        options = WireConfig.decodeOptions(configs);
    }

    /**
     * The message.
     *
     * @throws MalformedMessageException when the bytes are not a message of the protocol
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
