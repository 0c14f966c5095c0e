package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.codec.Code;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.protocol.Protocols;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
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
 * Several records, one after the other, and what becomes of each; and what checkpoints they leave.
 *
 * @param id stable name
 * @param title a sentence
 * @param example whether documentation shows it
 * @param protocol protocol whose rules it tries; UNKNOWN for what concerns all
 * @param settings how it is judged
 * @param messages the records, in order
 * @param checkpoints what is known afterwards
 * @param codes every code that is expected
 * @param shown what is sent and expected, for a person
 * @param settingsShown settings other than the defaults
 */
record DialogueScenario(
        String id,
        String title,
        boolean example,
        Protocol protocol,
        Settings settings,
        List<Message> messages,
        List<Checkpoint> checkpoints,
        Set<Code> codes,
        List<Shown> shown,
        List<String> settingsShown)
        implements ConformanceVector {

    /**
     * One record.
     *
     * @param key key, or null
     * @param headers headers
     * @param wire value, or null
     * @param topic input topic
     * @param timestamp milliseconds since the epoch
     * @param expected what becomes of it
     * @param state state of its dialogue afterwards; null when the vector does not say
     */
    record Message(
            byte[] key,
            Map<String, byte[]> headers,
            byte[] wire,
            String topic,
            long timestamp,
            Outcome expected,
            String state) {}

    /**
     * What becomes of a record.
     *
     * @param verdict ACCEPTED, REJECTED, FLAGGED, UNDECODABLE or PARKED
     * @param code the fault or violation that decided; null without one
     * @param warnings the warnings, in the order of their names
     * @param parked whether it waited for its base, or waits
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
     * A checkpoint afterwards.
     *
     * @param key which
     * @param state its definitions; null when it must not exist
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
        return new DialogueScenario(
                node.path("id").asText(),
                node.path("title").asText(),
                node.path("example").asBoolean(),
                protocol == null
                        ? Protocol.UNKNOWN
                        : Protocols.STANDARD.wire().named(protocol).symbol(),
                Settings.read(node.path("settings")),
                messages,
                checkpoints(node.path("checkpoints")),
                codes,
                shown,
                Settings.shown(node.path("settings")));
    }

    private static Message message(JsonNode line, long timeBefore) throws InvalidVectorException {
        if (!line.has("wire") || !line.has("expect")) {
            throw new InvalidVectorException("a message has wire and expect");
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
                line.path("topic").asText(Protocols.INPUT_TOPIC),
                line.path("timestamp").asLong(timeBefore),
                new Outcome(
                        line.get("expect").asText(),
                        code,
                        warnings,
                        line.path("expectParked").asBoolean()),
                line.path("expectState").asText(null));
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
    public Kind kind() {
        return Kind.DIALOGUE;
    }

    @Override
    public Set<Profile> profiles() {
        return Set.of(settings.options().profile());
    }

    @Override
    public List<String> differences(Profile profile) {
        OfflinePipeline pipeline = new OfflinePipeline(
                settings.options(), settings.dialogue(), settings.checkpoints(), Protocols.STANDARD.byInputTopic());
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
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            compare(i + 1, messages.get(i), verdicts.get(i), differences);
        }
        compare(pipeline.checkpoints(), differences);
        return differences;
    }

    private static void compare(int number, Message message, List<JudgedRecord> verdicts, List<String> differences) {
        Outcome actual = outcome(verdicts);
        if (!message.expected().equals(actual)) {
            differences.add("message " + number + ": expected " + message.expected() + ", but got " + actual);
        }
        if (message.state() != null && !verdicts.isEmpty()) {
            String state = DialoguePosition.after(verdicts.get(verdicts.size() - 1));
            if (!message.state().equals(state)) {
                differences.add(
                        "message " + number + ": expected to stand in " + message.state() + ", but stands in " + state);
            }
        }
    }

    /** A record has one verdict; one that was parked has its parking before it, or alone when its base never came. */
    private static Outcome outcome(List<JudgedRecord> verdicts) {
        boolean parked = !verdicts.isEmpty() && verdicts.get(0).isParked();
        if (verdicts.size() != 1 && !(parked && verdicts.size() == 2)) {
            return new Outcome(verdicts.size() + " verdicts", null, new TreeSet<>(), parked);
        }
        JudgedRecord last = verdicts.get(verdicts.size() - 1);
        String verdict = last.isParked() ? "PARKED" : last.outcome().verdict().name();
        return new Outcome(
                verdict, last.outcome().code(), new TreeSet<>(last.outcome().warnings()), parked);
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
