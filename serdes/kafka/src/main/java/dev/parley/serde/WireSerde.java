package dev.parley.serde;

import dev.parley.codec.WireCodec;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Serde between the values of a wire topic and the generated record of its protocol. It is configured with the keys of
 * {@link WireConfig}.
 *
 * @param <M> the generated record of the protocol
 */
public final class WireSerde<M extends SpecificRecord> extends Serdes.WrapperSerde<M> {
    /** For Kafka, which creates serdes by class name; {@link WireConfig#PROTOCOL} must name the protocol. */
    public WireSerde() {
        super(new WireSerializer<>(), new WireDeserializer<>());
    }

    /** Creates a serde of one protocol, whatever {@link WireConfig#PROTOCOL} names. */
    public WireSerde(WireCodec<M> codec) {
        super(new WireSerializer<>(codec), new WireDeserializer<>(codec));
    }
}
