package dev.parley.serde;

import dev.parley.avro.LambdaMessage;
import dev.parley.decode.WireProtocols;

/** Serializer of Λ messages, usable by class name. */
public final class LambdaSerializer extends WireSerializer<LambdaMessage> {

    /** For Kafka, which creates serializers by class name. */
    public LambdaSerializer() {
        super(WireProtocols.LAMBDA.codec());
    }
}
