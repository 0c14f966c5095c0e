package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContextViewTest {
    @Test
    void anEmptyContextKnowsItsRootAloneAndDefinesNothing() {
        assertThat(ContextView.EMPTY.knows("C0")).isTrue();
        assertThat(ContextView.EMPTY.knows("C1")).isFalse();
        assertThat(ContextView.EMPTY.names("C0").test("SRC")).isFalse();
    }
}
