package dev.parley.serde;

import dev.parley.codec.WireCodec;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serializes messages in the canonical form of their wire protocol; null stays null. Thread-safe once configured.
 *
 * @param <M> the generated record of the protocol
 */
public final class WireSerializer<M extends SpecificRecord> implements Serializer<M> {
    private final WireCodec<M> given;
    private volatile WireCodec<M> codec;

    /** For Kafka, which creates serializers by class name; {@link WireConfig#PROTOCOL} must name the protocol. */
    public WireSerializer() {
        given = null;
    }

    /** Creates a serializer of one protocol, whatever {@link WireConfig#PROTOCOL} names. */
    public WireSerializer(WireCodec<M> codec) {
        given = Objects.requireNonNull(codec, "codec");
        this.codec = codec;
    }

    /**
     * Sets the protocol.
     *
     * @param configs the keys of {@link WireConfig}; all except the protocol are ignored
     * @throws ConfigException if the protocol is missing or unknown
     */
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        codec = WireConfig.codec(configs, given);
    }

    /**
     * Encodes a message in canonical form.
     *
     * @throws SerializationException if the protocol cannot represent the record; names the field
     * @throws IllegalStateException if neither the constructor nor the configuration names the protocol
     */
    @Override
    public byte[] serialize(String topic, M message) {
        if (message == null) {
            return null;
        }
        WireCodec<M> known = WireConfig.requireConfigured(codec);
        try {
            return known.encodeChecked(message);
        } catch (IllegalArgumentException unsayable) {
            throw new SerializationException(
                    "The record cannot be encoded as a " + known.protocol() + " message: " + unsayable.getMessage(),
                    unsayable);
        }
    }
}
