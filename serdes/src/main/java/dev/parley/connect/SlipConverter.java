package dev.parley.connect;

import dev.parley.avro.SlipMessage;
import dev.parley.decode.WireProtocols;

/** Converter of nSLIP messages, named in a connector's configuration; configured by {@link dev.parley.serde.WireConfig}. */
public final class SlipConverter extends WireConverter<SlipMessage> {

    /** As Connect makes it. */
    public SlipConverter() {
        super(WireProtocols.SLIP, SlipMessage::new);
    }
}
