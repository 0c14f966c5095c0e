package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointKeyTest {

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            default, ctx,  C1,   default|ctx|C1
            a|b,     c%d,  C|%,  a%7Cb|c%25d|C%7C%25
            ``,      ``,   ``,   ||
            %7C,     %25,  λ,    %257C|%2525|λ
            """)
    void barsAndPercentSignsAreEscaped(String namespace, String context, String id, String text) {
        CheckpointKey key = new CheckpointKey(namespace, context, id);
        assertThat(key).hasToString(text);
        assertThat(CheckpointKey.parse(text)).isEqualTo(key);
        assertThat(CheckpointKey.prefix(namespace, context)).isEqualTo(text.substring(0, text.lastIndexOf('|') + 1));
    }

    @Test
    void noTwoKeysHaveOneText() {
        List<String> parts = List.of("", "|", "%", "%7C", "%25", "a", "|a", "a|", "%%", "||", "%|");
        Set<String> texts = new HashSet<>();
        for (String namespace : parts) {
            for (String context : parts) {
                for (String id : parts) {
                    CheckpointKey key = new CheckpointKey(namespace, context, id);
                    assertThat(texts.add(key.toString())).as(key.toString()).isTrue();
                    assertThat(CheckpointKey.parse(key.toString())).isEqualTo(key);
                }
            }
        }
    }

    @Test
    void theChainOfAContextIsItsCspConversation() {
        assertThat(CheckpointKey.chain("n", "c")).isEqualTo(new ConversationKey("n", Protocol.CSP, "c"));
        assertThat(CheckpointKey.isChain(CheckpointKey.chain("|CSP|", "c").toString()))
                .isTrue();
        for (String other :
                List.of("CSP|SLIP|c", new ConversationKey("|CSP|", Protocol.SLIP, "CSP|").toString(), "CSP", "")) {
            assertThat(CheckpointKey.isChain(other)).as(other).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a|b", "a|b|c|d", "a|b|%", "a|b|%2", "a|b|%7c", "%41|b|c"})
    void aMalformedKeyIsRefused(String text) {
        assertThatThrownBy(() -> CheckpointKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
