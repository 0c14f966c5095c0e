package dev.parley.codec.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests quoting (docs/protocols.md L13). */
class QuotedTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\"a\",a",
                "\"ab\",ab",
                "\"\\\"\",`\"`",
                "\"a\\\\\",a\\",
                "\"a\\:b\",a:b",
                "\"\\{x\\}\",{x}",
                "\" a \",` a `"
            })
    void aQuotedValueIsUnquoted(String value, String text) {
        assertThat(Quoted.plain(value)).isEqualTo(text);
    }

    @Test
    void theEmptyStringIsNotASentence() {
        assertThat(Quoted.plain("\"\"")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "ab", "a\\b", "\"a\"b", "a\"b\"", "\"a\"\"b\"", "\"\\\"\"+\"b\"", "'a'"})
    void anyOtherValueStandsForItself(String value) {
        assertThat(Quoted.plain(value)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\"", "\\", "a\\\"b", "{x:y}", "\"\"", "\\\\"})
    void aQuotedTextUnquotesToItself(String text) {
        assertThat(Quoted.plain(Quoted.quote(text))).isEqualTo(text);
    }
}
