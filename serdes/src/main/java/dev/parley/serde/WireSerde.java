package dev.parley.serde;

import dev.parley.codec.WireCodec;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Value of a wire topic to and from the generated record of its protocol.
 *
 * @param <M> the generated record of the protocol
 */
public class WireSerde<M extends SpecificRecord> implements Serde<M> {
    private final WireSerializer<M> serializer;
    private final WireDeserializer<M> deserializer;

    /** Over a codec. */
    public WireSerde(WireCodec<M> codec) {
        serializer = new WireSerializer<>(codec);
        deserializer = new WireDeserializer<>(codec);
    }

    /** Configures the deserializer, see {@link WireConfig}; the serializer has nothing to configure. */
    @Override
    public final void configure(Map<String, ?> configs, boolean isKey) {
        deserializer.configure(configs, isKey);
    }

    @Override
    public final Serializer<M> serializer() {
        return serializer;
    }

    @Override
    public final Deserializer<M> deserializer() {
        return deserializer;
    }
}
