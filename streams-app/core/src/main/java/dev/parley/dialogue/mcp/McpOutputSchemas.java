package dev.parley.dialogue.mcp;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * Compares structured content with JSON Schemas that servers declare. Both are texts of an agent, so a schema is judged
 * only if its cost is bounded and its meaning is certain: it has keywords of a list alone, references into itself that
 * do not recur, and few subschemas. Patterns are not in the list, because dialects of expressions differ and their
 * evaluation may be exponential. Thread-safe.
 */
final class McpOutputSchemas {
    /** Maximum length of a schema. */
    private static final int MAX_SCHEMA = 1 << 14;

    /** Maximum number of subschemas, those behind references counted at each reference. */
    private static final int MAX_SUBSCHEMAS = 1_000;

    /** Maximum product of the number of subschemas and the length of a content, of which the time is a multiple. */
    private static final int MAX_COST = 1 << 19;

    /** Maximum number of schemas that are kept ready. */
    private static final int MAX_READY = 64;

    private static final Set<String> SCHEMA = Set.of("items", "additionalProperties", "not", "if", "then", "else");
    private static final Set<String> SCHEMAS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
    private static final Set<String> NAMED_SCHEMAS = Set.of("properties", "$defs", "definitions");
    private static final Set<String> NUMBER = Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");
    private static final Set<String> COUNT =
            Set.of("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties");
    private static final Set<String> TYPES =
            Set.of("\"array\"", "\"boolean\"", "\"integer\"", "\"null\"", "\"number\"", "\"object\"", "\"string\"");

    /** Maximum digits of a compared number, and of its exponent. */
    private static final int MAX_DIGITS = 300;

    /** Signs are counted, too. */
    private static final int MAX_EXPONENT = 3;

    private static final int MAX_COUNT_DIGITS = 9;

    /** Keywords with any value. Formats are annotations. */
    private static final Set<String> ANY = Set.of(
            "const", "title", "description", "default", "examples", "format", "$comment", "deprecated", "readOnly");

    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .formatAssertionsEnabled(false)
            .failFast(true)
            .build();

    private final Map<String, Readied> ready = Collections.synchronizedMap(new LinkedHashMap<>(MAX_READY, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Readied> eldest) {
            return size() > MAX_READY;
        }
    });

    /**
     * A schema in each version that it may be of; in none if it is not judged.
     *
     * @param subschemas their number
     */
    private record Readied(List<Schema> versions, int subschemas) {}

    /** Returns a schema as it is kept with the definition of its tool; null if it is too long to be judged. */
    static String stored(String schema) {
        return schema == null || schema.length() > MAX_SCHEMA ? null : schema;
    }

    /**
     * Returns the keyword of a schema that a content breaks.
     *
     * @param schema JSON text of the schema
     * @param content JSON text of the content; null without any
     * @return null if it breaks none, or is not judged
     */
    String broken(String schema, String content) {
        Readied readied = ready.computeIfAbsent(schema, McpOutputSchemas::ready);
        if (readied.versions.isEmpty()) {
            return null;
        }
        if (content == null) {
            return "the presence";
        }
        if ((long) content.length() * readied.subschemas > MAX_COST || hasHugeNumber(content)) {
            return null;
        }
        String broken = null;
        for (Schema version : readied.versions) {
            List<Error> errors = version.validate(content, InputFormat.JSON);
            if (errors.isEmpty()) {
                return null;
            }
            broken = errors.get(0).getKeyword();
        }
        return broken;
    }

    /** Number of schemas that are kept ready. */
    int readied() {
        return ready.size();
    }

    private static Readied ready(String schema) {
        int subschemas = hasHugeNumber(schema) ? MAX_SUBSCHEMAS + 1 : subschemas(schema, schema, 0);
        if (subschemas > MAX_SUBSCHEMAS) {
            return new Readied(List.of(), 0);
        }
        String dialect = McpJson.members(schema).get("$schema");
        List<SpecificationVersion> versions = dialect == null
                // Before 2025-11-25, the specification names no default, and SDKs differ.
                ? List.of(SpecificationVersion.DRAFT_2020_12, SpecificationVersion.DRAFT_7)
                : SpecificationVersion.fromDialectId(McpJson.string(dialect))
                        // Draft-04 has other keywords.
                        .filter(version -> version != SpecificationVersion.DRAFT_4)
                        .map(List::of)
                        .orElse(List.of());
        return new Readied(
                versions.stream()
                        .map(version -> SchemaRegistry.withDefaultDialect(
                                        version, registry -> registry.schemaRegistryConfig(CONFIG))
                                .getSchema(schema, InputFormat.JSON))
                        .toList(),
                subschemas);
    }

    /** Counts subschemas; returns more than the maximum if the schema is not judged. */
    private static int subschemas(String root, String schema, int before) {
        int count = before + 1;
        if (count > MAX_SUBSCHEMAS || "true".equals(schema) || "false".equals(schema)) {
            return count;
        }
        if (schema == null || !schema.startsWith("{")) {
            return MAX_SUBSCHEMAS + 1;
        }
        for (Map.Entry<String, String> keyword : McpJson.members(schema).entrySet()) {
            String name = keyword.getKey();
            String value = keyword.getValue();
            if (SCHEMA.contains(name)) {
                count = subschemas(root, value, count);
            } else if (SCHEMAS.contains(name) && isFilled(value) || NAMED_SCHEMAS.contains(name) && isObject(value)) {
                Collection<String> each = SCHEMAS.contains(name)
                        ? McpJson.elements(value)
                        : McpJson.members(value).values();
                for (String subschema : each) {
                    count = subschemas(root, subschema, count);
                }
            } else if (name.equals("$ref")) {
                count = subschemas(root, target(root, McpJson.string(value)), count);
            } else if (!isPlain(name, value) && !(name.equals("$schema") && before == 0 && value.startsWith("\""))) {
                return MAX_SUBSCHEMAS + 1;
            }
        }
        return count;
    }

    /** Returns the place in a schema that a reference names; null if it is not followed. */
    private static String target(String root, String reference) {
        if (reference == null || !reference.startsWith("#/") || reference.indexOf('%') >= 0) {
            return null;
        }
        String at = root;
        StringTokenizer names = new StringTokenizer(reference.substring(2), "/");
        while (names.hasMoreTokens()) {
            String name = names.nextToken();
            at = name.indexOf('~') < 0 ? McpJson.members(at).get(name) : null;
        }
        return at;
    }

    private static boolean isPlain(String keyword, String value) {
        if (NUMBER.contains(keyword)) {
            return McpMethods.Type.NUMBER.fits(value);
        }
        if (COUNT.contains(keyword)) {
            return value.length() < MAX_COUNT_DIGITS && value.chars().allMatch(c -> c >= '0' && c <= '9');
        }
        return switch (keyword) {
            case "type" -> isFilled(value) ? TYPES.containsAll(McpJson.elements(value)) : TYPES.contains(value);
            case "required" ->
                value.startsWith("[") && McpJson.elements(value).stream().allMatch(name -> name.startsWith("\""));
            case "enum" -> isFilled(value);
            default -> ANY.contains(keyword) || keyword.startsWith("x-");
        };
    }

    private static boolean isObject(String json) {
        return json.startsWith("{");
    }

    private static boolean isFilled(String json) {
        return !McpJson.elements(json).isEmpty();
    }

    /** Whether a JSON text contains a number beyond those that are compared. */
    private static boolean hasHugeNumber(String json) {
        boolean inString = false;
        int digits = 0;
        int max = MAX_DIGITS;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                inString = !inString;
            } else if (!inString) {
                boolean isDigit = c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+';
                boolean isExponent = digits > 0 && (c == 'e' || c == 'E');
                digits = isDigit ? digits + 1 : 0;
                if (isExponent) {
                    max = MAX_EXPONENT;
                } else if (!isDigit) {
                    max = MAX_DIGITS;
                }
                if (digits > max) {
                    return true;
                }
            }
        }
        return false;
    }
}
