package dev.parley.serde;

import dev.parley.avro.CspMessage;
import dev.parley.decode.WireProtocols;

/** Serializer of CSP/1 messages, usable by class name. */
public final class CspSerializer extends WireSerializer<CspMessage> {

    /** For Kafka, which creates serializers by class name. */
    public CspSerializer() {
        super(WireProtocols.CSP.codec());
    }
}
