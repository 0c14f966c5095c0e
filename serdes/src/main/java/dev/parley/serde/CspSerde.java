package dev.parley.serde;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/** Serde of CSP/1 messages, usable by class name; configured by {@link WireConfig}. */
public final class CspSerde extends WireSerde<CspMessage> {

    /** As Kafka makes it. */
    public CspSerde() {
        super(WireProtocols.CSP.codec());
    }
}
