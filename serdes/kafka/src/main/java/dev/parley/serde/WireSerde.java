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
public final class WireSerde<M extends SpecificRecord> implements Serde<M> {
    private final WireSerializer<M> serializer;
    private final WireDeserializer<M> deserializer;

    /** For Kafka, which creates serdes by class name; {@link WireConfig#PROTOCOL} must name the protocol. */
    public WireSerde() {
        serializer = new WireSerializer<>();
        deserializer = new WireDeserializer<>();
    }

    /** Creates a serde of one protocol, whatever {@link WireConfig#PROTOCOL} names. */
    public WireSerde(WireCodec<M> codec) {
        serializer = new WireSerializer<>(codec);
        deserializer = new WireDeserializer<>(codec);
    }

    /** Configures serializer and deserializer with the keys of {@link WireConfig}. */
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        serializer.configure(configs, isKey);
        deserializer.configure(configs, isKey);
    }

    @Override
    public Serializer<M> serializer() {
        return serializer;
    }

    @Override
    public Deserializer<M> deserializer() {
        return deserializer;
    }
}
