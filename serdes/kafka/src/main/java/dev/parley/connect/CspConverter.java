package dev.parley.connect;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/**
 * Converter of CSP/1 messages for a connector's configuration; see {@link dev.parley.serde.WireConfig} for its keys.
 */
public final class CspConverter extends WireConverter<CspMessage> {

    /** For Connect, which creates converters by class name. */
    public CspConverter() {
        super(WireProtocols.CSP, CspMessage::new);
    }
}
