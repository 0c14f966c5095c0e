package dev.parley.connect;

import dev.parley.avro.LambdaMessage;
import dev.parley.decode.WireProtocols;

/** Converter of Λ messages, named in a connector's configuration; configured by {@link dev.parley.serde.WireConfig}. */
public final class LambdaConverter extends WireConverter<LambdaMessage> {

    /** As Connect makes it. */
    public LambdaConverter() {
        super(WireProtocols.LAMBDA, LambdaMessage::new);
    }
}
