package dev.parley.connect;

import dev.parley.avro.SubitMessage;
import dev.parley.decode.WireProtocols;

/** Converter of SUBIT-Agent messages, named in a connector's configuration; configured by {@link dev.parley.serde.WireConfig}. */
public final class SubitConverter extends WireConverter<SubitMessage> {

    /** As Connect makes it. */
    public SubitConverter() {
        super(WireProtocols.SUBIT, SubitMessage::new);
    }
}
