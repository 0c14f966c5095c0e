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

    @Test
    void theUnionHasEachCodeOnceInOrder() {
        List<Code> first = List.of(Code.SLIP_RANGE, Code.SENDER_MISMATCH);
        List<Code> second = List.of(Code.SENDER_MISMATCH, Code.CSP_FORK);
        assertThat(Warnings.union(first, second)).containsExactly(Code.SLIP_RANGE, Code.SENDER_MISMATCH, Code.CSP_FORK);
        assertThat(Warnings.union(second, first)).containsExactly(Code.SENDER_MISMATCH, Code.CSP_FORK, Code.SLIP_RANGE);
        assertThat(Warnings.union(first, first)).isEqualTo(first);
    }

    @Test
    void theUnionWithNothingIsTheOtherList() {
        List<Code> codes = List.of(Code.SLIP_RANGE, Code.CSP_FORK);
        assertThat(Warnings.union(codes, List.of())).isSameAs(codes);
        assertThat(Warnings.union(List.of(), codes)).isSameAs(codes);
        assertThat(Warnings.union(List.of(), List.of())).isEmpty();
    }
}
