package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Placeholders are recognized by their brackets and words. */
class PlaceholderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<AGENT_ID>",
                "<STATE_VER|CHECKPOINT_ID>",
                "<what to do>",
                "<scope/files>",
                "<<x>>",
                "< x >",
                "{task}",
                "{{ task }}",
                "${task.name}",
                "<Größe>"
            })
    void aWholeValueInBracketsIsAPlaceholder(String value) {
        assertThat(Placeholder.is(value)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<",
                ">",
                "<>",
                "< >",
                "{}",
                "$",
                "${}",
                "<b>x</b>",
                "</b>",
                "<br/>",
                "{a,b}",
                "{\"a\":1}",
                "write <file>",
                "<file> is new",
                "a",
                "<x",
                "{x"
            })
    void otherTextIsNoPlaceholder(String value) {
        assertThat(Placeholder.is(value)).isFalse();
    }
}
