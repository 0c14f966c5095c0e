package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.InputPosition;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Item;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeerCodecTest {

    private static final Set<InputPosition> POSITIONS =
            Set.of(new InputPosition("parley.wire", 3, Long.MAX_VALUE), new InputPosition("parley.wire.csp", 0, 0));

    @Test
    void requestsRoundTrip() throws PeerProtocolException {
        PeerRequest request = new PeerRequest(
                "conversations",
                new TreeMap<>(Map.of("namespace", "é|\"\u0000😀", "", "")),
                new TreeMap<>(Map.of("protocol", "SLIP")),
                Optional.of(Bytes.wrap(new byte[] {0, -1, 127, -128})),
                1_000,
                new TreeSet<>(List.of(0, 3, Integer.MAX_VALUE)),
                POSITIONS);

        assertThat(PeerCodec.request(PeerCodec.encode(request))).isEqualTo(request);
    }

    @Test
    void theLayoutOfARequestMatchesTheDocumentation() {
        PeerRequest request = new PeerRequest(
                "op",
                new TreeMap<>(Map.of("n", "é")),
                new TreeMap<>(),
                Optional.of(Bytes.wrap(new byte[] {7})),
                10,
                new TreeSet<>(Set.of(2)),
                Set.of(new InputPosition("t", 1, 5)));

        assertThat(HexFormat.of().formatHex(PeerCodec.encode(request)))
                .isEqualTo("0002" + "00000002" + "6f70" + "00000001" + "00000001" + "6e" + "00000002" + "c3a9"
                        + "00000000"
                        + "01" + "00000001" + "07" + "0000000a" + "00000001" + "00000002" + "00000001" + "00000001"
                        + "74" + "00000001" + "0000000000000005");
    }

    static Stream<ViewAnswer> answers() {
        return Stream.of(
                new Content("{\"a\":1}".getBytes(StandardCharsets.UTF_8)),
                new Content(new byte[0]),
                new Page(List.of(), Optional.empty()),
                new Page(
                        List.of(new Item(Bytes.wrap(new byte[] {1}), new byte[] {2}), new Item(key(""), new byte[0])),
                        Optional.of(key("é"))),
                new Absent("UNKNOWN_POSITION", "It is not here."),
                new Refusal("INVALID_PARAMETER", "é"));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void responsesRoundTrip(ViewAnswer answer) throws PeerProtocolException {
        Success written = new Success(
                new ViewResponse(answer, new TreeSet<>(List.of(1, 2)), new TreeMap<>(Map.of(2, 77L)), POSITIONS));

        Success read = (Success) PeerCodec.response(PeerCodec.encode(written));

        assertThat(read).usingRecursiveComparison().isEqualTo(written);
    }

    @Test
    void errorsRoundTrip() throws PeerProtocolException {
        for (PeerResponse.Error error : PeerResponse.Error.values()) {
            Failure failure = new Failure(error, "Why.", POSITIONS);
            assertThat(PeerCodec.response(PeerCodec.encode(failure))).isEqualTo(failure);
        }
    }

    @Test
    void theNumbersOfErrorsAreStable() {
        assertThat(Stream.of(PeerResponse.Error.values()).map(error -> error.number() + " " + error))
                .containsExactly(
                        "1 UNSUPPORTED_VERSION",
                        "2 MALFORMED_REQUEST",
                        "3 UNKNOWN_OPERATION",
                        "4 FORBIDDEN",
                        "5 VIEWS_UNAVAILABLE",
                        "6 POSITION_NOT_VISIBLE");
    }

    @Test
    void anotherVersionIsReportedWhateverFollows() {
        byte[] newer = {(byte) 0xff, (byte) 0xfe, 9, 9};
        assertThatThrownBy(() -> PeerCodec.request(newer))
                .isInstanceOfSatisfying(
                        PeerProtocolException.class,
                        e -> assertThat(e.error()).isEqualTo(PeerResponse.Error.UNSUPPORTED_VERSION))
                .hasMessageContaining("version 65534")
                .hasMessageContaining("version " + PeerCodec.VERSION);
        assertThatThrownBy(() -> PeerCodec.response(newer)).hasMessageContaining("version 65534");
    }

    @Test
    void truncatedAndExtendedMessagesAreMalformed() {
        byte[] request = PeerCodec.encode(
                PeerRequest.list("conversations", Map.of("a", "b"), Map.of("c", "d"), Optional.of(key("k")), 5)
                        .with(new TreeSet<>(Set.of(1)), POSITIONS));
        byte[] response = PeerCodec.encode(new Success(new ViewResponse(
                new Page(List.of(new Item(key("a"), new byte[3])), Optional.of(key("b"))),
                new TreeSet<>(Set.of(1)),
                new TreeMap<>(Map.of(1, 2L)),
                POSITIONS)));
        for (int length = 0; length < request.length; length++) {
            malformed(Arrays.copyOf(request, length), true);
        }
        for (int length = 0; length < response.length; length++) {
            malformed(Arrays.copyOf(response, length), false);
        }
        malformed(Arrays.copyOf(request, request.length + 1), true);
        malformed(Arrays.copyOf(response, response.length + 1), false);
    }

    @Test
    void lengthsAndCountsBeyondTheMessageAllocateNoMemory() {
        for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 30}) {
            ByteBuffer request =
                    ByteBuffer.allocate(64).putShort((short) PeerCodec.VERSION).putInt(length);
            malformed(request.array(), true);
            ByteBuffer page = ByteBuffer.allocate(64)
                    .putShort((short) PeerCodec.VERSION)
                    .put((byte) 0)
                    .put((byte) 2)
                    .putInt(length);
            malformed(page.array(), false);
        }
    }

    @Test
    void invalidUtf8AndExcessiveLimitsAreMalformed() {
        byte[] request = PeerCodec.encode(PeerRequest.of("op", Map.of(), Map.of()));
        request[6] = (byte) 0xff;
        malformed(request, true);
        malformed(
                PeerCodec.encode(
                        PeerRequest.list("op", Map.of(), Map.of(), Optional.empty(), PeerRequest.MAX_LIMIT + 1)),
                true);
    }

    @Test
    void randomBytesAreDecodedOrMalformed() {
        Random random = new Random(7);
        byte[] valid = PeerCodec.encode(new Success(new ViewResponse(
                new Page(List.of(new Item(key("a"), new byte[3])), Optional.of(key("b"))),
                new TreeSet<>(Set.of(1)),
                new TreeMap<>(Map.of(1, 2L)),
                POSITIONS)));
        for (int i = 0; i < 20_000; i++) {
            byte[] message = valid.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                message[2 + random.nextInt(message.length - 2)] = (byte) random.nextInt();
            }
            try {
                PeerCodec.response(message);
            } catch (PeerProtocolException e) {
                assertThat(e.error()).isEqualTo(PeerResponse.Error.MALFORMED_REQUEST);
            }
        }
    }

    private static void malformed(byte[] message, boolean request) {
        assertThatThrownBy(() -> {
                    if (request) {
                        PeerCodec.request(message);
                    } else {
                        PeerCodec.response(message);
                    }
                })
                .isInstanceOfSatisfying(
                        PeerProtocolException.class,
                        e -> assertThat(e.error()).isEqualTo(PeerResponse.Error.MALFORMED_REQUEST));
    }

    private static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
