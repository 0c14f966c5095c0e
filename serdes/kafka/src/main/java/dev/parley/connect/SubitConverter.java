package dev.parley.connect;

import dev.parley.avro.SubitMessage;
import dev.parley.decode.WireProtocols;

/**
 * Converter of SUBIT-Agent messages for a connector's configuration; see {@link dev.parley.serde.WireConfig} for its
 * keys.
 */
public final class SubitConverter extends WireConverter<SubitMessage> {

    /** For Connect, which creates converters by class name. */
    public SubitConverter() {
        super(WireProtocols.SUBIT, SubitMessage::new);
    }
}
