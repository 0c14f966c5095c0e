package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import org.junit.jupiter.api.Test;

/** Tests the order of decode errors (docs/protocols.md 5). */
class DiagnosticsTest {
    private final Diagnostics diagnostics = new Diagnostics(false);

    @Test
    void theEarlierPhaseCountsAtAnyOffset() {
        diagnostics.missing(Code.LAMBDA_EMPTY, 0, "a");
        diagnostics.value(Code.LAMBDA_MALFORMED, 9, "b");
        diagnostics.missing(Code.LAMBDA_NO_TYPE, 1, "c");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_MALFORMED, 9, "b"));
        diagnostics.lexical(Code.LAMBDA_UNBALANCED, 12, "d");
        diagnostics.value(Code.LAMBDA_MALFORMED, 3, "e");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_UNBALANCED, 12, "d"));
    }

    @Test
    void withinAPhaseTheFirstOffsetCounts() {
        diagnostics.value(Code.LAMBDA_MALFORMED, 5, "a");
        diagnostics.value(Code.LAMBDA_NO_TYPE, 7, "b");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_MALFORMED, 5, "a"));
        diagnostics.value(Code.LAMBDA_NO_TYPE, 4, "c");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_NO_TYPE, 4, "c"));
    }

    @Test
    void atOneOffsetTheFirstErrorCounts() {
        diagnostics.value(Code.LAMBDA_MALFORMED, 5, "a");
        diagnostics.value(Code.LAMBDA_NO_TYPE, 5, "b");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_MALFORMED, 5, "a"));
    }

    @Test
    void aFormatWarningIsADecodeErrorOnlyUnderTheStrictProfile() {
        Diagnostics strict = new Diagnostics(true);
        strict.lexical(Code.LAMBDA_SENDER_LABEL, 0, "a");
        strict.value(Code.LAMBDA_ID_MISMATCH, 2, "b");
        diagnostics.lexical(Code.LAMBDA_SENDER_LABEL, 0, "a");
        diagnostics.value(Code.LAMBDA_ID_MISMATCH, 2, "b");

        assertThat(strict.result("x")).isEqualTo(new Malformed<>(Code.LAMBDA_SENDER_LABEL, 0, "a"));
        assertThat(((Decoded<String>) diagnostics.result("x")).warnings())
                .containsExactly(Code.LAMBDA_SENDER_LABEL, Code.LAMBDA_ID_MISMATCH);
    }

    private DecodeResult<Object> fault() {
        return diagnostics.result(null);
    }
}
