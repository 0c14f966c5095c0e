package dev.parley.serde;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/** Serde of CSP/1 messages, usable by class name; configured by {@link WireConfig}. */
public final class CspSerde extends WireSerde<CspMessage> {

    /** For Kafka, which creates serdes by class name. */
    public CspSerde() {
        super(WireProtocols.CSP.codec());
    }
}
