package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputPositionTest {

    @Test
    void parseReadsWhatToStringWrites() {
        InputPosition position = new InputPosition("a-topic@home", 12, 999_999_999_999_999_999L);

        assertThat(InputPosition.parse(position.toString())).contains(position);
    }

    @Test
    void theShortestTopicHasOneCharacter() {
        assertThat(InputPosition.parse("t-0@0")).contains(new InputPosition("t", 0, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "topic",
                "topic-1",
                "topic@1",
                "-1@2",
                "@1-2",
                "@",
                "topic-@2",
                "topic-1@",
                "topic-1@-2",
                "topic-x@2",
                "topic-1@x",
                "topic-1@ 2",
                "topic-١@2",
                "topic-1234567890@2",
                "topic-1@1234567890123456789"
            })
    void anyOtherFormIsNoPosition(String text) {
        assertThat(InputPosition.parse(text)).isEmpty();
    }

    @Test
    void partitionsAreOrderedByTopicThenByNumber() {
        assertThat(new TreeSet<>(List.of(
                        new InputPosition("b", 0, 7).inputPartition(),
                        new InputPartition("a", 10),
                        new InputPartition("a", 9))))
                .map(InputPartition::toString)
                .containsExactly("a-9", "a-10", "b-0");
    }
}
