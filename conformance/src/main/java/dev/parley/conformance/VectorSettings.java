package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Profile;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.DialogueSettings.Mode;
import dev.parley.stage.StageSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the settings of a vector, with their names in Parley's configuration; the others have their defaults. */
final class VectorSettings {
    private VectorSettings() {}

    static StageSettings read(JsonNode node) throws InvalidVectorException {
        Profile profile = Profile.LENIENT;
        Limits limits = Limits.DEFAULT;
        int messageBytes = limits.messageBytes();
        int depth = limits.depth();
        int fields = limits.fields();
        int operations = limits.operations();
        DialogueSettings dialogue = DialogueSettings.DEFAULT;
        Mode mode = dialogue.mode();
        long idleMillis = dialogue.idleMillis();
        int maxEntries = dialogue.maxEntries();
        CheckpointSettings checkpoints = CheckpointSettings.DEFAULT;
        Branching branching = checkpoints.branching();
        int parkingLimit = checkpoints.parkingLimit();
        long parkingMillis = checkpoints.parkingMillis();
        long stateBytes = checkpoints.stateBytes();
        for (Map.Entry<String, JsonNode> setting : node.properties()) {
            JsonNode value = setting.getValue();
            switch (setting.getKey()) {
                case "decode.profile" -> profile = is(value, "strict", "lenient") ? Profile.STRICT : Profile.LENIENT;
                case "limits.message.bytes" -> messageBytes = number(value);
                case "limits.depth" -> depth = number(value);
                case "limits.fields" -> fields = number(value);
                case "limits.operations" -> operations = number(value);
                case "dialogue.mode" -> mode = is(value, "observe", "enforce") ? Mode.OBSERVE : Mode.ENFORCE;
                case "dialogue.idle.ms" -> idleMillis = number(value);
                case "dialogue.max.entries" -> maxEntries = number(value);
                case "csp.branching" -> branching = is(value, "reject", "warn") ? Branching.REJECT : Branching.WARN;
                case "csp.parking.max" -> parkingLimit = number(value);
                case "csp.parking.ms" -> parkingMillis = number(value);
                case "csp.state.bytes" -> stateBytes = number(value);
                default -> throw new InvalidVectorException("unknown setting " + setting.getKey());
            }
        }
        return StageSettings.of(
                        new DecodeOptions(profile, new Limits(messageBytes, depth, fields, operations)),
                        new DialogueSettings(mode, idleMillis, maxEntries))
                .with(new CheckpointSettings(
                        branching,
                        parkingLimit,
                        parkingMillis,
                        stateBytes,
                        checkpoints.stateCache(),
                        checkpoints.retentionMillis(),
                        checkpoints.parkingTotal()));
    }

    /** Returns the settings of a vector, each as name=value. */
    static List<String> shown(JsonNode node) {
        List<String> shown = new ArrayList<>();
        node.properties()
                .forEach(setting ->
                        shown.add(setting.getKey() + "=" + setting.getValue().asText()));
        return shown;
    }

    private static boolean is(JsonNode value, String word, String other) throws InvalidVectorException {
        if (!value.asText().equals(word) && !value.asText().equals(other)) {
            throw new InvalidVectorException("'" + value.asText() + "' must be " + other + " or " + word);
        }
        return value.asText().equals(word);
    }

    private static int number(JsonNode value) throws InvalidVectorException {
        if (!value.isInt() || value.intValue() < 0) {
            throw new InvalidVectorException(value + " must be an integer from 0 to 2147483647");
        }
        return value.intValue();
    }
}
