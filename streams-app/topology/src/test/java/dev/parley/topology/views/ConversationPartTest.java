package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.topology.views.store.ViewKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConversationPartTest {
    private static final List<String> NAMES =
            List.of("", "\0", "a", "a\0", "a\0b", "a\u0001", "ab", "é\0", "\uD83D\uDE00");

    @Test
    void aPositionIsReadAsItWasWritten() {
        for (String conversation : NAMES) {
            Bytes key = ConversationView.key("n\0", Protocol.CSP, conversation);
            assertThat(ConversationPart.of(key)).hasValue(new ConversationPart(key, Optional.empty()));
            for (String entry : NAMES) {
                ConversationPart part = new ConversationPart(key, Optional.of(entry));
                assertThat(ConversationPart.of(part.toKey())).hasValue(part);
            }
        }
    }

    @Test
    void aPositionIsBetweenItsConversationAndTheNext() {
        List<Bytes> keys = NAMES.stream()
                .map(name -> ConversationView.key("n", Protocol.CSP, name))
                .sorted()
                .toList();
        for (int i = 0; i < keys.size(); i++) {
            ConversationPart whole = new ConversationPart(keys.get(i), Optional.empty());
            ConversationPart part = new ConversationPart(keys.get(i), Optional.of("\uFFFF"));

            assertThat(whole.after()).isEqualTo(keys.get(i));
            assertThat(part.toKey()).isGreaterThan(keys.get(i));
            assertThat(ViewKeys.next(part.after())).isLessThanOrEqualTo(keys.get(i));
            if (i > 0) {
                assertThat(part.after()).isGreaterThan(keys.get(i - 1));
            }
            if (i + 1 < keys.size()) {
                assertThat(part.toKey()).isLessThan(keys.get(i + 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 100})
    void randomBytesAreReadAsThePositionThatTheyAreOrRefused(int length) {
        Random random = new Random(length);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[length];
            for (int at = 0; at < length; at++) {
                bytes[at] = (byte) (random.nextInt(4) - 1);
            }
            ConversationPart.of(Bytes.wrap(bytes))
                    .ifPresent(part -> assertThat(part.conversation().get())
                            .isEqualTo(Arrays.copyOf(bytes, part.conversation().get().length)));
        }
    }

    @Test
    void anotherKeyIsNotAPosition() {
        Bytes key = ConversationView.key("n", Protocol.CSP, "c");

        assertThat(ConversationPart.of(MessageView.key("chain", 1))).isEmpty();
        assertThat(ConversationPart.of(Bytes.wrap(Arrays.copyOf(key.get(), key.get().length - 1))))
                .isEmpty();
        assertThat(ConversationPart.of(Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1))))
                .isEmpty();
    }
}
