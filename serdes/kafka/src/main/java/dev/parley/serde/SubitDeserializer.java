package dev.parley.serde;

import dev.parley.avro.SubitMessage;
import dev.parley.decode.WireProtocols;

/** Deserializer of SUBIT-Agent messages, usable by class name; configured by {@link WireConfig}. */
public final class SubitDeserializer extends WireDeserializer<SubitMessage> {

    /** For Kafka, which creates deserializers by class name. */
    public SubitDeserializer() {
        super(WireProtocols.SUBIT.codec());
    }
}
