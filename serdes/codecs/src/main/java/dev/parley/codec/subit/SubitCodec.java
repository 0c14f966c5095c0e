package dev.parley.codec.subit;

import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.List;

/**
 * Reads and writes the packets of SUBIT-Agent v1.0 (§2).
 *
 * <p>The canonical form is compact JSON with the keys type, payload and meta (agent, timestamp, session, then others in
 * their order), then extra keys in their order. Strings have the fewest escapes, and other values stay unchanged.
 * {@code "meta":null} is omitted.
 */
public final class SubitCodec implements WireCodec<SubitMessage> {

    /** Creates a codec. One is enough for any number of threads. */
    public SubitCodec() {}

    @Override
    public Protocol protocol() {
        return Protocol.SUBIT;
    }

    @Override
    public boolean detects(byte[] wire, int from) {
        return SubitDetection.isPacket(wire, from);
    }

    @Override
    public DecodeResult<SubitMessage> decode(byte[] wire, DecodeOptions options) {
        return SubitReader.read(wire, options);
    }

    @Override
    public byte[] encode(SubitMessage message) {
        return SubitWriter.write(message);
    }

    @Override
    public boolean isJson() {
        return true;
    }

    /**
     * Conversation and sender are meta.session and meta.agent. An empty string or JSON null counts as absent; another
     * JSON value becomes its compact text. SUBIT has no recipients and no references.
     */
    @Override
    public Traits traits(SubitMessage message) {
        return new Traits(
                name(message, "session", message.getSession()),
                name(message, "agent", message.getAgent()),
                null,
                List.of(),
                performative(message),
                null,
                List.of());
    }

    /** A sentence about the keys of meta that a packet has outside of it; empty if there is none. */
    public static String misplacedKeys(SubitMessage message) {
        String keys = "";
        for (SubitEntry extra : message.getExtras()) {
            if (SubitWriter.META_KEYS.contains(extra.getKey())) {
                keys += (keys.isEmpty() ? "" : ", ") + extra.getKey();
            }
        }
        return keys.isEmpty() ? "" : "Outside of meta, these keys have no meaning: " + keys + '.';
    }

    private static String name(SubitMessage message, String key, String value) {
        boolean none = value == null
                || value.isEmpty()
                || (value.equals("null") && message.getJsonMeta().contains(key));
        return none ? null : value;
    }

    private static Performative performative(SubitMessage message) {
        return switch (message.getType()) {
            case STATE -> Performative.ASSERT;
            case INTENT, PLAN -> Performative.PROPOSE;
            case ACTION -> Performative.COMMIT;
            case TRACE -> Performative.RESULT;
            case ERROR -> Performative.FAILURE;
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }
}
