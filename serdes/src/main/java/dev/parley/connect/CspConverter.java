package dev.parley.connect;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/** Converter of CSP/1 messages, named in a connector's configuration; configured by {@link dev.parley.serde.WireConfig}. */
public final class CspConverter extends WireConverter<CspMessage> {

    /** As Connect makes it. */
    public CspConverter() {
        super(WireProtocols.CSP, CspMessage::new);
    }
}
