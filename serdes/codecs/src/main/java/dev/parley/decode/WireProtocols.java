package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspMessage;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.McpMessage;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Utf8;
import dev.parley.codec.csp.CspCodec;
import dev.parley.codec.lambda.LambdaCodec;
import dev.parley.codec.mcp.McpCodec;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.subit.SubitCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The protocols that a decoder reads. Finds the protocol of a message by a name or by its bytes; where they fit
 * several protocols, the one that was registered first wins. Immutable; for any number of threads.
 */
public final class WireProtocols {
    /** MCP. Any key jsonrpc of a message identifies it. */
    public static final WireProtocol<McpMessage> MCP = WireProtocol.of(
            "MCP", List.of("mcp"), McpMessage.class, new McpCodec(), AgentMessage::getMcp, AgentMessage::setMcp);
    /** nSLIP. */
    public static final WireProtocol<SlipMessage> SLIP = WireProtocol.of(
            "nSLIP",
            List.of("slip", "nslip"),
            SlipMessage.class,
            new SlipCodec(),
            AgentMessage::getSlip,
            AgentMessage::setSlip);
    /** SUBIT-Agent. */
    public static final WireProtocol<SubitMessage> SUBIT = WireProtocol.of(
            "SUBIT",
            List.of("subit"),
            SubitMessage.class,
            new SubitCodec(),
            AgentMessage::getSubit,
            AgentMessage::setSubit);
    /** CSP/1. */
    public static final WireProtocol<CspMessage> CSP = WireProtocol.of(
            "CSP/1", List.of("csp"), CspMessage.class, new CspCodec(), AgentMessage::getCsp, AgentMessage::setCsp);
    /** Λ, which is last because almost any punctuation may start it. */
    public static final WireProtocol<LambdaMessage> LAMBDA = WireProtocol.of(
            "Λ",
            List.of("lambda", "λ"),
            LambdaMessage.class,
            new LambdaCodec(),
            AgentMessage::getLambda,
            AgentMessage::setLambda);

    /** The protocols of Parley. */
    public static final WireProtocols STANDARD = new WireProtocols(List.of(MCP, SLIP, SUBIT, CSP, LAMBDA));

    private final List<WireProtocol<?>> protocols;
    private final ProtocolIndex<WireProtocol<?>> index;
    private final Map<String, WireProtocol<?>> byHeaderName = new HashMap<>();

    /**
     * A set of protocols.
     *
     * @param protocols in the order in which their detection is tried
     * @throws IllegalArgumentException if two have a name in common
     */
    public WireProtocols(List<WireProtocol<?>> protocols) {
        this.protocols = List.copyOf(protocols);
        this.index = new ProtocolIndex<>(protocols, protocol -> protocol);
        for (WireProtocol<?> protocol : protocols) {
            for (String name : protocol.headerNames()) {
                if (byHeaderName.put(name, protocol) != null) {
                    throw new IllegalArgumentException("Two protocols are named " + name + ".");
                }
            }
        }
    }

    public List<WireProtocol<?>> all() {
        return protocols;
    }

    /** The protocol of an envelope; null if it is none of these. */
    public WireProtocol<?> of(AgentMessage envelope) {
        return index.of(envelope);
    }

    /**
     * The protocol that a header or option names, such as mcp, slip, nslip, subit, csp, lambda or λ, in any case. Chain
     * keys have the first of them, in upper case.
     *
     * @return null for any other name
     */
    public WireProtocol<?> named(String name) {
        return byHeaderName.get(name.toLowerCase(Locale.ROOT));
    }

    /** All names that {@link #named} knows, for error messages. */
    public String names() {
        return protocols.stream()
                .flatMap(protocol -> protocol.headerNames().stream())
                .collect(Collectors.joining(", "));
    }

    /** The first protocol whose structure and vocabulary the bytes have; null if they have that of none. */
    public WireProtocol<?> evident(byte[] wire) {
        return evidentAt(wire, start(wire));
    }

    /** The same for the bytes from an index on. */
    public WireProtocol<?> evidentAt(byte[] wire, int from) {
        if (from < wire.length) {
            for (int i = 0; i < protocols.size(); i++) {
                if (protocols.get(i).codec().detects(wire, from)) {
                    return protocols.get(i);
                }
            }
        }
        return null;
    }

    /** Index of the first byte after a byte order mark and white space; the length if there is none. */
    public static int start(byte[] wire) {
        return Ascii.skipSpaces(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0);
    }
}
