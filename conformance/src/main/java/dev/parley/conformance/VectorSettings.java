package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Profile;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.DialogueSettings.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings of a vector, under the names that they have in Parley's configuration; what it does not name has its
 * default.
 *
 * @param options profile and limits
 * @param dialogue how dialogues are judged
 * @param checkpoints how patches are applied
 */
record Settings(DecodeOptions options, DialogueSettings dialogue, CheckpointSettings checkpoints) {

    static Settings read(JsonNode node) throws InvalidVectorException {
        Profile profile = Profile.LENIENT;
        Limits limits = Limits.DEFAULT;
        DialogueSettings dialogue = DialogueSettings.DEFAULT;
        CheckpointSettings checkpoints = CheckpointSettings.DEFAULT;
        for (Map.Entry<String, JsonNode> setting : node.properties()) {
            JsonNode value = setting.getValue();
            switch (setting.getKey()) {
                case "decode.profile" -> profile = is(value, "strict", "lenient") ? Profile.STRICT : Profile.LENIENT;
                case "limits.message.bytes" ->
                    limits = new Limits(number(value), limits.depth(), limits.fields(), limits.operations());
                case "limits.depth" ->
                    limits = new Limits(limits.messageBytes(), number(value), limits.fields(), limits.operations());
                case "limits.fields" ->
                    limits = new Limits(limits.messageBytes(), limits.depth(), number(value), limits.operations());
                case "limits.operations" ->
                    limits = new Limits(limits.messageBytes(), limits.depth(), limits.fields(), number(value));
                case "dialogue.mode" ->
                    dialogue = new DialogueSettings(
                            is(value, "observe", "enforce") ? Mode.OBSERVE : Mode.ENFORCE,
                            dialogue.idleMillis(),
                            dialogue.maxEntries());
                case "dialogue.idle.ms" ->
                    dialogue = new DialogueSettings(dialogue.mode(), number(value), dialogue.maxEntries());
                case "dialogue.max.entries" ->
                    dialogue = new DialogueSettings(dialogue.mode(), dialogue.idleMillis(), number(value));
                case "csp.branching" ->
                    checkpoints = checkpoints(
                            checkpoints,
                            is(value, "reject", "warn") ? Branching.REJECT : Branching.WARN,
                            checkpoints.parkingLimit(),
                            checkpoints.parkingMillis(),
                            checkpoints.stateBytes());
                case "csp.parking.max" ->
                    checkpoints = checkpoints(
                            checkpoints,
                            checkpoints.branching(),
                            number(value),
                            checkpoints.parkingMillis(),
                            checkpoints.stateBytes());
                case "csp.parking.ms" ->
                    checkpoints = checkpoints(
                            checkpoints,
                            checkpoints.branching(),
                            checkpoints.parkingLimit(),
                            number(value),
                            checkpoints.stateBytes());
                case "csp.state.bytes" ->
                    checkpoints = checkpoints(
                            checkpoints,
                            checkpoints.branching(),
                            checkpoints.parkingLimit(),
                            checkpoints.parkingMillis(),
                            number(value));
                default -> throw new InvalidVectorException("no setting is named " + setting.getKey());
            }
        }
        return new Settings(new DecodeOptions(profile, limits), dialogue, checkpoints);
    }

    /** What a vector sets, each as name=value. */
    static List<String> shown(JsonNode node) {
        List<String> shown = new ArrayList<>();
        node.properties()
                .forEach(setting ->
                        shown.add(setting.getKey() + "=" + setting.getValue().asText()));
        return shown;
    }

    private static CheckpointSettings checkpoints(
            CheckpointSettings before, Branching branching, int parkingLimit, long parkingMillis, long stateBytes) {
        return new CheckpointSettings(
                branching,
                parkingLimit,
                parkingMillis,
                stateBytes,
                before.heads(),
                before.retentionMillis(),
                before.parkingTotal());
    }

    private static boolean is(JsonNode value, String word, String other) throws InvalidVectorException {
        if (!value.asText().equals(word) && !value.asText().equals(other)) {
            throw new InvalidVectorException("'" + value.asText() + "' is neither " + other + " nor " + word);
        }
        return value.asText().equals(word);
    }

    private static int number(JsonNode value) throws InvalidVectorException {
        if (!value.isInt() || value.intValue() < 0) {
            throw new InvalidVectorException(value + " is no number from 0 to 2147483647");
        }
        return value.intValue();
    }
}
