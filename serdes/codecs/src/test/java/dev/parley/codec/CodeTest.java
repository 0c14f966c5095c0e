package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeTest {
    @ParameterizedTest
    @CsvSource({
        "SLIP_NO_START, MALFORMED, DECODE, SLIP",
        "SLIP_TURN_REUSED, VIOLATION, JUDGE, SLIP",
        "SUBIT_BAD_UTF8, MALFORMED, DECODE, SUBIT",
        "SUBIT_INTENT_REPEATED, WARNING, NONE, SUBIT",
        "CSP_SELF_APPLY, PATCH_VIOLATION, APPLY, CSP",
        "CSP_UNKNOWN_KEY, FORM_WARNING, NONE, CSP",
        "LAMBDA_CHECKSUM, VIOLATION, JUDGE, LAMBDA",
        "INTERNAL_ERROR, VIOLATION, INTERNAL, UNKNOWN",
        "MESSAGE_TOO_LARGE, MALFORMED, DECODE, UNKNOWN",
        "SENDER_MISMATCH, WARNING, NONE, UNKNOWN",
    })
    void aCodeKnowsKindStageAndProtocol(Code code, Code.Kind kind, Stage stage, Protocol protocol) {
        assertThat(code.kind()).isEqualTo(kind);
        assertThat(code.stage()).isEqualTo(stage);
        assertThat(code.protocol()).isEqualTo(protocol);
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void aCodeIsFoundByItsNameAndHasAMeaning(Code code) {
        assertThat(Code.of(code.name())).isSameAs(code);
        assertThat(code.meaning()).endsWith(".").hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "slip_no_start", "SLIP", "NO_SUCH_CODE"})
    void anyOtherNameIsRefusedByName(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Code.of(name)).withMessageEndingWith(" " + name);
    }
}
