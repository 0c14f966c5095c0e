package dev.parley.serde;

import dev.parley.avro.SubitMessage;
import dev.parley.decode.WireProtocols;

/** Serializer of SUBIT-Agent messages, usable by class name. */
public final class SubitSerializer extends WireSerializer<SubitMessage> {

    /** For Kafka, which creates serializers by class name. */
    public SubitSerializer() {
        super(WireProtocols.SUBIT.codec());
    }
}
