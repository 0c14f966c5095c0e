package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Values by protocol: by symbol where a protocol has one of its own, else by name. A lookup by a message allocates
 * nothing. Immutable.
 *
 * @param <V> the values
 */
public final class ProtocolIndex<V> {
    private final Map<String, V> bySymbol = new HashMap<>();
    private final Map<String, V> byName = new HashMap<>();

    /**
     * An index.
     *
     * @throws IllegalArgumentException if two values have the same protocol
     */
    public ProtocolIndex(Collection<? extends V> values, Function<? super V, WireProtocol<?>> protocol) {
        for (V value : values) {
            WireProtocol<?> its = protocol.apply(value);
            if (byName.put(its.name(), value) != null) {
                throw new IllegalArgumentException("Protocol " + its.name() + " is registered twice.");
            }
            if (its.symbol() != Protocol.EXTENSION) {
                bySymbol.put(its.symbol().name(), value);
            }
        }
    }

    /** The value of a message's protocol; null if there is none. */
    public V of(AgentMessage message) {
        return message.getExtension() == null
                ? bySymbol.get(message.getProtocol())
                : byName.get(message.getExtension().getProtocol());
    }

    /** The value of the protocol with that name, as in chain keys; null if there is none. */
    public V named(String name) {
        return byName.get(name);
    }
}
