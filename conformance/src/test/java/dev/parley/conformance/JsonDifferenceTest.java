package dev.parley.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

class JsonDifferenceTest {
    @Test
    void aLongValueIsCutAtAWholeCharacter() {
        // The quotation mark before it counts too.
        String start = "x".repeat(197);
        assertThat(JsonDifference.between(TextNode.valueOf("a"), TextNode.valueOf(start + "😀" + "y".repeat(9))))
                .isEqualTo("expected \"a\", but got \"" + start + "… (210 characters)");
    }
}
