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

    private static String detail(String value) {
        return ForeignFormat.detail(value.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"jsonrpc\":1}; CloudEvent",
                "{\"specversion\":\"1.0\",\"id\":\"1\"}; JSON of no protocol",
                "\uFEFF {\"jsonrpc\" : \"2.0\"}; JSON-RPC",
                "{\"a\":{\"b\":[1]},\"jsonrpc\":\"2.0\"}; JSON-RPC",
                "{\"a\":\"}\\\"{\",\"jsonrpc\":\"2.0\"}; JSON-RPC",
                "[{\"a\":1},{\"jsonrpc\":\"2.0\"}]; JSON-RPC",
                "{\"jsonrpc\":; JSON-RPC",
                "{\"performative\":\"inform\"}; FIPA ACL",
                "{\"role\":\"user\",\"content\":\"x\"}; chat API",
                "{\"role\":\"user\",\"parts\":[]}; chat API",
                "[{\"role\":\"user\",\"content\":\"x\"}]; chat API",
                "{\"messages\":[]}; chat API",
                "{\"choices\":[]}; chat API",
                "{\"name\":\"f\",\"arguments\":\"{}\"}; tool call",
                "{\"tool_calls\":[]}; tool call",
                "{\"name\":\"f\"}; JSON of no protocol",
                "{\"role\":\"user\"}; JSON of no protocol",
                "{\"a key of many characters\":1}; JSON of no protocol",
                "{\"a\":{\"jsonrpc\":1}}; JSON of no protocol",
                "[{\"a\":{\"jsonrpc\":1}}]; JSON of no protocol",
                "{\"a\":[{\"jsonrpc\":1}]}; JSON of no protocol",
                "{\"a\":\"jsonrpc\"}; JSON of no protocol",
                "{\"jsonrpc\",\"a\":1}; JSON of no protocol"
            })
    void aFormatHasItsKeys(String value, String format) {
        assertThat(detail(value)).contains(format);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "x", "{", "[", "{}", "[]", "{\"a\"}", "{\"a\"", "[\"a\",1]", "x{\"a\":1}", "(\"a\":1)"})
    void otherTextHasNoFormat(String value) {
        assertThat(detail(value)).isNull();
    }

    @Test
    void utf16IsAFormat() {
        assertThat(ForeignFormat.detail("{\"a\":1}".getBytes(UTF_16LE))).contains("in UTF-16");
    }

    @Test
    void onlyTheFirst8KiBAreRead() {
        String key = "\"jsonrpc\":";
        String last = "{" + " ".repeat((8 << 10) - 1 - key.length()) + key;
        assertThat(detail("\n\n" + last)).contains("JSON-RPC");
        assertThat(detail(last.replace("{", "{ "))).isNull();
    }
}
