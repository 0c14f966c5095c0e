package dev.parley.server.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/** Rewrites messages of peers as a build with other fields would write them. */
public final class OtherBuild {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Members whose objects are maps, not records. */
    private static final Set<String> MAPS = Set.of("subject", "parameters", "lags", "message");

    private OtherBuild() {}

    /** The message of a build in which every record has two fields more. */
    public static byte[] withMoreFields(byte[] message) throws IOException {
        JsonNode tree = JSON.readTree(message);
        addTo(tree);
        return JSON.writeValueAsBytes(tree);
    }

    private static void addTo(JsonNode node) {
        node.properties().stream()
                .filter(member -> !MAPS.contains(member.getKey()))
                .forEach(member -> addTo(member.getValue()));
        if (node.isArray()) {
            node.forEach(OtherBuild::addTo);
        } else if (node instanceof ObjectNode record && !isResult(record)) {
            record.put("addedByALaterBuild", "x").putObject("addedToo").put("id", 1);
        }
    }

    /** Whether an object has only the name of a class, with the result. */
    private static boolean isResult(ObjectNode node) {
        return node.size() == 1
                && Character.isUpperCase(node.fieldNames().next().charAt(0));
    }

    /**
     * The message of a build in which records do not have a field.
     *
     * @param record JSON pointer to one of the records
     */
    public static byte[] without(byte[] message, String record, String field) throws IOException {
        return with(message, record, field, null);
    }

    /** The message of a build in which a field has another value; null removes it. */
    static byte[] with(byte[] message, String record, String field, JsonNode value) throws IOException {
        JsonNode tree = JSON.readTree(message);
        ObjectNode fields = (ObjectNode) tree.at(record);
        if (!fields.has(field)) {
            throw new AssertionError("no field " + field);
        }
        if (value == null) {
            fields.remove(field);
        } else {
            fields.set(field, value);
        }
        return JSON.writeValueAsBytes(tree);
    }
}
