package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways by which a value could pass a mask. */
class MaskEscapesTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);

    private Masking masking;

    @BeforeEach
    void open() throws Exception {
        masking = new Masking(new ListReceiver(), Masking.rules(Masking.DEFAULT), KEY);
    }

    private Captured masked(byte[] value, Map<String, String> headers) {
        return masking.masked(new Captured("s", value, headers, 1, null));
    }

    private String text(String json) {
        return new String(masked(json.getBytes(UTF_8), Map.of()).value(), UTF_8);
    }

    private String header(String name, String value) {
        return masked(null, Map.of(name, value)).headers().get(name);
    }

    private static String marker(String value) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        return "[masked:"
                + HexFormat.of().formatHex(mac.doFinal(value.getBytes(UTF_8))).substring(0, 24) + "]";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'\\u0070assword':'zq'}",
                "{'password':'a','password':'zq'}",
                "{'id':{'password':'zq'}}",
                "{'id':['zq@example.org']}",
                "{'params':{'name':{'password':'zq'}}}",
                "{'params':{'_meta':{'progressToken':{'password':'zq'},'token':'zq'}}}",
                "{'error':{'data':{'password':{'a':['zq']}}}}",
                "{'result':{'protocolVersion':{'password':'zq'}}}",
                "{'a':'zq\\u0040example.org'}",
                "{'a':'zq@\\u0065xample.org'}",
                "{'params':{'zq@example.org':1}}",
                "[[{'password':'zq'}]]",
                "{'password':'zq'} {",
                "{password:'zq'}",
                "//\n{'password':'zq'}"
            })
    void noFormOfAMessageHidesAValueFromTheRules(String json) {
        for (String charset : new String[] {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32BE"}) {
            byte[] masked = masked(json.replace('\'', '"').getBytes(Charset.forName(charset)), Map.of())
                    .value();

            assertThat(new String(masked, Charset.forName(charset))).as(charset).doesNotContain("zq");
        }
    }

    @Test
    void aMarkerInATextIsTheOneOfItsValue() throws Exception {
        assertThat(text("{\"a\":\"PASSWORD=zq\\nB=1\"}")).isEqualTo("{\"a\":\"PASSWORD=" + marker("zq") + "\\nB=1\"}");
        assertThat(text("{\"a\":\"x {\\\"password\\\":1\"}"))
                .isEqualTo("{\"a\":\"x {\\\"password\\\":" + marker("1") + "\"}");
    }

    @Test
    void aKeyOfSeveralLinesAfterItsNameIsMaskedToItsEnd() {
        String key = "-----BEGIN PRIVATE KEY-----\\nMIIzq\\n-----END PRIVATE KEY-----";

        assertThat(text("{\"a\":\"" + key + "\"}")).doesNotContain("MIIzq");
        assertThat(text("{\"a\":\"PRIVATE_KEY=" + key + "\\nB=1\"}")).doesNotContain("MIIzq");
    }

    @ParameterizedTest
    @CsvSource({
        "parley-http-query, zq%40example.org%",
        "parley-http-query, q=zq%40example.org%",
        "parley-http-query, q=zq%40example.org%zz",
        "parley-http-query, zq@example.org=1",
        "parley-http-query, a=1;password=zq",
        "parley-http-query, q=%7B%22password%22%3A%22zq%22%7D",
        "parley-http-path, /a/zq%40example.org/%zz",
        "parley-http-path, /a+zq@example.org",
        "mcp-param-x, password: zq"
    })
    void noFormOfAHeaderHidesAValueFromTheRules(String name, String value) {
        assertThat(header(name, value)).doesNotContain("zq");
    }

    @Test
    void aCopyOfAValueInAMaskedOneIsMaskedToo() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("mcp-param-inner", "zq");
        headers.put("mcp-param-other", "z");
        Captured masked =
                masked("{\"params\":{\"arguments\":{\"token\":{\"inner\":\"zq\"}}}}".getBytes(UTF_8), headers);

        assertThat(masked.headers().get("mcp-param-inner")).startsWith("[masked:");
        assertThat(masked.headers()).containsEntry("mcp-param-other", "z");
    }

    @Test
    void theClientDoesNotChooseWhichNamesStay() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("mcp-method", "tools/call");
        headers.put("mcp-name", "x://zq@example.org");
        Captured masked = masked(
                "{\"method\":\"resources/read\",\"params\":{\"uri\":\"x://zq@example.org\"}}".getBytes(UTF_8), headers);

        assertThat(masked.headers().get("mcp-name")).doesNotContain("zq");
    }

    /** Otherwise an honest client would be judged by a marker in place of the name of its tool. */
    @ParameterizedTest
    @ValueSource(strings = {"", "r", "{}", "{\"r\":1}"})
    void theNameOfAToolStaysWhateverElseIsMasked(String value) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("mcp-method", "tools/call");
        headers.put("mcp-name", "read 1");
        headers.put("parley-http-query", "a&b=");
        String json = "{\"method\":\"tools/call\",\"params\":{\"name\":\"read 1\",\"arguments\":{\"password\":"
                + (value.startsWith("{") ? value : '"' + value + '"') + "}}}";
        Captured masked = masked(json.getBytes(UTF_8), headers);

        assertThat(masked.headers()).containsEntry("mcp-name", "read 1").containsEntry("parley-http-query", "a&b=");
    }
}
