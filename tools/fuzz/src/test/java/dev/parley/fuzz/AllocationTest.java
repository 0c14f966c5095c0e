package dev.parley.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AllocationTest {
    private final Allocation allocation = new Allocation(1_000, 10);

    @Test
    void memoryWithinTheBoundPasses() {
        assertThat(allocation.<byte[]>within(100, () -> new byte[1_500])).hasSize(1_500);
    }

    @Test
    void memoryBeyondTheBoundIsFound() {
        assertThatThrownBy(() -> allocation.within(100, () -> new byte[2_500]))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("100 bytes of input");
    }
}
