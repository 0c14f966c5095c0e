package dev.parley.dialogue.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas and contents that agents choose; the conformance kit has the rule itself. */
class McpOutputSchemasTest {
    private static final long SEED = Long.getLong("mcp.schemas.seed", System.nanoTime());
    private static final String NAMED = "{\"$defs\":{%s},\"properties\":{\"a\":{\"$ref\":\"#/$defs/s0\"}}}";

    private final McpOutputSchemas schemas = new McpOutputSchemas();

    @Test
    void theFirstBrokenKeywordIsNamed() {
        String schema = "{\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}";

        assertThat(schemas.broken(schema, "{\"n\":\"x\"}")).isEqualTo("type");
        assertThat(schemas.broken(schema, "{}")).isEqualTo("required");
        assertThat(schemas.broken(schema, null)).isEqualTo("the presence");
        assertThat(schemas.broken(schema, "{\"n\":1.0}")).isNull();
    }

    @Test
    void formatsAreAnnotations() {
        String schema = "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"properties\":"
                + "{\"at\":{\"format\":\"date-time\"},\"to\":{\"format\":\"email\"}}}";

        assertThat(schemas.broken(schema, "{\"at\":\"now\",\"to\":\"nobody\"}")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"not\":{},\"pattern\":\"(a+)+$\"}",
                "{\"not\":{},\"patternProperties\":{\"(a+)+$\":{}}}",
                "{\"not\":{},\"$ref\":\"https://example.com/schema\"}",
                "{\"not\":{},\"$ref\":\"file:///etc/passwd\"}",
                "{\"not\":{},\"$ref\":\"#anchor\"}",
                "{\"not\":{},\"$ref\":\"#\"}",
                "{\"not\":{},\"properties\":{\"a\":{\"$ref\":\"#/properties/a\"}}}",
                "{\"not\":{},\"$dynamicRef\":\"#a\"}",
                "{\"not\":{},\"$id\":\"https://example.com/\"}",
                "{\"not\":{},\"$schema\":\"https://example.com/dialect\"}",
                "{\"not\":{},\"properties\":{\"a\":{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}}}",
                "{\"not\":{},\"unevaluatedProperties\":false}",
                "{\"not\":{},\"uniqueItems\":true}",
                "{\"not\":{},\"multipleOf\":1e-99999999}",
                "{\"not\":{},\"minimum\":1e99999999}",
                "{\"not\":{},\"minLength\":-1}",
                "{\"not\":{},\"type\":\"objekt\"}",
                "{\"not\":{},\"required\":\"a\"}",
                "{\"not\":{},\"properties\":[1]}",
                "{\"not\":{},\"allOf\":[]}",
                "{\"not\":{},\"items\":[{}]}",
                "[]",
                "1"
            })
    void whatHasNoBoundOrNoCertainMeaningIsNotJudged(String schema) {
        assertThat(schemas.broken(schema, "{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"}"))
                .isNull();
    }

    /** Each definition applies the next one twice: 2^40 subschemas. */
    @Test
    void referencesThatDoubleAreNotJudged() {
        String definitions = IntStream.range(0, 40)
                .mapToObj(i -> "\"s" + i + "\":{\"allOf\":[{\"$ref\":\"#/$defs/s" + (i + 1)
                        + "\"},{\"$ref\":\"#/$defs/s" + (i + 1) + "\"}]}")
                .collect(Collectors.joining(","));
        String schema = NAMED.formatted(definitions + ",\"s40\":false");

        assertThat(schemas.broken(schema, "{\"a\":1}")).isNull();
    }

    @Test
    void aContentThatIsLargeForItsSchemaIsNotJudged() {
        String schema = NAMED.formatted("\"s0\":{\"items\":{\"anyOf\":["
                + IntStream.range(0, 300).mapToObj(i -> "{\"const\":" + i + "}").collect(Collectors.joining(","))
                + "]}}");
        String wrong = "\"x\",".repeat(1_000) + "1";

        assertThat(schemas.broken(schema, "{\"a\":[" + wrong + "]}")).isNull();
        assertThat(schemas.broken(schema, "{\"a\":[\"x\"]}")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1E+400", "1e-9999"})
    void numbersThatAreHugeAreNotJudged(String number) {
        String schema = "{\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":3}}}";

        assertThat(schemas.broken(schema, "{\"n\":" + number + "}")).isNull();
        assertThat(schemas.broken(schema, "{\"n\":" + "9".repeat(2_000) + "}")).isNull();
        assertThat(schemas.broken(schema, "{\"n\":\"" + number + "\"}")).isEqualTo("type");
        assertThat(schemas.broken(schema, "{\"n\":1e9}")).isEqualTo("maximum");
    }

    @Test
    void thousandsOfSchemasKeepFewInMemory() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(schemas.broken("{\"maximum\":" + i + "}", String.valueOf(i + 1)))
                    .isEqualTo("maximum");
        }

        assertThat(schemas.readied()).isLessThanOrEqualTo(64);
    }

    @Test
    void noSchemaAndNoContentThrows() {
        Random random = new Random(SEED);
        int judged = 0;
        for (int i = 0; i < 20_000; i++) {
            String schema = schema(random, 3);
            String content = value(random, 3);
            try {
                judged += schemas.broken(schema, content) == null ? 0 : 1;
            } catch (RuntimeException e) {
                throw new AssertionError("mcp.schemas.seed=" + SEED + ": " + schema + " of " + content, e);
            }
        }
        assertThat(judged).isPositive();
    }

    private static final List<String> KEYWORDS = List.of(
            "type",
            "properties",
            "required",
            "items",
            "prefixItems",
            "additionalProperties",
            "enum",
            "const",
            "minimum",
            "exclusiveMaximum",
            "minLength",
            "maxItems",
            "minProperties",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "$ref",
            "$defs",
            "definitions",
            "format",
            "default",
            "$schema",
            "x-a",
            "description");

    private static String schema(Random random, int depth) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> KEYWORDS.get(random.nextInt(KEYWORDS.size())))
                .distinct()
                .map(keyword -> '"' + keyword + "\":" + keywordValue(random, keyword, depth))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String keywordValue(Random random, String keyword, int depth) {
        if (random.nextInt(12) == 0 || depth == 0) {
            return value(random, 2);
        }
        return switch (keyword) {
            case "type" ->
                List.of("\"object\"", "\"integer\"", "[\"string\",\"null\"]", "\"array\"")
                        .get(random.nextInt(4));
            case "properties", "$defs", "definitions" -> "{\"a\":" + schema(random, depth - 1) + "}";
            case "required" -> "[\"a\"]";
            case "items", "additionalProperties", "not", "if", "then", "else" -> schema(random, depth - 1);
            case "allOf", "anyOf", "oneOf", "prefixItems" -> "[" + schema(random, depth - 1) + ",true]";
            case "enum" -> "[" + value(random, 1) + "]";
            case "minLength", "maxItems", "minProperties" -> String.valueOf(random.nextInt(3));
            case "$ref" ->
                List.of("\"#/$defs/a\"", "\"#/properties/a\"", "\"#/definitions/a\"", "\"#/a~1/%41\"")
                        .get(random.nextInt(4));
            case "$schema" ->
                List.of(
                                "\"https://json-schema.org/draft/2020-12/schema\"",
                                "\"http://json-schema.org/draft-04/schema#\"")
                        .get(random.nextInt(2));
            default -> value(random, 2);
        };
    }

    private static String value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 8)) {
            case 0 -> "null";
            case 1 -> "true";
            case 2 -> "\"a\"";
            case 3 -> String.valueOf(random.nextInt(5) - 1);
            case 4 -> "-0.5e2";
            case 5 -> "\"\\u00e9\\\\\\\"\"";
            case 6 -> "[" + value(random, depth - 1) + "," + value(random, depth - 1) + "]";
            default -> "{\"a\":" + value(random, depth - 1) + ",\"\":" + value(random, depth - 1) + "}";
        };
    }
}
