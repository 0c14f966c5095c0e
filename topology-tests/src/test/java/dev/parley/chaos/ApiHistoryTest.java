package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import org.junit.jupiter.api.Test;

/** Each check of the histories of HTTP clients finds what it is for. */
class ApiHistoryTest {
    private static final InputPosition FIRST = new InputPosition("parley.wire", 0, 1);
    private static final InputPosition SECOND = new InputPosition("parley.wire", 0, 2);

    private final ApiHistory history = new ApiHistory();

    @Test
    void anHonestHistoryHasNoObjections() {
        history.acknowledged("w-1", FIRST);
        history.acknowledged("w-1", FIRST);
        history.input("w-1", "", FIRST);
        history.verdict(FIRST, 0);
        history.read("c1", FIRST, 0);
        history.redriven("dlq/0/0", SECOND);
        history.redriven("dlq/0/0", SECOND);
        history.input("w-1", "2", SECOND);
        history.verdict(SECOND, 1);
        history.read("c1", SECOND, 1);

        assertThat(history.objections()).isEmpty();
        assertThat(history.events()).isEqualTo(6);
    }

    @Test
    void anIdempotencyKeyThatEntersTwiceIsFound() {
        history.acknowledged("w-1", FIRST);
        history.acknowledged("w-1", SECOND);
        history.input("w-1", "", FIRST);
        history.input("w-1", "", SECOND);
        history.verdict(FIRST, 0);

        assertThat(history.objections())
                .containsExactly(
                        "w-1 was acknowledged as parley.wire-0@1 and as parley.wire-0@2",
                        "w-1 entered as parley.wire-0@1 and as parley.wire-0@2");
    }

    @Test
    void anAcknowledgedMessageThatIsLostIsFound() {
        history.acknowledged("w-1", FIRST);

        assertThat(history.objections()).containsExactly("w-1 was acknowledged as parley.wire-0@1 and is null");
    }

    @Test
    void anAcknowledgedMessageWithoutAVerdictIsFound() {
        history.acknowledged("w-1", FIRST);
        history.input("w-1", "", FIRST);

        assertThat(history.objections())
                .containsExactly("w-1 was acknowledged as parley.wire-0@1, which has no verdict");
    }

    @Test
    void aReadThatGoesBackIsFound() {
        history.read("c1", FIRST, 5);
        history.read("c1", FIRST, 4);

        assertThat(history.objections()).containsExactly("c1 was read up to 5, and later up to 4");
    }

    @Test
    void aReadThatLacksItsPositionIsFound() {
        history.read("c1", FIRST, 4);
        history.verdict(FIRST, 5);

        assertThat(history.objections())
                .containsExactly("a read that required parley.wire-0@1 returned only sequence 4");
    }

    @Test
    void aDeadLetterThatIsRedrivenTwiceIsFound() {
        history.redriven("dlq/0/0", FIRST);
        history.redriven("dlq/0/0", SECOND);
        history.input("w-1", "2", FIRST);
        history.input("w-1", "2", SECOND);

        assertThat(history.objections())
                .containsExactly(
                        "dlq/0/0 was redriven to parley.wire-0@1 and to parley.wire-0@2",
                        "w-1, attempt 2, entered as parley.wire-0@1 and as parley.wire-0@2");
    }
}
