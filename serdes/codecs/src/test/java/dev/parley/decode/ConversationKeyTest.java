package dev.parley.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.Protocol;
import dev.parley.codec.Rounds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the key of a conversation and its text form. */
class ConversationKeyTest {
    private static final int ROUNDS = Rounds.of(20_000);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "default;CSP;auth;default|CSP|auth",
                "a|b;SLIP;7;a%7Cb|SLIP|7",
                "50%;SUBIT;s;50%25|SUBIT|s",
                "%7C;LAMBDA;x;%257C|LAMBDA|x",
                "ü;LAMBDA;λ;ü|LAMBDA|λ",
                "default;CSP;a|b%7Cc;default|CSP|a|b%7Cc",
                "default;CSP;'';default|CSP|"
            })
    void theTextFormIsTheRecordKey(String namespace, Protocol protocol, String conversation, String text) {
        ConversationKey key = new ConversationKey(namespace, protocol, conversation);
        assertThat(key).hasToString(text);
        assertThat(ConversationKey.parse(text)).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SLIP;7;SLIP;7;7",
                "LAMBDA;a|b;LAMBDA;a|b;a|b",
                "EXTENSION;PING|7;PING;7;PING|7",
                "EXTENSION;PING|a|b;PING;a|b;PING|a|b",
                "EXTENSION;|b;'';b;|b",
                "EXTENSION;none;EXTENSION;none;EXTENSION|none",
            })
    void viewsNameAConversationByTheSymbolOfItsProtocol(
            Protocol symbol, String inViews, String protocol, String conversation, String again) {
        ConversationKey key = ConversationKey.ofView("default", symbol, inViews);
        assertThat(key).isEqualTo(new ConversationKey("default", protocol, conversation));
        assertThat(key.symbol()).isEqualTo(symbol);
        assertThat(key.nameInViews()).isEqualTo(again);
    }

    @Test
    void aProtocolWithoutASymbolHasItsNameInTheKey() {
        ConversationKey key = new ConversationKey("default", "PING", "7");
        assertThat(key).hasToString("default|PING|7");
        assertThat(ConversationKey.parse("default|PING|7")).isEqualTo(key);
    }

    @Test
    void keysOfAnyNamespaceAndConversationAreUniqueAndParseBack() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, ConversationKey> seen = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            Protocol protocol = Protocol.values()[random.nextInt(Protocol.values().length)];
            ConversationKey key = new ConversationKey(text(random), protocol, text(random));
            assertThat(ConversationKey.parse(key.toString()))
                    .as("parley.seed=%d", seed)
                    .isEqualTo(key);
            ConversationKey same = seen.putIfAbsent(key.toString(), key);
            assertThat(same == null || same.equals(key))
                    .as("parley.seed=%d: %s and %s", seed, key, same)
                    .isTrue();
        }
    }

    private static String text(Random random) {
        String[] pieces = {"|", "%", "25", "7C", "7c", "a", "é", "CSP", ""};
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }

    @Test
    void anUndecodableRecordBelongsToItsPartition() {
        ConversationKey key = ConversationKey.ofPartition("parley.wire", 3);
        assertThat(key).hasToString("|UNKNOWN|parley.wire-3");
        assertThat(ConversationKey.parse("|UNKNOWN|parley.wire-3")).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "default", "default|CSP", "default|csp|x", "default||x", "||"})
    void anInvalidKeyIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ConversationKey.parse(text));
    }
}
