package dev.parley.decode;

import dev.parley.avro.Protocol;
import java.util.Map;

/** Names of the default input topics. The names are public contract. */
public final class InputTopics {
    /** Input of any protocol. */
    public static final String WIRE = "parley.wire";
    /** Input topics of one protocol each. */
    public static final Map<String, Protocol> PROTOCOLS = Map.of(
            WIRE + ".slip", Protocol.SLIP,
            WIRE + ".subit", Protocol.SUBIT,
            WIRE + ".csp", Protocol.CSP,
            WIRE + ".lambda", Protocol.LAMBDA);

    private InputTopics() {}
}
