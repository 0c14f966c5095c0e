package dev.parley.connect;

import dev.parley.avro.SlipMessage;
import dev.parley.decode.WireProtocols;

/**
 * Converter of nSLIP messages for a connector's configuration; see {@link dev.parley.serde.WireConfig} for its keys.
 */
public final class SlipConverter extends WireConverter<SlipMessage> {

    /** For Connect, which creates converters by class name. */
    public SlipConverter() {
        super(WireProtocols.SLIP, SlipMessage::new);
    }
}
