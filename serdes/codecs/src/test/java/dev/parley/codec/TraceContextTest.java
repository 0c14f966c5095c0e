package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Validity of trace contexts, and headers that are given several times. */
class TraceContextTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String OTHER = PARENT.replace('b', 'c');

    @ParameterizedTest
    @ValueSource(
            strings = {
                PARENT,
                "00-00000000000000000000000000000001-1000000000000000-00",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later"
            })
    void aTraceparentOfTheStandardIsValid(String value) {
        assertThat(TraceContext.text("traceparent", List.of("x", value, OTHER))).contains(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-1-2-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-\n",
                " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void anyOtherTraceparentIsIgnored(String value) {
        assertThat(TraceContext.text("traceparent", List.of(value))).isEmpty();
        assertThat(TraceContext.text("traceparent", List.of(value, PARENT))).contains(PARENT);
    }

    @Test
    void aTraceparentIsBounded() {
        String longest = "01" + PARENT.substring(2) + "-" + "x".repeat(200);

        assertThat(TraceContext.text("traceparent", List.of(longest))).contains(longest);
        assertThat(TraceContext.text("traceparent", List.of(longest + "x"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none", "größe=1", "a=\u0000", "a=\r\nb=2", "a=\ud800"})
    void anInvalidTracestateIsIgnored(String value) {
        assertThat(TraceContext.text("tracestate", List.of(value))).isEmpty();
        assertThat(TraceContext.text("tracestate", List.of("a=1", value, "b=2,c=3")))
                .contains("a=1,b=2,c=3");
    }

    @Test
    void severalTracestatesAreJoinedUpToTheBound() {
        String half = "a=" + "1".repeat(254);
        String rest = "b=" + "2".repeat(253);

        assertThat(TraceContext.text("tracestate", List.of(half, rest))).contains(half + "," + rest);
        assertThat(TraceContext.text("tracestate", List.of(half, rest + "2", "c=3")))
                .as("one that does not fit is left out")
                .contains(half + ",c=3");
        assertThat(TraceContext.text("tracestate", List.of(half + rest + "222")))
                .isEmpty();
    }

    @Test
    void theTraceIsThatOfTheFirstValidHeader() {
        RecordHeaders headers = visitor -> {
            visitor.accept("traceparent", null);
            visitor.accept("traceparent", "00-1-2-01".getBytes(UTF_8));
            visitor.accept("TraceParent", PARENT.getBytes(UTF_8));
            visitor.accept("traceparent", OTHER.getBytes(UTF_8));
        };

        assertThat(TraceContext.traceId(headers)).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(TraceContext.traceId(RecordHeaders.NONE)).isNull();
    }

    @Test
    void valuesMayBeNullOrAnyBytes() {
        List<byte[]> values = Arrays.asList(null, new byte[0], new byte[55], new byte[] {(byte) 0xFF});

        assertThat(Stream.of("traceparent", "tracestate").map(name -> TraceContext.value(name, values)))
                .containsOnlyNulls();
        assertThat(TraceContext.value("tracestate", List.of("a=1".getBytes(UTF_8))))
                .asString(UTF_8)
                .isEqualTo("a=1");
    }
}
