package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskRulesTest {
    private static final UnaryOperator<String> HIDE = value -> "#";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static String mask(String rules, String json) {
        byte[] masked = MaskRules.parse(rules).mask(json.getBytes(UTF_8), HIDE);
        return masked == null ? null : new String(masked, UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"password\":\"zq\",\"a\": 1}; {\"password\":\"#\",\"a\": 1}",
                "{\"PassWord\" : {\"a\":\"zq\"} }; {\"PassWord\" : \"#\" }",
                "{\"pass\\u0077ord\":[1,\"zq\"]}; {\"pass\\u0077ord\":\"#\"}",
                "{\"pass_word\":1,\"pass-Word\":true,\"ｐａｓｓｗｏｒｄ\":null}; {\"pass_word\":\"#\",\"pass-Word\":\"#\",\"ｐａｓｓｗｏｒｄ\":\"#\"}",
                "{\"password\":1,\"password\":2}; {\"password\":\"#\",\"password\":\"#\"}",
                "[{\"a\":[{\"password\":\"zq\"}]}]; [{\"a\":[{\"password\":\"#\"}]}]",
                "{\"passwords\":\"kept\",\"a\":\"password\"}; {\"passwords\":\"kept\",\"a\":\"password\"}",
            })
    void aKeyMasksMembersAtAnyDepthInAnySpelling(String json, String masked) {
        assertThat(mask("key:password", json)).isEqualTo(masked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "path:$.a.b; {\"a\":{\"b\":\"zq\",\"c\":1},\"b\":2}; {\"a\":{\"b\":\"#\",\"c\":1},\"b\":2}",
                "path:$.a.b; [{\"a\":{\"b\":\"zq\"}}, {\"a\":{\"b\":[]}}]; [{\"a\":{\"b\":\"#\"}}, {\"a\":{\"b\":\"#\"}}]",
                "path:$.a[*].b; {\"a\":[{\"b\":1},{\"b\":2,\"c\":3},4]}; {\"a\":[{\"b\":\"#\"},{\"b\":\"#\",\"c\":3},4]}",
                "path:$.a.*; {\"a\":{\"x\":1,\"y\":[2]},\"b\":3}; {\"a\":{\"x\":\"#\",\"y\":\"#\"},\"b\":3}",
                "path:$.a['b.c/d']; {\"a\":{\"b.c/d\":1,\"b\":{\"c/d\":2}}}; {\"a\":{\"b.c/d\":\"#\",\"b\":{\"c/d\":2}}}",
                "path:$.a.b; {\"a\":\"{\\\"b\\\":\\\"zq\\\"}\"}; {\"a\":\"{\\\"b\\\":\\\"#\\\"}\"}",
                "path:$.a.b; {\"a\":{\"x\":{\"b\":1}},\"x\":{\"a\":{\"b\":2}}}; {\"a\":{\"x\":{\"b\":1}},\"x\":{\"a\":{\"b\":2}}}",
                "path:$.a.b path:$.a.c; {\"a\":{\"b\":1,\"c\":2,\"d\":3}}; {\"a\":{\"b\":\"#\",\"c\":\"#\",\"d\":3}}",
                "path:$.a; {\"\\u0061\":1}; {\"\\u0061\":\"#\"}",
            })
    void aPathMasksTheValuesAtItsPlace(String rules, String json, String masked) {
        assertThat(mask(rules, json)).isEqualTo(masked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"a\":\"call 123-45 or 678-90.\"}; {\"a\":\"call # or #.\"}",
                "{\"a\":\"12\\u0033-45\"}; {\"a\":\"#\"}",
                "{\"123-45\":[\"x\"]}; {\"#\":[\"x\"]}",
                "{\"a\":{\"b\":\"\\\"123-45\\\"\"}}; {\"a\":{\"b\":\"\\\"#\\\"\"}}",
                "{\"a\":\"12345\"}; {\"a\":\"12345\"}",
            })
    void aPatternMasksWhatItMatchesInStringsAndNames(String json, String masked) {
        assertThat(mask("pattern:\\d{3}-\\d{2}", json)).isEqualTo(masked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "key:id; {\"id\":1,\"a\":{\"id\":2}}; {\"id\":1,\"a\":{\"id\":\"#\"}}",
                "pattern:\\d; {\"id\":\"1\",\"b1\":1}; {\"id\":\"1\",\"b#\":\"#\"}",
                "path:$.id path:$.p.x; {\"id\":1,\"p\":{\"x\":1}}; {\"id\":1,\"p\":{\"x\":\"#\"}}",
                "key:p; {\"p\":{\"a\":1,\"p\":2}}; {\"p\":{\"a\":1,\"p\":\"#\"}}",
                "key:p; {\"p\":[{\"p\":1}]}; {\"p\":[{\"p\":\"#\"}]}",
                "key:n; {\"t\":[{\"n\":\"1\",\"m\":{\"n\":1}}],\"n\":1}; {\"t\":[{\"n\":\"1\",\"m\":{\"n\":\"#\"}}],\"n\":\"#\"}",
                "key:id; [{\"id\":1},{\"id\":2}]; [{\"id\":1},{\"id\":2}]",
                "key:q; {\"p\":{\"\":{\"q\":1}}}; {\"p\":{\"\":{\"q\":\"#\"}}}",
            })
    void whatIsKeptStaysExceptForWhatIsInIt(String rules, String json, String masked) {
        assertThat(mask("keep:$.id keep:$.p keep:$.t[*].n " + rules, json)).isEqualTo(masked);
        assertThat(MaskRules.parse("keep:$.id").isEmpty()).isTrue();
    }

    @Test
    void aPatternMasksNumbersAsStrings() {
        assertThat(mask("pattern:41{3}", "{\"a\":41110,\"b\":4}")).isEqualTo("{\"a\":\"#0\",\"b\":4}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"t\":\" {\\\"token\\\": \\\"zq\\\"}\"}; {\"t\":\" {\\\"token\\\": \\\"#\\\"}\"}",
                "{\"t\":\"\\\"{\\\\\\\"token\\\\\\\":1}\\\"\"}; {\"t\":\"\\\"{\\\\\\\"token\\\\\\\":\\\\\\\"#\\\\\\\"}\\\"\"}",
                "{\"t\":\"got {\\\"token\\\": \\\"zq\\\"}\\nnext\"}; {\"t\":\"got {\\\"token\\\":#\\nnext\"}",
                "{\"t\":\"user=a&token=zq&b=1\"}; {\"t\":\"user=a&token=#\"}",
                "{\"t\":\"TOKEN : zq\\nB: c\"}; {\"t\":\"TOKEN :#\\nB: c\"}",
                "{\"t\":\"<token>zq</token>\"}; {\"t\":\"<token>#\"}",
                "{\"t\":\"{\\\"tok\\\\u0065n\\\": \\\"zq\\\"\"}; {\"t\":\"#\"}",
                "{\"t\":\"the token is in the vault: ask\"}; {\"t\":\"the token is in the vault: ask\"}",
            })
    void textInStringsIsReadAsJsonOrAsAssignments(String json, String masked) {
        assertThat(mask("key:token", json)).isEqualTo(masked);
    }

    @Test
    void jsonInManyStringsIsMaskedWhole() throws IOException {
        String json = "{\"token\":\"zq\"}";
        for (int strings = 0; strings < 8; strings++) {
            json = "{\"t\":" + JSON.writeValueAsString(json) + "}";
            assertThat(mask("key:token", json)).as("%d", strings).contains("#").doesNotContain("zq");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"token\":\"zq",
                "{\"tok\\u0065n\":\"zq",
                "{\"tok\\\\u0065n\":\"zq",
                "T_O_K_E_N zq",
                "ｔｏｋｅｎ=zq",
                "{\"a\":1}{\"token\":\"zq\"}",
                "{'token':'zq'}",
                "<token>zq</token>",
                "%7Btoken%3Azq",
                "call 123-45",
                "c\\u0061ll 12\\u0033-45",
            })
    void bytesThatAreNotJsonAreHiddenIfTheyMayContainAMaskedValue(String text) {
        MaskRules rules = MaskRules.parse("key:token pattern:\\d{3}-\\d{2}");
        assertThat(rules.mask(text.getBytes(UTF_8), HIDE)).isNull();
        assertThat(rules.mask(text.getBytes(UTF_16LE), HIDE)).isNull();
        assertThat(rules.mask(text.getBytes(UTF_16BE), HIDE)).isNull();
        byte[] other = "{\"a\":\"zq".getBytes(UTF_8);
        assertThat(rules.mask(other, HIDE)).isSameAs(other);
    }

    @Test
    void aPathHidesBytesThatAreNotJsonIfTheyNameItsEnd() {
        assertThat(mask("path:$.params.card", "{\"params\":{\"c\\u0061rd\":\"zq"))
                .isNull();
        assertThat(mask("path:$.params.card", "{\"params\":{\"c\":\"zq")).isNotNull();
    }

    @Test
    void bytesWithoutMaskedValuesStayTheSameArray() {
        byte[] json = " {\"a\" : [1, 2.0e1, \"x\\/y\"] } ".getBytes(UTF_8);
        assertThat(MaskRules.parse("default").mask(json, HIDE)).isSameAs(json);
        assertThat(MaskRules.NONE.mask(json, HIDE)).isSameAs(json);
        assertThat(MaskRules.NONE.isEmpty()).isTrue();
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheJson() {
        assertThat(mask("key:token", "\uFEFF{\"token\":1}")).isEqualTo("\uFEFF{\"token\":\"#\"}");
    }

    @Test
    void theMarkerSeesTheValueWithoutEscapesAndOtherValuesInCompactForm() {
        List<String> seen = new ArrayList<>();
        UnaryOperator<String> marker = value -> {
            seen.add(value);
            return "\"" + seen.size() + "\n";
        };
        byte[] masked = MaskRules.parse("key:token")
                .mask("[{\"token\":\"z\\u0071\"},{\"token\":{ \"a\" : [ 1 ] }}]".getBytes(UTF_8), marker);
        assertThat(seen).containsExactly("zq", "{\"a\":[1]}");
        assertThat(masked).asString(UTF_8).isEqualTo("[{\"token\":\"\\\"1\\n\"},{\"token\":\"\\\"2\\n\"}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"api_key\":\"zq\"}}",
                "{\"Authorization\":\"zq\"}",
                "{\"a\":\"mail zq@example.com now\"}",
                "{\"a\":\"zq.ü@bücher.example\"}",
                "{\"a\":\"Bearer zq0123456789abcdef\"}",
                "{\"a\":\"eyJhbGciOiJub25lIn0.eyJzdWIiOiJ6cSJ9.zq\"}",
                "{\"a\":\"-----BEGIN RSA PRIVATE KEY-----\\nzq\\nzq\\n-----END RSA PRIVATE KEY-----\"}",
                "{\"a\":\"-----BEGIN PRIVATE KEY-----\\nzq\"}",
                "{\"a\":\"PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\\nzq\\n-----END PRIVATE KEY-----\"}",
                "{\"a\":\"ghp_zq0123456789012345678901234567890123\"}",
                "{\"a\":\"https://user:zq@example.com/x\"}",
                "{\"a\":\"export API_KEY=zq\"}",
            })
    void theDefaultMasksCredentialsAndAddresses(String json) {
        assertThat(mask("default", json)).contains("#").doesNotContain("zq", "6cSJ9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":1},\"cursor\":\"x\"}}",
                "{\"a\":\"Basic support and a bearer of news; see @modelcontextprotocol/sdk@1.24.3\"}",
                "{\"maxTokens\":5,\"sk\":\"task-force\",\"time\":\"12:30\",\"url\":\"https://example.com:80/a@b\"}",
            })
    void theDefaultKeepsOrdinaryMessages(String json) {
        assertThat(mask("default", json)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "password; 1; default, key:NAME",
                "key:a  keys:b; 8; default, key:NAME",
                "default:x; 1; default, key:NAME",
                "key:; 5; letter or digit",
                "key:--; 5; letter or digit",
                "path:a.b; 6; a path must be $",
                "path:$; 7; a path must be $",
                "path:$..a; 7; and then .NAME",
                "path:$.a[0]; 9; and then .NAME",
                "path:$.a[?(@.b)]; 9; and then .NAME",
                "path:$.a['b; 9; and then .NAME",
                "pattern:(; 9; regular expression of RE2",
                "pattern:(a)\\1; 9; regular expression of RE2",
                "pattern:a*; 9; must not match the empty string",
            })
    void anInvalidRuleIsNamedByItsPosition(String rules, int position, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MaskRules.parse(rules))
                .withMessageStartingWith("at character " + position + ":")
                .withMessageContaining(reason);
    }

    @Test
    void manyRulesAreOneSet() {
        String paths = "path:$.a  path:$.b.c\tkey:d ".repeat(70);
        assertThat(mask(paths, "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}"))
                .isEqualTo("{\"a\":\"#\",\"b\":{\"c\":\"#\",\"d\":\"#\"}}");
    }

    /** No rule reads a marker that another one has written. */
    @Test
    void partsThatOverlapHaveOneMarker() {
        MaskRules rules = MaskRules.parse("key:token pattern:(?s)b.*?c pattern:\\[");
        byte[] json = "{\"t\":\"a token=xb\\nyc b1c token=\"}".getBytes(UTF_8);

        assertThat(rules.mask(json, value -> "[" + value.replace("\n", "|") + "]"))
                .asString(UTF_8)
                .isEqualTo("{\"t\":\"a token=[xb|yc] [b1c] token=\"}");
    }

    /** A pattern whose matches each read the rest of the text would take quadratic time. */
    @Test
    void aTextWithVeryManyMatchesIsMaskedWhole() {
        assertThat(mask("pattern:a(?:.*b)?", "{\"t\":\"" + "a".repeat(101) + "\"}"))
                .isEqualTo("{\"t\":\"#\"}");
        assertThat(mask("pattern:a(?:.*b)?", "{\"t\":\"" + "a".repeat(100) + "\"}"))
                .isEqualTo("{\"t\":\"" + "#".repeat(100) + "\"}");
    }

    @Test
    void deepNestingIsNotRead() {
        String deep = "[".repeat(5_000) + "{\"token\":1}" + "]".repeat(5_000);
        assertThat(mask("key:token", deep)).isNull();
        assertThat(mask("key:token", "{\"t\":\"" + "[".repeat(5_000) + "\"}")).isNotNull();
    }

    /** Whatever the bytes and their damage, no masked value remains, and JSON remains JSON. */
    @Test
    void noMaskedValueRemainsInRandomMessages() throws IOException {
        Random random = new Random(7);
        MaskRules rules = MaskRules.parse("key:token path:$.params.*.card pattern:[0-9]{3}-[0-9]{2}");
        for (int i = 0; i < 3_000; i++) {
            String json = value(random, 0);
            byte[] masked = rules.mask(json.getBytes(UTF_8), HIDE);
            assertThat(masked).as(json).isNotNull();
            JsonNode read = JSON.readTree(masked);
            assertThat(read.toString()).as(json).doesNotContain("zq");
            assertThat(rules.mask(masked, HIDE)).as("masked again: %s", json).isEqualTo(masked);
            String cut = json.substring(0, random.nextInt(json.length()));
            byte[] damaged = rules.mask(cut.getBytes(UTF_8), HIDE);
            assertThat(damaged == null ? "" : new String(damaged, UTF_8))
                    .as(cut)
                    .doesNotContain("zq");
        }
    }

    private static String value(Random random, int depth) throws IOException {
        return switch (random.nextInt(depth > 4 ? 3 : 7)) {
            case 0 -> "{\"tok\\u0065n\": \"zq\"}";
            case 1 -> "\"a 123-45 b\"";
            case 2 -> "[1, true]";
            case 3 -> "[" + value(random, depth + 1) + " ," + value(random, depth + 1) + "]";
            case 4 -> "{\"a\":" + value(random, depth + 1) + ",\"Token\":{\"x\":[\"zq\"]}}";
            case 5 -> "{\"a\":" + JSON.writeValueAsString(value(random, depth + 3)) + "}";
            default -> "{\"b\\\"\":" + value(random, depth + 1) + ",\"c\":\"token=zq\"}";
        };
    }
}
