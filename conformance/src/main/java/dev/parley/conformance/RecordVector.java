package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.protocol.Protocols;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One record: where it stands, its key and headers, and whose message it is found to be.
 *
 * @param id stable name
 * @param title a sentence
 * @param example whether documentation shows it
 * @param topic input topic
 * @param key key, or null
 * @param headers headers
 * @param wire value, or null
 * @param limits bounds on the message
 * @param expectations what is expected
 * @param codes every code that is expected
 * @param shown what is sent and expected, for a person
 * @param settingsShown settings other than the defaults
 */
record RecordVector(
        String id,
        String title,
        boolean example,
        String topic,
        byte[] key,
        Map<String, byte[]> headers,
        byte[] wire,
        Limits limits,
        Expectations expectations,
        Set<Code> codes,
        List<Shown> shown,
        List<String> settingsShown)
        implements ConformanceVector {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> OF_ENVELOPE = List.of(
            "protocol", "namespace", "conversation", "sender", "recipients", "performative", "replyTo", "references");

    static RecordVector read(JsonNode node) throws InvalidVectorException {
        if (!node.has("wire")) {
            throw new InvalidVectorException("a record vector has a wire, which may be null");
        }
        Expectations expectations = Expectations.read(node);
        return new RecordVector(
                node.path("id").asText(),
                node.path("title").asText(),
                node.path("example").asBoolean(),
                node.path("topic").asText(Protocols.INPUT_TOPIC),
                VectorBytes.bytes(node.path("key")),
                headers(node.path("headers")),
                VectorBytes.bytes(node.path("wire")),
                Settings.read(node.path("settings")).options().limits(),
                expectations,
                expectations.codes(),
                List.of(new Shown(VectorBytes.record(node), VectorBytes.shown(node.get("wire")), expectations.shown())),
                Settings.shown(node.path("settings")));
    }

    static Map<String, byte[]> headers(JsonNode node) throws InvalidVectorException {
        Map<String, byte[]> headers = new HashMap<>();
        for (Map.Entry<String, JsonNode> header : node.properties()) {
            headers.put(header.getKey(), VectorBytes.bytes(header.getValue()));
        }
        return headers;
    }

    @Override
    public Kind kind() {
        return Kind.RECORD;
    }

    @Override
    public Protocol protocol() {
        return Protocol.UNKNOWN;
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
        Source source = new Source(topic, 0, 0L, Instant.EPOCH, null);
        RecordDecodeResult recordDecodeResult = new MessageDecoder(
                        options, Protocols.STANDARD.wire(), Protocols.STANDARD.byInputTopic())
                .decode(new WireRecord(source, key, wire, RecordHeaders.of(headers)));
        if (recordDecodeResult instanceof RecordDecodeResult.Undecodable fault) {
            return outcome.put("protocol", fault.protocol().name())
                    .put("namespace", fault.namespace())
                    .put("code", fault.code().name())
                    .put("offset", fault.position());
        }
        RecordDecodeResult.Message decoded = (RecordDecodeResult.Message) recordDecodeResult;
        AgentMessage message = decoded.message();
        JsonNode envelope = Expectations.json(message);
        for (String field : OF_ENVELOPE) {
            if (envelope.has(field)) {
                outcome.set(field, envelope.get(field));
            }
        }
        Expectations.putFindings(outcome, decoded.warnings(), decoded.violations());
        return outcome;
    }
}
