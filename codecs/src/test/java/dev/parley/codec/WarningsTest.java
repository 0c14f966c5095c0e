package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarningsTest {
    private final Warnings warnings = new Warnings();

    @Test
    void thereAreNoCodesInitially() {
        assertThat(warnings.codes()).isEmpty();
    }

    @Test
    void codesAreKeptOnceInOrder() {
        for (Code code : List.of(Code.SLIP_RANGE, Code.SENDER_MISMATCH, Code.SLIP_RANGE, Code.CSP_FORK)) {
            warnings.add(code);
        }
        assertThat(warnings.codes()).containsExactly(Code.SLIP_RANGE, Code.SENDER_MISMATCH, Code.CSP_FORK);
    }
}
