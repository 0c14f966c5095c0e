package dev.parley.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.codec.Code;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests the errors for a code whose guide is incomplete. */
class CodeGuideTest {
    private final Properties remedies = new Properties();
    private final Properties sections = new Properties();
    private final CodeGuide guide = new CodeGuide(remedies, sections, List.of());

    @Test
    void theErrorNamesTheFileAndTheCodeOfTheMissingLine() {
        assertThatThrownBy(() -> guide.entry(Code.NULL_VALUE))
                .hasMessageContaining("remedies.properties has no line for NULL_VALUE");
        remedies.setProperty("NULL_VALUE", "Send a message.");
        assertThatThrownBy(() -> guide.entry(Code.NULL_VALUE))
                .hasMessageContaining("sections.properties has no line for NULL_VALUE");
        sections.setProperty("NULL_VALUE", "0");
        assertThat(guide.entry(Code.NULL_VALUE).section()).isEqualTo("0");
    }

    @Test
    void theGuideToOneCodeHasTheSameExampleFromFewVectors() throws Exception {
        CodeGuide all = CodeGuide.load(List.of(Code.values()));
        for (Code code : List.of(
                Code.SLIP_BAD_STRING, Code.CSP_ADD_EXISTS, Code.NULL_VALUE, Code.WRAPPED_MESSAGE, Code.INPUT_EXPIRED)) {
            CodeGuide one = CodeGuide.load(List.of(code));
            assertThat(one.example(code)).isEqualTo(all.example(code));
            assertThat(one.vectors()).hasSizeLessThan(all.vectors().size() / 2);
        }
    }
}
