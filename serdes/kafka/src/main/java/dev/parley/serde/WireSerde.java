package dev.parley.serde;

import dev.parley.codec.WireCodec;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serde between the values of a wire topic and the generated record of its protocol.
 *
 * @param <M> the generated record of the protocol
 */
public class WireSerde<M extends SpecificRecord> implements Serde<M> {
    private final WireSerializer<M> serializer;
    private final WireDeserializer<M> deserializer;

    public WireSerde(WireCodec<M> codec) {
        serializer = new WireSerializer<>(codec);
        deserializer = new WireDeserializer<>(codec);
    }

    /** Configures the deserializer with the keys of {@link WireConfig}; the serializer has no settings. */
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
