package dev.parley.serde;

import dev.parley.avro.SlipMessage;
import dev.parley.decode.WireProtocols;

/** Serde of nSLIP messages, usable by class name; configured by {@link WireConfig}. */
public final class SlipSerde extends WireSerde<SlipMessage> {

    /** As Kafka makes it. */
    public SlipSerde() {
        super(WireProtocols.SLIP.codec());
    }
}
