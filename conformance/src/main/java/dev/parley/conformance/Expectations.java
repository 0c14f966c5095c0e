package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.parley.avro.Profile;
import dev.parley.codec.Code;
import dev.parley.json.AvroJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.generic.IndexedRecord;

/**
 * Expectations of a vector of one message: {@code expect} for both profiles, or {@code lenient} and {@code strict}, or
 * one of these.
 *
 * @param byProfile the expectation under each profile
 */
record Expectations(Map<Profile, JsonNode> byProfile) {
    private static final ObjectMapper JSON = new ObjectMapper().setNodeFactory(new ParsedNumbers());

    /** Fields that are empty if absent. */
    private static final Set<String> EMPTY_WHEN_ABSENT = Set.of("warnings", "violations");

    static Expectations read(JsonNode vector) throws InvalidVectorException {
        Map<Profile, JsonNode> expected = new EnumMap<>(Profile.class);
        put(expected, vector.get("lenient"), Profile.LENIENT);
        put(expected, vector.get("strict"), Profile.STRICT);
        if (vector.has("expect") != expected.isEmpty()) {
            throw new InvalidVectorException("a vector must have 'expect', or 'lenient' and 'strict'");
        }
        put(expected, vector.get("expect"), Profile.LENIENT);
        put(expected, vector.get("expect"), Profile.STRICT);
        for (JsonNode outcome : expected.values()) {
            if (!outcome.isObject()) {
                throw new InvalidVectorException("an expectation must be an object, but was " + outcome);
            }
        }
        Expectations expectations = new Expectations(expected);
        expectations.codes();
        return expectations;
    }

    private static void put(Map<Profile, JsonNode> expected, JsonNode outcome, Profile profile) {
        if (outcome != null) {
            expected.put(profile, outcome);
        }
    }

    Set<Profile> profiles() {
        return byProfile.keySet();
    }

    Set<Code> codes() throws InvalidVectorException {
        Set<Code> codes = EnumSet.noneOf(Code.class);
        for (JsonNode outcome : byProfile.values()) {
            if (outcome.has("code")) {
                codes.add(code(outcome.get("code").asText()));
            }
            for (String field : EMPTY_WHEN_ABSENT) {
                for (JsonNode code : outcome.path(field)) {
                    codes.add(code(code.asText()));
                }
            }
        }
        return codes;
    }

    static Code code(String name) throws InvalidVectorException {
        try {
            return Code.of(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidVectorException(e.getMessage());
        }
    }

    /**
     * Compares the actual outcome with the expected one: all fields of a decode error; for a message, the fields of the
     * vector, and warnings and violations in any order.
     */
    List<String> differences(Profile profile, ObjectNode actual) {
        JsonNode expected = byProfile.get(profile);
        List<String> differences = new ArrayList<>();
        if (expected.has("code") != actual.has("code")) {
            differences.add("expected " + brief(expected) + ", but got " + brief(actual));
            return differences;
        }
        Set<String> fields = new TreeSet<>();
        expected.fieldNames().forEachRemaining(fields::add);
        if (!expected.has("code")) {
            fields.addAll(EMPTY_WHEN_ABSENT);
        }
        for (String field : fields) {
            JsonNode wanted = expected.path(field);
            JsonNode got = actual.path(field);
            boolean equal = EMPTY_WHEN_ABSENT.contains(field) ? names(wanted).equals(names(got)) : wanted.equals(got);
            if (!equal) {
                differences.add(field + ": " + JsonDifference.between(wanted, got));
            }
        }
        return differences;
    }

    /** Numbers have the node type that a parser chooses, so a long equals the int of a vector. */
    private static final class ParsedNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1;

        @Override
        public NumericNode numberNode(long value) {
            return (int) value == value ? numberNode((int) value) : super.numberNode(value);
        }
    }

    /** Converts a record to JSON. */
    static JsonNode json(IndexedRecord record) {
        try (TokenBuffer tokens = new TokenBuffer(JSON, false)) {
            AvroJson.write(tokens, record);
            return JSON.readTree(tokens.asParser());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    /** Converts records to a JSON array; see {@link #json(IndexedRecord)}. */
    static ArrayNode json(List<? extends IndexedRecord> records) {
        ArrayNode array = JSON.createArrayNode();
        records.forEach(record -> array.add(json(record)));
        return array;
    }

    /** Adds warnings and violations of a decoder to an outcome. */
    static void putDiagnostics(ObjectNode outcome, List<Code> warnings, List<Code> violations) {
        put(outcome.putArray("warnings"), warnings);
        put(outcome.putArray("violations"), violations);
    }

    private static void put(ArrayNode array, List<Code> codes) {
        codes.forEach(code -> array.add(code.name()));
    }

    private static Set<String> names(JsonNode codes) {
        Set<String> names = new TreeSet<>();
        codes.forEach(code -> names.add(code.asText()));
        return names;
    }

    /** Returns the outcome in one line. */
    String shown() {
        JsonNode lenient = byProfile.get(Profile.LENIENT);
        JsonNode strict = byProfile.get(Profile.STRICT);
        if (lenient == null || strict == null || lenient.equals(strict)) {
            return shown(lenient == null ? strict : lenient);
        }
        return shown(lenient) + "; under decode.profile=strict " + shown(strict);
    }

    private static String shown(JsonNode outcome) {
        if (outcome.has("code")) {
            return "UNDECODABLE " + brief(outcome);
        }
        String verdict = outcome.path("violations").isEmpty()
                ? "ACCEPTED"
                : "REJECTED " + outcome.get("violations").get(0).asText();
        return outcome.path("warnings").isEmpty()
                ? verdict
                : verdict + " with " + String.join(", ", names(outcome.get("warnings")));
    }

    private static String brief(JsonNode outcome) {
        return outcome.has("code")
                ? outcome.get("code").asText() + " at byte "
                        + outcome.path("offset").asText()
                : "a message";
    }
}
