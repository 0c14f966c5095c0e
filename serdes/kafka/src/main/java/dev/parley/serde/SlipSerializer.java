package dev.parley.serde;

import dev.parley.avro.SlipMessage;
import dev.parley.decode.WireProtocols;

/** Serializer of nSLIP messages, usable by class name. */
public final class SlipSerializer extends WireSerializer<SlipMessage> {

    /** For Kafka, which creates serializers by class name. */
    public SlipSerializer() {
        super(WireProtocols.SLIP.codec());
    }
}
