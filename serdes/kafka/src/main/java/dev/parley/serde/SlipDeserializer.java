package dev.parley.serde;

import dev.parley.avro.SlipMessage;
import dev.parley.decode.WireProtocols;

/** Deserializer of nSLIP messages, usable by class name; configured by {@link WireConfig}. */
public final class SlipDeserializer extends WireDeserializer<SlipMessage> {

    /** For Kafka, which creates deserializers by class name. */
    public SlipDeserializer() {
        super(WireProtocols.SLIP.codec());
    }
}
