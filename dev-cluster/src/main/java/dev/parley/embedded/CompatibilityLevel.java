package dev.parley.embedded;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;

/** How a new schema must agree with those before it. */
public enum CompatibilityLevel {
    /** Not at all. */
    NONE(false, false, false),
    /** Readers of the new schema read what the latest wrote. */
    BACKWARD(true, false, false),
    /** Readers of the new schema read what any earlier one wrote. */
    BACKWARD_TRANSITIVE(true, false, true),
    /** Readers of the latest schema read what the new one writes. */
    FORWARD(false, true, false),
    /** Readers of any earlier schema read what the new one writes. */
    FORWARD_TRANSITIVE(false, true, true),
    /** Both ways, with the latest. */
    FULL(true, true, false),
    /** Both ways, with every earlier one. */
    FULL_TRANSITIVE(true, true, true);

    private final boolean backward;
    private final boolean forward;
    private final boolean transitive;

    CompatibilityLevel(boolean backward, boolean forward, boolean transitive) {
        this.backward = backward;
        this.forward = forward;
        this.transitive = transitive;
    }

    /** A schema that a new one is compared with. */
    record Earlier(int version, Schema schema) {}

    /**
     * What stands against the new schema.
     *
     * @param earlier the schemas before it, oldest first; only the last counts unless the level is transitive
     * @return a sentence for each incompatibility, naming the version, the kind and the place; empty when compatible
     */
    List<String> objections(Schema schema, List<Earlier> earlier) {
        if (earlier.isEmpty() || this == NONE) {
            return List.of();
        }
        List<String> objections = new ArrayList<>();
        for (Earlier other : transitive ? earlier : earlier.subList(earlier.size() - 1, earlier.size())) {
            if (backward) {
                compare(schema, other.schema(), "The new schema cannot read version " + other.version(), objections);
            }
            if (forward) {
                compare(
                        other.schema(),
                        schema,
                        "Version " + other.version() + " cannot read the new schema",
                        objections);
            }
        }
        return objections;
    }

    private static void compare(Schema reader, Schema writer, String sentence, List<String> objections) {
        SchemaPairCompatibility pair = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        if (pair.getType() == SchemaCompatibilityType.COMPATIBLE) {
            return;
        }
        for (Incompatibility found : pair.getResult().getIncompatibilities()) {
            objections.add(
                    sentence + ": " + found.getType() + " at " + found.getLocation() + " (" + found.getMessage() + ")");
        }
    }
}
