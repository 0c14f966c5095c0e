package dev.parley.serde;

import dev.parley.avro.LambdaMessage;
import dev.parley.decode.WireProtocols;

/** Deserializer of Λ messages, usable by class name; configured by {@link WireConfig}. */
public final class LambdaDeserializer extends WireDeserializer<LambdaMessage> {

    /** For Kafka, which creates deserializers by class name. */
    public LambdaDeserializer() {
        super(WireProtocols.LAMBDA.codec());
    }
}
