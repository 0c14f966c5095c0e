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
    void oneCallerTakesAtMostHalfOfTheWindow() {
        window.add(key("a"), entry("alice", 1, 100));
        assertThat(window.hasRoom(KeyWindow.caller("alice"), 0, 0)).isTrue();
        assertThat(window.hasRoom(KeyWindow.caller("alice"), 1, 1)).isFalse();

        window.add(key("b"), entry("alice", 2, 100));
        assertThat(window.hasRoom(KeyWindow.caller("alice"), 0, 0)).isFalse();
        assertThat(window.hasRoom(KeyWindow.caller("bob"), 0, 0)).isTrue();
        assertThat(window.hasRoom(KeyWindow.caller("bob"), 1, 1))
                .as("half of the rest")
                .isFalse();
        assertThat(window.hasRoom(KeyWindow.caller("bob"), 2, 0)).as("all").isFalse();

        window.prune(100 + WINDOW_MS);
        assertThat(window.hasRoom(KeyWindow.caller("alice"), 0, 0)).as("later").isTrue();
    }

    @Test
    void severalCallersLeaveRoomForAnother() {
        KeyWindow large = new KeyWindow(WINDOW_MS, 1_000);
        List<String> callers = List.of("alice", "bob", "carol", "dave");
        for (String caller : callers) {
            int offset = 0;
            while (large.hasRoom(KeyWindow.caller(caller), 0, 0)) {
                large.add(
                        KeyWindow.key(caller, IdempotencyKey.of(Integer.toString(offset))),
                        entry(caller, offset++, 100));
            }
        }

        assertThat(large.size()).isEqualTo(938);
        assertThat(large.hasRoom(KeyWindow.caller("erin"), 30, 30)).isTrue();
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
