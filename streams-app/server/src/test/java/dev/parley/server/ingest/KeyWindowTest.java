package dev.parley.server.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import dev.parley.server.ingest.KeyWindow.Entry;
import dev.parley.server.ingest.KeyWindow.Hash;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyWindowTest {
    private static final long WINDOW_MS = 1_000;

    private final KeyWindow window = new KeyWindow(WINDOW_MS, 4);

    @Test
    void aKeyIsFoundUntilTheEndOfTheWindow() {
        window.add(key("a"), entry("alice", 5, 100));

        assertThat(window.find(key("a"), 100 + WINDOW_MS - 1)).contains(entry("alice", 5, 100));
        assertThat(window.find(key("a"), 100 + WINDOW_MS)).isEmpty();
        assertThat(window.find(key("b"), 100)).isEmpty();
    }

    @Test
    void theFirstMessageOfAKeyStays() {
        window.add(key("a"), entry("alice", 5, 100));
        window.add(key("a"), entry("alice", 6, 100 + WINDOW_MS - 1));

        assertThat(window.find(key("a"), 200).orElseThrow().position().offset()).isEqualTo(5);
    }

    @Test
    void anExpiredKeyMayEnterAgain() {
        window.add(key("a"), entry("alice", 5, 100));
        window.add(key("a"), entry("alice", 6, 100 + WINDOW_MS));

        assertThat(window.find(key("a"), 100 + WINDOW_MS)
                        .orElseThrow()
                        .position()
                        .offset())
                .isEqualTo(6);
        window.prune(100 + WINDOW_MS);
        assertThat(window.size()).isOne();
    }

    @Test
    void anyNumberOfCallersHaveEqualShares() {
        KeyWindow large = new KeyWindow(WINDOW_MS, 1_000);
        for (int caller = 0; caller < 50; caller++) {
            write(large, "caller-" + caller, 1_000, 100);
        }

        assertThat(large.size()).isEqualTo(1_000);
        assertThat(write(large, "erin", 1_000, 100)).isBetween(18, 20);
        assertThat(large.size()).isEqualTo(1_000);
        large.prune(100 + WINDOW_MS);
        assertThat(large.size()).isZero();
        assertThat(write(large, "caller-0", 1_000, 100 + WINDOW_MS)).as("later").isEqualTo(1_000);
    }

    @Test
    void aCallerWithADisplacedKeyIsRefusedUntilItWouldHaveExpired() {
        assertThat(write(window, "alice", 1, 100)).isEqualTo(1);
        assertThat(write(window, "alice", 3, 200)).isEqualTo(3);
        assertThat(write(window, "bob", 1, 300)).isEqualTo(1);

        long expiry = 100 + WINDOW_MS;
        assertThat(window.find(key("alice", "100-0"), 300)).as("displaced").isEmpty();
        assertThat(window.find(key("alice", "200-0"), 300)).as("kept").isPresent();
        window.prune(expiry - 1);
        assertThat(window.reserve(KeyWindow.caller("alice"), key("alice", "100-0"), expiry - 1))
                .as("would enter twice")
                .isFalse();
        window.prune(200 + WINDOW_MS);
        assertThat(window.reserve(KeyWindow.caller("alice"), key("alice", "100-0"), 200 + WINDOW_MS))
                .isTrue();
    }

    @Test
    void reservedRoomIsGivenBackAfterAFailure() {
        for (int i = 0; i < 4; i++) {
            assertThat(window.reserve(KeyWindow.caller("alice"), key("alice", "k" + i), 100))
                    .isTrue();
        }
        assertThat(window.reserve(KeyWindow.caller("bob"), key("bob", "k"), 100))
                .as("a key that is being written is not displaced")
                .isFalse();
        // The transaction of the first key was committed without an answer.
        window.add(key("alice", "k0"), entry("alice", 0, 100));
        window.release();

        assertThat(window.find(key("alice", "k0"), 100)).isPresent();
        assertThat(write(window, "bob", 4, 100)).isEqualTo(3);
    }

    @Test
    void aTopicWithMoreKeysThanTheWindowIsReadInBoundedMemory() {
        for (int i = 0; i < 100; i++) {
            window.add(key("alice", "k" + i), entry("alice", i, 100));
        }

        assertThat(window.size()).isEqualTo(4);
        assertThat(window.reserve(KeyWindow.caller("alice"), key("alice", "k0"), 100))
                .isFalse();
        assertThat(write(window, "bob", 4, 100)).isEqualTo(2);
    }

    /** Writes new keys of a caller until one is refused, and returns how many entered. */
    private static int write(KeyWindow window, String caller, int keys, long time) {
        for (int i = 0; i < keys; i++) {
            Hash key = key(caller, time + "-" + i);
            if (!window.reserve(KeyWindow.caller(caller), key, time)) {
                return i;
            }
            window.add(key, entry(caller, i, time));
        }
        return keys;
    }

    @Test
    void keysBelongToTheirCallers() {
        assertThat(key("alice", "k")).isNotEqualTo(key("bob", "k"));
        assertThat(key("a", "bc")).isNotEqualTo(key("ab", "c"));
        assertThat(key("a", "1:bc")).isNotEqualTo(key("a1:b", "c"));
    }

    @Test
    void differentKeysAreNeverEqual() {
        List<IdempotencyKey> keys = List.of(
                IdempotencyKey.of("k2#1"),
                IdempotencyKey.ofLine("k2", 1),
                IdempotencyKey.ofLine("k", 21),
                IdempotencyKey.ofEvent("k2", "1"),
                IdempotencyKey.ofEvent("a b", "c"),
                IdempotencyKey.ofEvent("a", "b c"),
                IdempotencyKey.ofEvent("a1:b", "c"),
                IdempotencyKey.ofEvent("a", "1:bc"),
                IdempotencyKey.of("a b c"));

        assertThat(keys.stream().map(key -> KeyWindow.key("alice", key))).doesNotHaveDuplicates();
    }

    @Test
    void theContentIsTheMessageWithoutItsTrace() {
        Hash content = KeyWindow.content(message("x", Map.of("parley-sender", "A")));
        assertThat(KeyWindow.content(message("x", Map.of("parley-sender", "A", "traceparent", "00-1-2-01"))))
                .isEqualTo(content);
        assertThat(KeyWindow.content(message("y", Map.of("parley-sender", "A"))))
                .isNotEqualTo(content);
        assertThat(KeyWindow.content(message("x", Map.of("parley-conversation", "A"))))
                .isNotEqualTo(content);
        assertThat(KeyWindow.content(message("x", Map.of("parley-sender", "A", "parley-expect", "1"))))
                .isNotEqualTo(content);
        assertThat(KeyWindow.content(message("x", Map.of()))).isNotEqualTo(content);
    }

    @Test
    void recordsOfTheKeyTopicAreReadBack() {
        Entry entry = entry("alice", 42, 7);
        assertThat(Entry.of(entry.value(), 7)).contains(entry);
        assertThat(Hash.of(key("a").bytes())).contains(key("a"));
        assertThat(new String(entry.value(), UTF_8)).doesNotContain("alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1 ",
                "2 0000000000000000 00000000000000000000000000000000 t-0@1",
                "1 000000000000000x 00000000000000000000000000000000 t-0@1",
                "1 0000000000000000 0000000000000000000000000000000x t-0@1",
                "1 0000000000000000 00000000000000000000000000000000 t-0",
                "1 0000000000000000 00000000000000000000000000000000 "
            })
    void otherValuesOfTheKeyTopicAreSkipped(String value) {
        assertThat(Entry.of(value.getBytes(UTF_8), 0)).isEmpty();
    }

    @Test
    void otherRecordKeysAreSkipped() {
        assertThat(Hash.of(null)).isEmpty();
        assertThat(Hash.of(new byte[15])).isEmpty();
        assertThat(Entry.of(null, 0)).isEmpty();
    }

    @Test
    void brokersThatAcknowledgeNothingForTooLongAreStalled() {
        AtomicLong now = new AtomicLong();
        AcknowledgmentMonitor monitor = new AcknowledgmentMonitor(Duration.ofNanos(10), now::get);
        monitor.sent();
        now.set(10);
        assertThat(monitor.isStalled()).isFalse();
        now.set(11);
        assertThat(monitor.isStalled()).isTrue();
        monitor.sent();
        monitor.completed(true);
        assertThat(monitor.isStalled()).as("progress").isFalse();
        now.set(22);
        assertThat(monitor.isStalled()).isTrue();
        monitor.completed(false);
        assertThat(monitor.isStalled())
                .as("nothing waits, so the next message tries")
                .isFalse();
    }

    private static Hash key(String text) {
        return key("alice", text);
    }

    private static Hash key(String caller, String text) {
        return KeyWindow.key(caller, IdempotencyKey.of(text));
    }

    private static Entry entry(String caller, long offset, long time) {
        return new Entry(
                KeyWindow.caller(caller),
                KeyWindow.content(message("x", Map.of())),
                new InputPosition("parley.wire", 1, offset),
                time);
    }

    private static IngestMessage message(String text, Map<String, String> headers) {
        return new IngestMessage(text.getBytes(UTF_8), headers, Optional.of(IdempotencyKey.of("k")));
    }
}
