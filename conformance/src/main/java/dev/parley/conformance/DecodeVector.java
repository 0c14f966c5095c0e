package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.decode.WireProtocol;
import dev.parley.protocol.Protocols;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/**
 * The bytes of one message, and what its codec makes of them.
 *
 * @param id stable name
 * @param title a sentence
 * @param example whether documentation shows it
 * @param wireProtocol its protocol
 * @param wire the bytes
 * @param limits bounds on the message
 * @param expectations what is expected
 * @param codes every code that is expected
 * @param shown what is sent and expected, for a person
 * @param settingsShown settings other than the defaults
 */
record DecodeVector(
        String id,
        String title,
        boolean example,
        WireProtocol<?> wireProtocol,
        byte[] wire,
        Limits limits,
        Expectations expectations,
        Set<Code> codes,
        List<Shown> shown,
        List<String> settingsShown)
        implements ConformanceVector {
    private static final ObjectMapper JSON = new ObjectMapper();

    static DecodeVector read(JsonNode node) throws InvalidVectorException {
        WireProtocol<?> protocol =
                Protocols.STANDARD.wire().named(node.get("protocol").asText());
        byte[] wire = VectorBytes.bytes(node.path("wire"));
        if (protocol == null || wire == null) {
            throw new InvalidVectorException("a decode vector has the name of a protocol and a wire");
        }
        Expectations expectations = canonicalGiven(Expectations.read(node), node.get("wire"));
        return new DecodeVector(
                node.path("id").asText(),
                node.path("title").asText(),
                node.path("example").asBoolean(),
                protocol,
                wire,
                Settings.read(node.path("settings")).options().limits(),
                expectations,
                expectations.codes(),
                List.of(new Shown(VectorBytes.record(node), VectorBytes.shown(node.get("wire")), expectations.shown())),
                Settings.shown(node.path("settings")));
    }

    /** A message without a canonical form of its own is canonical. */
    private static Expectations canonicalGiven(Expectations expectations, JsonNode wire) throws InvalidVectorException {
        for (JsonNode outcome : expectations.byProfile().values()) {
            if (!outcome.has("code")) {
                JsonNode canonical = outcome.has("canonical") ? outcome.get("canonical") : wire;
                ((ObjectNode) outcome)
                        .put("canonical", new String(VectorBytes.bytes(canonical), StandardCharsets.UTF_8));
            }
        }
        return expectations;
    }

    @Override
    public Protocol protocol() {
        return wireProtocol.symbol();
    }

    @Override
    public Kind kind() {
        return Kind.DECODE;
    }

    @Override
    public Set<Profile> profiles() {
        return expectations.profiles();
    }

    @Override
    public List<String> differences(Profile profile) {
        return expectations.differences(profile, outcome(wireProtocol, new DecodeOptions(profile, limits)));
    }

    private <M extends SpecificRecord> ObjectNode outcome(WireProtocol<M> protocol, DecodeOptions options) {
        ObjectNode outcome = JSON.createObjectNode();
        DecodeResult<M> result = protocol.codec().decode(wire, options);
        if (result instanceof DecodeResult.Malformed<M> fault) {
            return outcome.put("code", fault.code().name()).put("offset", fault.offset());
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        outcome.set("message", Expectations.json((IndexedRecord) decoded.message()));
        Expectations.putFindings(outcome, decoded.warnings(), decoded.violations());
        byte[] canonical = protocol.codec().encode(decoded.message());
        return outcome.put("canonical", new String(canonical, StandardCharsets.UTF_8));
    }
}
