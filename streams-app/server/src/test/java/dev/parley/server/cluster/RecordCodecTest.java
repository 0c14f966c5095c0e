package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.json.model.Statistics;
import dev.parley.json.model.state.State;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Item;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.state.ChangeOrigin;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateEntry;
import dev.parley.state.StateValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCodecTest {

    private static final RecordCodec<PeerRequest> REQUESTS = RecordCodec.of(PeerRequest.class);
    private static final RecordCodec<PeerResponse> RESPONSES =
            RecordCodec.of(PeerResponse.class, StateAnswer.Blame.class);
    private static final Instant TIME = Instant.parse("2026-01-31T12:00:00.123Z");
    private static final Set<InputPosition> POSITIONS =
            Set.of(new InputPosition("parley.wire", 3, Long.MAX_VALUE), new InputPosition("parley.wire.csp", 0, 0));
    private static final PeerRequest REQUEST = new PeerRequest(
            "conversations",
            new TreeMap<>(Map.of("namespace", "é|\"\u0000😀", "", "")),
            new TreeMap<>(Map.of("protocol", "SLIP")),
            Optional.of(Bytes.wrap(new byte[] {0, -1, 127, -128})),
            1_000,
            new TreeSet<>(List.of(0, 3, Integer.MAX_VALUE)),
            POSITIONS);
    private static final StateAnswer.Blame BLAME = new StateAnswer.Blame(
            "default",
            "CSP",
            "c",
            "definitions",
            "latest",
            new CheckpointSummary("C1", "C0", "P", null, 1, 1, 2, TIME, null, "ab", true),
            List.of(
                    new StateEntry("a", "é", new ChangeOrigin.Message(7, "alice", source())),
                    new StateEntry("b", "", new ChangeOrigin.Patch("C1", "P", null, source()))),
            null,
            true);

    private static Source source() {
        return new Source("parley.wire", 1, 2L, TIME, TIME);
    }

    record Members(Map<String, String> members) {}

    @Test
    void mapsKeepTheirOrder() throws PeerProtocolException {
        Map<String, String> members = new LinkedHashMap<>();
        for (String name : List.of("state", "round", "goal", "tasks", "C10", "C2", "C1")) {
            members.put(name, name);
        }
        RecordCodec<Members> codec = RecordCodec.of(Members.class);

        assertThat(codec.decode(codec.encode(new Members(members))).members().keySet())
                .containsExactlyElementsOf(members.keySet());
    }

    @Test
    void requestsRoundTrip() throws PeerProtocolException {
        assertThat(REQUESTS.decode(REQUESTS.encode(REQUEST))).isEqualTo(REQUEST);
    }

    static Stream<ViewAnswer> answers() {
        return Stream.of(
                new Content(BLAME),
                new Page(List.of(), Optional.empty()),
                new Page(
                        List.of(new Item(Bytes.wrap(new byte[] {1}), BLAME), new Item(key(""), BLAME)),
                        Optional.of(key("é"))),
                new Absent("UNKNOWN_POSITION", "It is not here."),
                new Refusal("INVALID_PARAMETER", "é"));
    }

    private static Success success(ViewAnswer answer) {
        return new Success(
                new ViewResponse(answer, new TreeSet<>(List.of(1, 2)), new TreeMap<>(Map.of(2, 77L)), POSITIONS));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void responsesRoundTrip(ViewAnswer answer) throws PeerProtocolException {
        Success written = success(answer);

        assertThat(RESPONSES.decode(RESPONSES.encode(written))).isEqualTo(written);
    }

    @Test
    void errorsRoundTrip() throws PeerProtocolException {
        for (PeerResponse.Error error : PeerResponse.Error.values()) {
            Failure failure = new Failure(error, "Why.", POSITIONS);
            assertThat(RESPONSES.decode(RESPONSES.encode(failure))).isEqualTo(failure);
            assertThat(RESPONSES.decode(RecordCodec.of(PeerResponse.class).encode(failure)))
                    .as("of a peer that does not know the result")
                    .isEqualTo(failure);
        }
    }

    @Test
    void structuresMapsWithNullsAndGeneratedRecordsRoundTrip() throws PeerProtocolException {
        State state = new State(
                "default",
                "SLIP",
                "7",
                "board",
                "latest",
                new ChangeOrigin.Message(1, null, source()),
                List.of(),
                Map.of(
                        "tasks",
                        new StateValue.Items(List.of(new StateValue.Fields(
                                Map.of("task", new StateValue.Whole(1), "tag", new StateValue.Absent()))))),
                false);
        RecordCodec<State> states = RecordCodec.of(State.class);
        assertThat(states.decode(states.encode(state))).isEqualTo(state);

        Map<String, String> dimensions = new HashMap<>();
        dimensions.put("sender", null);
        Statistics.Row row = new Statistics.Row(TIME, dimensions, true, Map.of("messages", 3L));
        RecordCodec<Statistics.Row> rows = RecordCodec.of(Statistics.Row.class);
        assertThat(rows.decode(rows.encode(row))).isEqualTo(row);
    }

    /** Both directions: each build reads what the other has written. */
    @Test
    void aBuildWithOneOptionalFieldMoreIsUnderstood() throws Exception {
        assertThat(REQUESTS.decode(OtherBuild.withOneFieldMore(REQUESTS.encode(REQUEST))))
                .isEqualTo(REQUEST);
        for (ViewAnswer answer : answers().toList()) {
            Success written = success(answer);
            assertThat(RESPONSES.decode(OtherBuild.withOneFieldMore(RESPONSES.encode(written))))
                    .isEqualTo(written);
        }
    }

    @Test
    void aBuildWithOneFieldFewerIsUnderstood() throws Exception {
        PeerRequest request = REQUESTS.decode(OtherBuild.without(REQUESTS.encode(REQUEST), "PeerRequest", "atLeast"));
        assertThat(request).isEqualTo(REQUEST.with(REQUEST.standbys(), Set.of()));
        assertThat(REQUESTS.decode(OtherBuild.without(REQUESTS.encode(REQUEST), "PeerRequest", "after"))
                        .after())
                .isEmpty();

        byte[] response = RESPONSES.encode(success(new Content(BLAME)));
        Success withoutLags = (Success) RESPONSES.decode(OtherBuild.without(response, "ViewResponse", "lags"));
        assertThat(withoutLags.response().lags()).isEmpty();
        assertThat(withoutLags.response().answer()).isEqualTo(new Content(BLAME));
        Success withoutKind = (Success) RESPONSES.decode(OtherBuild.without(response, "StateAnswerBlame", "kind"));
        StateAnswer.Blame blame =
                (StateAnswer.Blame) ((Content) withoutKind.response().answer()).result();
        assertThat(blame.kind()).isEmpty();
        assertThat(blame.items()).isEqualTo(BLAME.items());
        Success withoutSender =
                (Success) RESPONSES.decode(OtherBuild.without(response, "ChangeOriginMessage", "sender"));
        assertThat(((StateAnswer.Blame) ((Content) withoutSender.response().answer()).result())
                        .items()
                        .get(0)
                        .by()
                        .sender())
                .isNull();
    }

    @Test
    void truncatedAndExtendedMessagesAreMalformed() {
        byte[] request = REQUESTS.encode(REQUEST);
        byte[] response =
                RESPONSES.encode(success(new Page(List.of(new Item(key("a"), BLAME)), Optional.of(key("b")))));
        for (int length = 0; length < request.length; length++) {
            malformed(REQUESTS, Arrays.copyOf(request, length));
        }
        for (int length = 0; length < response.length; length++) {
            malformed(RESPONSES, Arrays.copyOf(response, length));
        }
        malformed(REQUESTS, Arrays.copyOf(request, request.length + 1));
        malformed(RESPONSES, Arrays.copyOf(response, response.length + 1));
    }

    @Test
    void lengthsAndCountsBeyondTheMessageAllocateNoMemory() throws IOException {
        for (long length : new long[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 30, Long.MAX_VALUE}) {
            // Of the schema, of the operation, and of the entries of the subject.
            malformed(REQUESTS, message(null, length));
            malformed(REQUESTS, message(REQUESTS.schema().toString(), length));
            malformed(REQUESTS, message(REQUESTS.schema().toString(), 0, length));
            // A success with a page whose number of items is wrong.
            malformed(RESPONSES, message(RESPONSES.schema().toString(), 0, 1, 2, length));
        }
        String nulls = "{\"type\":\"record\",\"name\":\"PeerRequest\",\"fields\":[{\"name\":\"other\",\"type\":"
                + "{\"type\":\"array\",\"items\":\"null\"}}]}";
        malformed(REQUESTS, message(nulls, Integer.MAX_VALUE));
    }

    private static byte[] message(String schema, long... numbers) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
        if (schema != null) {
            out.writeString(schema);
        }
        for (long number : numbers) {
            out.writeLong(number);
        }
        out.flush();
        return bytes.toByteArray();
    }

    @Test
    void schemasThatAreInvalidTooLargeOrOfOtherDataAreMalformed() throws IOException {
        malformed(REQUESTS, message("{", 0));
        malformed(REQUESTS, message("\"" + " ".repeat(1 << 20) + "\"", 0));
        malformed(REQUESTS, message("{\"type\":\"array\",\"items\":".repeat(4_000), 0));
        malformed(REQUESTS, message(AuditRecord.getClassSchema().toString(), 0));
    }

    @Test
    void randomBytesAreDecodedOrMalformed() {
        Random random = new Random(7);
        byte[] valid = RESPONSES.encode(success(new Page(List.of(new Item(key("a"), BLAME)), Optional.of(key("b")))));
        int start = RESPONSES.schema().toString().length() + 2;
        for (int i = 0; i < 20_000; i++) {
            byte[] message = valid.clone();
            int from = i % 2 == 0 ? start : 0;
            for (int change = random.nextInt(3); change >= 0; change--) {
                message[from + random.nextInt(message.length - from)] = (byte) random.nextInt();
            }
            try {
                RESPONSES.decode(message);
            } catch (PeerProtocolException e) {
                assertThat(e).hasMessageContaining("malformed");
            }
        }
    }

    private static void malformed(RecordCodec<?> codec, byte[] message) {
        assertThatThrownBy(() -> codec.decode(message)).isInstanceOf(PeerProtocolException.class);
    }

    private static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
