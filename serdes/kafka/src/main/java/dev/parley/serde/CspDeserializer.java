package dev.parley.serde;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/** Deserializer of CSP/1 messages, usable by class name; configured by {@link WireConfig}. */
public final class CspDeserializer extends WireDeserializer<CspMessage> {

    /** For Kafka, which creates deserializers by class name. */
    public CspDeserializer() {
        super(WireProtocols.CSP.codec());
    }
}
