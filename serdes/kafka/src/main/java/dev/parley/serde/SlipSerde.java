package dev.parley.serde;

import dev.parley.avro.SlipMessage;
import dev.parley.decode.WireProtocols;

/** Serde of nSLIP messages, usable by class name; configured by {@link WireConfig}. */
public final class SlipSerde extends WireSerde<SlipMessage> {

    /** For Kafka, which creates serdes by class name. */
    public SlipSerde() {
        super(WireProtocols.SLIP.codec());
    }
}
