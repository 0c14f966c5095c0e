package dev.parley.serde;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.subit.SubitCodec;

/** Serializer of SUBIT-Agent messages, usable by class name. */
public final class SubitSerializer extends WireSerializer<SubitMessage> {

    /** For Kafka, which creates serializers by class name. */
    public SubitSerializer() {
        super(new SubitCodec());
    }
}
