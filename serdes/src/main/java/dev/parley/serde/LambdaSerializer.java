package dev.parley.serde;

import dev.parley.avro.LambdaMessage;
import dev.parley.decode.WireProtocols;

/** Serializer of Λ messages, usable by class name. */
public final class LambdaSerializer extends WireSerializer<LambdaMessage> {

    /** As Kafka makes it. */
    public LambdaSerializer() {
        super(WireProtocols.LAMBDA.codec());
    }
}
