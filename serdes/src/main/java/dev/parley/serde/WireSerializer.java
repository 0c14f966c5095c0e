package dev.parley.serde;

import dev.parley.codec.WireCodec;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Writes messages in the canonical form of their wire protocol; null as null. May be used by any number of threads.
 *
 * @param <M> the generated record of the protocol
 */
public class WireSerializer<M extends SpecificRecord> implements Serializer<M> {
    private final WireCodec<M> codec;

    /** Over a codec. */
    public WireSerializer(WireCodec<M> codec) {
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * The canonical bytes of the message.
     *
     * @throws SerializationException when the record holds what the protocol cannot say, naming the field
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
                    "The record cannot be written as a " + codec.protocol() + " message: " + unsayable.getMessage(),
                    unsayable);
        }
    }
}
