package dev.parley.codec.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.lambda.LambdaDiagnostics.Phase;
import org.junit.jupiter.api.Test;

/** Tests the order of decode errors (docs/protocols.md 5). */
class LambdaDiagnosticsTest {
    private final LambdaDiagnostics diagnostics = new LambdaDiagnostics(false);

    @Test
    void theEarlierPhaseCountsAtAnyOffset() {
        diagnostics.error(Phase.MISSING, Code.LAMBDA_EMPTY, 0, "a");
        diagnostics.error(Phase.VALUE, Code.LAMBDA_MALFORMED, 9, "b");
        diagnostics.error(Phase.MISSING, Code.LAMBDA_NO_TYPE, 1, "c");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_MALFORMED, 9, "b"));
        diagnostics.error(Phase.LEXICAL, Code.LAMBDA_UNBALANCED, 12, "d");
        diagnostics.error(Phase.VALUE, Code.LAMBDA_MALFORMED, 3, "e");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_UNBALANCED, 12, "d"));
    }

    @Test
    void withinAPhaseTheFirstOffsetCounts() {
        diagnostics.error(Phase.VALUE, Code.LAMBDA_MALFORMED, 5, "a");
        diagnostics.error(Phase.VALUE, Code.LAMBDA_NO_TYPE, 7, "b");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_MALFORMED, 5, "a"));
        diagnostics.error(Phase.VALUE, Code.LAMBDA_NO_TYPE, 4, "c");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_NO_TYPE, 4, "c"));
    }

    @Test
    void atOneOffsetTheFirstErrorCounts() {
        diagnostics.error(Phase.VALUE, Code.LAMBDA_MALFORMED, 5, "a");
        diagnostics.error(Phase.VALUE, Code.LAMBDA_NO_TYPE, 5, "b");
        assertThat(fault()).isEqualTo(new Malformed<>(Code.LAMBDA_MALFORMED, 5, "a"));
    }

    @Test
    void aFormatWarningIsADecodeErrorOnlyUnderTheStrictProfile() {
        LambdaDiagnostics strict = new LambdaDiagnostics(true);
        strict.warning(Phase.LEXICAL, Code.LAMBDA_SENDER_LABEL, 0, "a");
        strict.warning(Phase.VALUE, Code.LAMBDA_ID_MISMATCH, 2, "b");
        diagnostics.warning(Phase.LEXICAL, Code.LAMBDA_SENDER_LABEL, 0, "a");
        diagnostics.warning(Phase.VALUE, Code.LAMBDA_ID_MISMATCH, 2, "b");

        assertThat(strict.result("x")).isEqualTo(new Malformed<>(Code.LAMBDA_SENDER_LABEL, 0, "a"));
        assertThat(((Decoded<String>) diagnostics.result("x")).warnings())
                .containsExactly(Code.LAMBDA_SENDER_LABEL, Code.LAMBDA_ID_MISMATCH);
    }

    private DecodeResult<Object> fault() {
        return diagnostics.result(null);
    }
}
