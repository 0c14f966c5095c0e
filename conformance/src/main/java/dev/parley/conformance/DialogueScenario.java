package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.InboundFault;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.codec.Code;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.Judgement;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A sequence of records, their expected outcomes, and the resulting checkpoints.
 *
 * @param header its description
 * @param settings settings of the pipeline
 * @param messages the records, in order
 * @param checkpoints expected checkpoints after all records
 */
record DialogueScenario(
        VectorHeader header, StageSettings settings, List<Message> messages, List<Checkpoint> checkpoints)
        implements ConformanceVector {

    /**
     * One record.
     *
     * @param key key, or null
     * @param wire value, or null
     * @param topic input topic
     * @param timestamp milliseconds since the epoch
     * @param state dialogue state afterwards; null if the vector does not specify it
     * @param claims what an undecodable record claims; missing if the vector does not specify it
     * @param inner messages inside an undecodable value; missing if the vector does not specify them
     */
    record Message(
            byte[] key,
            Map<String, byte[]> headers,
            byte[] wire,
            String topic,
            long timestamp,
            Outcome expected,
            String state,
            JsonNode claims,
            JsonNode inner) {}

    /**
     * Outcome of a record.
     *
     * @param verdict ACCEPTED, REJECTED, FLAGGED, UNDECODABLE or PARKED
     * @param code the deciding error or violation; null without one
     * @param warnings the warnings, sorted by name
     * @param parked whether it waited or waits for its base
     */
    record Outcome(String verdict, Code code, SortedSet<Code> warnings, boolean parked) {
        @Override
        public String toString() {
            return verdict
                    + (code == null ? "" : " " + code)
                    + (warnings.isEmpty()
                            ? ""
                            : " with " + warnings.stream().map(Code::name).collect(Collectors.joining(", ")))
                    + (parked ? " (parked)" : "");
        }
    }

    /**
     * An expected checkpoint.
     *
     * @param state its definitions; null if it must not exist
     */
    record Checkpoint(CheckpointKey key, SortedMap<String, String> state) {}

    static DialogueScenario read(JsonNode node) throws InvalidVectorException {
        List<Message> messages = new ArrayList<>();
        Set<Code> codes = EnumSet.noneOf(Code.class);
        List<Shown> shown = new ArrayList<>();
        long time = 0;
        for (JsonNode line : node.get("messages")) {
            Message message = message(line, time);
            time = message.timestamp();
            messages.add(message);
            shown.add(new Shown(
                    VectorBytes.record(line),
                    VectorBytes.shown(line.get("wire")),
                    message.expected().toString()));
            codes.addAll(message.expected().warnings());
            if (message.expected().code() != null) {
                codes.add(message.expected().code());
            }
        }
        String protocol = node.path("protocol").asText(null);
        Protocol symbol = protocol == null
                ? Protocol.UNKNOWN
                : Protocols.STANDARD.wire().named(protocol).symbol();
        return new DialogueScenario(
                VectorHeader.of(node, Kind.DIALOGUE, symbol, codes, shown),
                VectorSettings.read(node.path("settings")),
                messages,
                checkpoints(node.path("checkpoints")));
    }

    private static Message message(JsonNode line, long timeBefore) throws InvalidVectorException {
        if (!line.has("wire") || !line.has("expect")) {
            throw new InvalidVectorException("a message must have wire and expect");
        }
        SortedSet<Code> warnings = new TreeSet<>();
        for (JsonNode warning : line.path("expectWarnings")) {
            warnings.add(Expectations.code(warning.asText()));
        }
        Code code = line.hasNonNull("expectCode")
                ? Expectations.code(line.get("expectCode").asText())
                : null;
        return new Message(
                VectorBytes.bytes(line.path("key")),
                RecordVector.headers(line.path("headers")),
                VectorBytes.bytes(line.get("wire")),
                line.path("topic").asText(TopicNames.DEFAULT.wire()),
                line.path("timestamp").asLong(timeBefore),
                new Outcome(
                        line.get("expect").asText(),
                        code,
                        warnings,
                        line.path("expectParked").asBoolean()),
                line.path("expectState").asText(null),
                line.path("expectClaims"),
                line.path("expectInner"));
    }

    private static List<Checkpoint> checkpoints(JsonNode nodes) {
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (JsonNode node : nodes) {
            CheckpointKey key = new CheckpointKey(
                    node.path("namespace").asText(RecordHeaders.DEFAULT_NAMESPACE),
                    node.path("context").asText(),
                    node.path("id").asText());
            SortedMap<String, String> state = null;
            if (node.path("state").isObject()) {
                state = new TreeMap<>();
                for (Map.Entry<String, JsonNode> entry : node.get("state").properties()) {
                    state.put(entry.getKey(), entry.getValue().asText());
                }
            }
            checkpoints.add(new Checkpoint(key, state));
        }
        return checkpoints;
    }

    @Override
    public Set<Profile> profiles() {
        return Set.of(settings.decode().profile());
    }

    @Override
    public List<String> differences(Profile profile) {
        OfflinePipeline pipeline = new OfflinePipeline(settings);
        List<List<JudgedRecord>> verdicts = verdicts(pipeline);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            compare(i + 1, messages.get(i), verdicts.get(i), differences);
        }
        compare(pipeline.checkpoints(), differences);
        return differences;
    }

    /** Returns the verdicts of a new pipeline on each record: one, or two if it was parked and its base arrived. */
    List<List<JudgedRecord>> verdicts(OfflinePipeline pipeline) {
        List<List<JudgedRecord>> verdicts = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            verdicts.add(new ArrayList<>());
            Message message = messages.get(i);
            Source source = new Source(message.topic(), 0, (long) i, Instant.ofEpochMilli(message.timestamp()), null);
            List<InboundHeader> headers = new ArrayList<>();
            message.headers()
                    .forEach((name, value) ->
                            headers.add(new InboundHeader(name, value == null ? null : ByteBuffer.wrap(value))));
            pipeline.accept(
                    new WireRecord(source, message.key(), message.wire(), RecordHeaders.of(message.headers())),
                    headers,
                    judged -> verdicts.get((int) judged.inbound().getSource().getOffset())
                            .add(judged));
        }
        return verdicts;
    }

    private void compare(int number, Message message, List<JudgedRecord> verdicts, List<String> differences) {
        Outcome actual = outcome(verdicts);
        if (!message.expected().equals(actual)) {
            differences.add("message " + number + ": expected " + message.expected() + ", but got " + actual);
        }
        if (verdicts.isEmpty()) {
            return;
        }
        JudgedRecord last = verdicts.get(verdicts.size() - 1);
        if (message.state() != null) {
            String state = last.message() == null
                    ? null
                    : settings.judge().positionOf(last.judgement().next(), last.message());
            if (!message.state().equals(state)) {
                differences.add("message " + number + ": expected state " + message.state() + ", but was " + state);
            }
        }
        InboundFault fault = last.inbound().getFault();
        if (fault != null) {
            compare(number, "claims", message.claims(), Expectations.json(fault.getClaims()), differences);
            compare(number, "inner", message.inner(), Expectations.json(fault.getInnerMessages()), differences);
        }
    }

    private static void compare(int number, String what, JsonNode expected, JsonNode actual, List<String> differences) {
        if (!expected.isMissingNode() && !expected.equals(actual)) {
            differences.add("message " + number + ": " + what + ": " + JsonDifference.between(expected, actual));
        }
    }

    /** Returns the outcome from the verdicts of a record. */
    private static Outcome outcome(List<JudgedRecord> verdicts) {
        boolean parked = !verdicts.isEmpty() && verdicts.get(0).isParked();
        if (verdicts.size() != 1 && !(parked && verdicts.size() == 2)) {
            return new Outcome(verdicts.size() + " verdicts", null, new TreeSet<>(), parked);
        }
        JudgedRecord last = verdicts.get(verdicts.size() - 1);
        Judgement judgement = last.judgement();
        String verdict = last.isParked() ? "PARKED" : judgement.verdict().name();
        return new Outcome(verdict, judgement.code(), new TreeSet<>(judgement.warnings()), parked);
    }

    private void compare(CheckpointReader actual, List<String> differences) {
        for (Checkpoint checkpoint : checkpoints) {
            SortedMap<String, String> state = actual.state(checkpoint.key()).orElse(null);
            if (!Objects.equals(state, checkpoint.state())) {
                differences.add("checkpoint " + checkpoint.key().id() + ": expected " + checkpoint.state()
                        + ", but got " + state);
            }
        }
    }
}
