package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventsTest {
    private final List<String> messages = new ArrayList<>();
    private final List<Long> tooLong = new ArrayList<>();
    private final AtomicLong budget = new AtomicLong(1 << 20);

    private Events events(int maxBytes) {
        return new Events(maxBytes, budget, data -> messages.add(new String(data, UTF_8)), tooLong::add);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "data: a~~|a",
                "data:a~~|a",
                "data:  a~~|' a'",
                "data~data: a~~|'~a'",
                "data: a~data: b~~|'a~b'",
                ": ping~~data: a~~|a",
                "id: 1~retry: 5~event: message~data: a~~|a",
                "event: endpoint~data: /m~~data: a~~|a",
                "event: endpoint~event:~data: a~~|a",
                "data:~~data~~event: message~~data: a~~|a",
                "datas: b~data: a~~|a",
                "~~~data: a~~|a",
                "\u00ef\u00bb\u00bfdata: a~~|a"
            })
    void dataOfMessagesIsFoundWithAnyLineEndsAndChunks(String stream, String expected) {
        for (String end : List.of("\n", "\r", "\r\n")) {
            byte[] bytes = stream.replace("~", end).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            for (int size = 1; size <= bytes.length; size++) {
                messages.clear();
                Events events = events(100);
                for (int from = 0; from < bytes.length; from += size) {
                    events.accept(bytes, from, Math.min(bytes.length, from + size));
                }
                assertThat(messages)
                        .as("%s in chunks of %d", stream, size)
                        .containsExactly(expected.replace('~', '\n'));
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void anEventWithoutItsEndIsNone() {
        byte[] bytes = "data: a\n".getBytes(UTF_8);
        events(100).accept(bytes, 0, bytes.length);

        assertThat(messages).isEmpty();
    }

    @Test
    void largerMessagesAreCountedAndLaterOnesFound() {
        byte[] bytes = ("data: " + "x".repeat(1_000) + "\n\ndata: " + "y".repeat(60) + "\ndata: " + "y".repeat(60)
                        + "\n\ndata: a\n\n")
                .getBytes(UTF_8);
        Events events = events(100);
        events.accept(bytes, 0, bytes.length);
        events.free();

        assertThat(messages).containsExactly("a");
        assertThat(tooLong).containsExactly(1_006L, 122L);
        assertThat(budget).hasValue(1 << 20);
    }

    @Test
    void randomBytesBreakNothing() {
        Random random = new Random(7);
        byte[] alphabet = "data: \r\n:event\u0000".getBytes(UTF_8);
        Events events = events(50);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] =
                        random.nextInt(20) == 0 ? (byte) random.nextInt() : alphabet[random.nextInt(alphabet.length)];
            }
            events.accept(bytes, 0, bytes.length);
        }
        byte[] last = "\n\ndata: last\n\n".getBytes(UTF_8);
        events.accept(last, 0, last.length);
        events.free();

        assertThat(messages)
                .endsWith("last")
                .allSatisfy(message -> assertThat(message.length()).isLessThan(51));
        assertThat(budget).hasValue(1 << 20);
    }
}
