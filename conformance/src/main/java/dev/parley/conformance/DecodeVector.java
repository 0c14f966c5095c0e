package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.decode.WireProtocol;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/**
 * The bytes of one message, and the expected result of its codec.
 *
 * @param header its description
 * @param limits bounds of the message
 * @param expectations the expected results
 */
record DecodeVector(
        VectorHeader header, WireProtocol<?> wireProtocol, byte[] wire, Limits limits, Expectations expectations)
        implements ConformanceVector {
    private static final ObjectMapper JSON = new ObjectMapper();

    static DecodeVector read(JsonNode node) throws InvalidVectorException {
        WireProtocol<?> protocol =
                Protocols.STANDARD.wire().named(node.get("protocol").asText());
        byte[] wire = VectorBytes.bytes(node.path("wire"));
        if (protocol == null || wire == null) {
            throw new InvalidVectorException("a decode vector must have the name of a protocol and a wire");
        }
        Expectations expectations = withCanonical(Expectations.read(node), node.get("wire"));
        return new DecodeVector(
                VectorHeader.of(node, Kind.DECODE, protocol.symbol(), expectations),
                protocol,
                wire,
                VectorSettings.read(node.path("settings")).decode().limits(),
                expectations);
    }

    /** Completes the canonical form of messages without one: it equals the bytes. */
    private static Expectations withCanonical(Expectations expectations, JsonNode wire) throws InvalidVectorException {
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
        if (result instanceof DecodeResult.Malformed<M> error) {
            DecodeResult.Malformed<?> cause = ValueDiagnosis.explain(wire, protocol.symbol(), error);
            return outcome.put("code", cause.code().name()).put("offset", cause.offset());
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        outcome.set("message", Expectations.json((IndexedRecord) decoded.message()));
        Expectations.putDiagnostics(outcome, decoded.warnings(), decoded.violations());
        byte[] canonical = protocol.codec().encode(decoded.message());
        return outcome.put("canonical", new String(canonical, StandardCharsets.UTF_8));
    }
}
