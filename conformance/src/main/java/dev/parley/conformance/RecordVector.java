package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One record, and its expected attributes.
 *
 * @param header its description
 * @param topic input topic
 * @param key key, or null
 * @param wire value, or null
 * @param limits bounds of the message
 * @param expectations the expected results
 */
record RecordVector(
        VectorHeader header,
        String topic,
        byte[] key,
        Map<String, byte[]> headers,
        byte[] wire,
        Limits limits,
        Expectations expectations)
        implements ConformanceVector {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> ENVELOPE_FIELDS = List.of(
            "protocol", "namespace", "conversation", "sender", "recipients", "performative", "replyTo", "references");

    static RecordVector read(JsonNode node) throws InvalidVectorException {
        if (!node.has("wire")) {
            throw new InvalidVectorException("a record vector must have a wire, which may be null");
        }
        Expectations expectations = Expectations.read(node);
        return new RecordVector(
                VectorHeader.of(node, Kind.RECORD, Protocol.UNKNOWN, expectations),
                node.path("topic").asText(TopicNames.DEFAULT.wire()),
                VectorBytes.bytes(node.path("key")),
                headers(node.path("headers")),
                VectorBytes.bytes(node.path("wire")),
                VectorSettings.read(node.path("settings")).decode().limits(),
                expectations);
    }

    static Map<String, byte[]> headers(JsonNode node) throws InvalidVectorException {
        Map<String, byte[]> headers = new HashMap<>();
        for (Map.Entry<String, JsonNode> header : node.properties()) {
            headers.put(header.getKey(), VectorBytes.bytes(header.getValue()));
        }
        return headers;
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
        RecordDecodeResult result = ValueDiagnosis.decoder(
                        options, Protocols.STANDARD.wire(), TopicNames.DEFAULT.byInputTopic(Protocols.STANDARD))
                .decode(new WireRecord(source, key, wire, RecordHeaders.of(headers)));
        if (result instanceof RecordDecodeResult.Undecodable error) {
            if (error.claims() != null) {
                outcome.put("namespace", error.claims().getNamespace())
                        .put("conversation", error.claims().getConversation())
                        .put("sender", error.claims().getSender());
            }
            outcome.put("protocol", error.protocol().name())
                    .put("code", error.code().name())
                    .put("offset", error.position());
            if (!error.inner().isEmpty()) {
                outcome.set("inner", Expectations.json(error.inner()));
            }
            return outcome;
        }
        RecordDecodeResult.Message decoded = (RecordDecodeResult.Message) result;
        AgentMessage message = decoded.message();
        JsonNode envelope = Expectations.json(message);
        for (String field : ENVELOPE_FIELDS) {
            if (envelope.has(field)) {
                outcome.set(field, envelope.get(field));
            }
        }
        Expectations.putDiagnostics(outcome, decoded.warnings(), decoded.violations());
        return outcome;
    }
}
