package dev.parley.serde;

import dev.parley.avro.LambdaMessage;
import dev.parley.decode.WireProtocols;

/** Serde of Λ messages, usable by class name; configured by {@link WireConfig}. */
public final class LambdaSerde extends WireSerde<LambdaMessage> {

    /** For Kafka, which creates serdes by class name. */
    public LambdaSerde() {
        super(WireProtocols.LAMBDA.codec());
    }
}
