package dev.parley.conformance;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Profile;
import dev.parley.codec.Code;
import dev.parley.json.AvroJson;
import java.io.ByteArrayOutputStream;
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
 * What a vector of one message expects: {@code expect} for both profiles, or {@code lenient} and {@code strict}, or one
 * of these two.
 *
 * @param byProfile the expectation under each profile
 */
record Expectations(Map<Profile, JsonNode> byProfile) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Fields whose absence means that there is nothing in them. */
    private static final Set<String> EMPTY_WHEN_ABSENT = Set.of("warnings", "violations");

    static Expectations read(JsonNode vector) throws InvalidVectorException {
        Map<Profile, JsonNode> expected = new EnumMap<>(Profile.class);
        put(expected, vector.get("lenient"), Profile.LENIENT);
        put(expected, vector.get("strict"), Profile.STRICT);
        if (vector.has("expect") != expected.isEmpty()) {
            throw new InvalidVectorException("a vector has 'expect', or 'lenient' and 'strict'");
        }
        put(expected, vector.get("expect"), Profile.LENIENT);
        put(expected, vector.get("expect"), Profile.STRICT);
        for (JsonNode outcome : expected.values()) {
            if (!outcome.isObject()) {
                throw new InvalidVectorException("what is expected is an object, not " + outcome);
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
     * Compares what an implementation gave with what is expected. Of a fault everything counts; of a message the fields
     * that the vector names, and its warnings and violations, in any order.
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
                differences.add(field + ": " + Difference.between(wanted, got));
            }
        }
        return differences;
    }

    /** A record as JSON, by way of its text, so that numbers compare by value and not by the type that holds them. */
    static JsonNode json(IndexedRecord record) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            AvroJson.write(generator, record);
            generator.flush();
            return JSON.readTree(text.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
    }

    /** Adds the codes of what a decoder found to an outcome. */
    static void putFindings(ObjectNode outcome, List<Code> warnings, List<Code> violations) {
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

    /** What becomes of the message, in a line. */
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
