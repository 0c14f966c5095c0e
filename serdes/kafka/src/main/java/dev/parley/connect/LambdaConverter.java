package dev.parley.connect;

import dev.parley.avro.LambdaMessage;
import dev.parley.decode.WireProtocols;

/** Converter of Λ messages for a connector's configuration; see {@link dev.parley.serde.WireConfig} for its keys. */
public final class LambdaConverter extends WireConverter<LambdaMessage> {

    /** For Connect, which creates converters by class name. */
    public LambdaConverter() {
        super(WireProtocols.LAMBDA, LambdaMessage::new);
    }
}
