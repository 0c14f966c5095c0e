package dev.parley.serde;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/** Deserializer of CSP/1 messages, usable by class name; configured by {@link WireConfig}. */
public final class CspDeserializer extends WireDeserializer<CspMessage> {

    /** As Kafka makes it. */
    public CspDeserializer() {
        super(WireProtocols.CSP.codec());
    }
}
