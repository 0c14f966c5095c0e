package dev.parley.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNamesTest {
    private static final TopicNames TEAM = new TopicNames("team.a.");

    @ParameterizedTest
    @ValueSource(strings = {"parley.", "a.", "7.", "Team_a.test.", "a.b.c."})
    void aPrefixEndsWithADot(String text) {
        assertThat(TopicNames.isPrefix(text)).isTrue();
        assertThat(new TopicNames(text).applicationId() + ".").isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "a", "a..", "a..b.", ".a.", "_a.", "__a.", "a-b.", "a-", "a b.", "ä.", "a/."})
    void otherTextsAreRefused(String text) {
        assertThat(TopicNames.isPrefix(text)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new TopicNames(text));
    }

    @Test
    void theLongestPrefixLeavesRoomForTheLongestName() {
        String longest = "a".repeat(TopicNames.MAX_PREFIX - 1) + ".";
        assertThat(TopicNames.isPrefix(longest)).isTrue();
        assertThat(TopicNames.isPrefix("a" + longest)).isFalse();
        assertThat(new TopicNames(longest).definitionChange().length()).isLessThan(249);
    }

    @ParameterizedTest
    @EnumSource(value = Stage.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void theNameOfADeadLetterTopicHasItsStage(Stage stage) {
        assertThat(TopicNames.stageOf(TEAM.deadLetters(stage))).isEqualTo(stage);
        assertThat(TEAM.deadLetters()).contains(TEAM.deadLetters(stage));
    }

    @Test
    void anotherTopicHasNoStage() {
        assertThatIllegalArgumentException().isThrownBy(() -> TopicNames.stageOf(TEAM.audit()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"team.a.wire", "team.a.wire.slip", "team.wire", "parley.wire", "parley.audit.v1", "wire"})
    void anInputIsOneOfTheDeploymentOrHasNotItsPrefix(String topic) {
        assertThat(TEAM.isPossibleInput(topic)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"team.a.audit.v1", "team.a.wire.fipa", "team.a.b.wire", "__consumer_offsets"})
    void noOtherTopicIsAnInput(String topic) {
        assertThat(TEAM.isPossibleInput(topic)).isFalse();
    }

    @Test
    void aTranscriptNamesInputsWithTheDefaultPrefix() {
        assertThat(TEAM.ofTranscript("parley.wire")).isEqualTo("team.a.wire");
        assertThat(TEAM.ofTranscript("parley.wire.csp")).isEqualTo("team.a.wire.csp");
        assertThat(TEAM.ofTranscript("parley.audit.v1")).isEqualTo("parley.audit.v1");
        assertThat(TEAM.ofTranscript("agents")).isEqualTo("agents");
        assertThat(TopicNames.DEFAULT.ofTranscript("parley.wire")).isEqualTo("parley.wire");
    }
}
