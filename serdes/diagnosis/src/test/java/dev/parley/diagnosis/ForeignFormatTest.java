package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats are recognized by the keys of the outermost object, or of the objects of the outermost array. */
class ForeignFormatTest {

    private static ForeignFormat of(String value) {
        return ForeignFormat.of(value.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"jsonrpc\":1}; CLOUD_EVENT",
                "{\"specversion\":\"1.0\",\"id\":\"1\"}; JSON",
                "\uFEFF {\"jsonrpc\" : \"2.0\"}; JSON_RPC",
                "{\"a\":{\"b\":[1]},\"jsonrpc\":\"2.0\"}; JSON_RPC",
                "{\"a\":\"}\\\"{\",\"jsonrpc\":\"2.0\"}; JSON_RPC",
                "[{\"a\":1},{\"jsonrpc\":\"2.0\"}]; JSON_RPC",
                "{\"jsonrpc\":; JSON_RPC",
                "{\"performative\":\"inform\"}; FIPA_ACL",
                "{\"role\":\"user\",\"content\":\"x\"}; CHAT",
                "{\"role\":\"user\",\"parts\":[]}; CHAT",
                "[{\"role\":\"user\",\"content\":\"x\"}]; CHAT",
                "{\"messages\":[]}; CHAT",
                "{\"choices\":[]}; CHAT",
                "{\"name\":\"f\",\"arguments\":\"{}\"}; TOOL_CALL",
                "{\"tool_calls\":[]}; TOOL_CALL",
                "{\"name\":\"f\"}; JSON",
                "{\"role\":\"user\"}; JSON",
                "{\"a key of many characters\":1}; JSON",
                "{\"a\":{\"jsonrpc\":1}}; JSON",
                "[{\"a\":{\"jsonrpc\":1}}]; JSON",
                "{\"a\":[{\"jsonrpc\":1}]}; JSON",
                "{\"a\":\"jsonrpc\"}; JSON",
                "{\"jsonrpc\",\"a\":1}; JSON"
            })
    void aFormatHasItsKeys(String value, ForeignFormat format) {
        assertThat(of(value)).isEqualTo(format);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "x", "{", "[", "{}", "[]", "{\"a\"}", "{\"a\"", "[\"a\",1]", "x{\"a\":1}", "(\"a\":1)"})
    void otherTextHasNoFormat(String value) {
        assertThat(of(value)).isNull();
    }

    @Test
    void utf16IsAFormat() {
        assertThat(ForeignFormat.of("{\"a\":1}".getBytes(UTF_16LE))).isEqualTo(ForeignFormat.UTF_16);
    }

    @Test
    void onlyTheFirst8KiBAreRead() {
        String key = "\"jsonrpc\":";
        String last = "{" + " ".repeat((8 << 10) - 1 - key.length()) + key;
        assertThat(of("\n\n" + last)).isEqualTo(ForeignFormat.JSON_RPC);
        assertThat(of(last.replace("{", "{ "))).isNull();
    }
}
