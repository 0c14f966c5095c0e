package dev.parley.serde;

import dev.parley.codec.WireCodec;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serializes messages in the canonical form of their wire protocol; null stays null. Thread-safe.
 *
 * @param <M> the generated record of the protocol
 */
public class WireSerializer<M extends SpecificRecord> implements Serializer<M> {
    private final WireCodec<M> codec;

    public WireSerializer(WireCodec<M> codec) {
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Encodes a message in canonical form.
     *
     * @throws SerializationException if the protocol cannot represent the record; names the field
     */
    @Override
    public final byte[] serialize(String topic, M message) {
        if (message == null) {
            return null;
        }
        try {
            return codec.encodeChecked(message);
        } catch (IllegalArgumentException unsayable) {
            throw new SerializationException(
                    "The record cannot be encoded as a " + codec.protocol() + " message: " + unsayable.getMessage(),
                    unsayable);
        }
    }
}
