package dev.parley.serde;

import dev.parley.avro.SubitMessage;
import dev.parley.decode.WireProtocols;

/** Serde of SUBIT-Agent messages, usable by class name; configured by {@link WireConfig}. */
public final class SubitSerde extends WireSerde<SubitMessage> {

    /** For Kafka, which creates serdes by class name. */
    public SubitSerde() {
        super(WireProtocols.SUBIT.codec());
    }
}
