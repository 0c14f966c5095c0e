package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.decode.Codecs;
import dev.parley.decode.ProtocolDetector;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;

/**
 * The bytes of one message, and what its codec makes of them.
 *
 * @param id stable name
 * @param title a sentence
 * @param example whether documentation shows it
 * @param protocol the codec
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
        Protocol protocol,
        byte[] wire,
        Limits limits,
        Expectations expectations,
        Set<Code> codes,
        List<Shown> shown,
        List<String> settingsShown)
        implements ConformanceVector {
    private static final ObjectMapper JSON = new ObjectMapper();

    static DecodeVector read(JsonNode node) throws BadVector {
        Protocol protocol = ProtocolDetector.named(node.get("protocol").asText());
        byte[] wire = Text.bytes(node.path("wire"));
        if (protocol == Protocol.UNKNOWN || wire == null) {
            throw new BadVector("a decode vector has the name of a protocol and a wire");
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
                List.of(new Shown(Text.record(node), Text.shown(node.get("wire")), expectations.shown())),
                Settings.shown(node.path("settings")));
    }

    /** A message without a canonical form of its own is canonical. */
    private static Expectations canonicalGiven(Expectations expectations, JsonNode wire) throws BadVector {
        for (JsonNode outcome : expectations.byProfile().values()) {
            if (!outcome.has("code")) {
                JsonNode canonical = outcome.has("canonical") ? outcome.get("canonical") : wire;
                ((ObjectNode) outcome).put("canonical", new String(Text.bytes(canonical), StandardCharsets.UTF_8));
            }
        }
        return expectations;
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
        return expectations.differences(profile, outcome(new DecodeOptions(profile, limits)));
    }

    private ObjectNode outcome(DecodeOptions options) {
        ObjectNode outcome = JSON.createObjectNode();
        Codecs codec = Codecs.of(protocol);
        Codecs.Opened opened = codec.open(wire, options);
        if (opened.result() instanceof DecodeResult.Malformed<?> fault) {
            return outcome.put("code", fault.code().name()).put("offset", fault.offset());
        }
        DecodeResult.Decoded<?> decoded = (DecodeResult.Decoded<?>) opened.result();
        AgentMessage envelope = new AgentMessage();
        opened.intoEnvelope().accept(envelope);
        outcome.set("message", Expectations.json((IndexedRecord) decoded.message()));
        Expectations.putFindings(outcome, decoded.warnings(), decoded.violations());
        return outcome.put("canonical", new String(codec.encode(envelope), StandardCharsets.UTF_8));
    }
}
