package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditHead;
import dev.parley.avro.Source;
import dev.parley.json.JsonText;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.Message;
import dev.parley.json.model.MessagePage;
import dev.parley.json.model.MessageRow;
import dev.parley.json.model.Statistics;
import dev.parley.json.model.VerdictDetail;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Item;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.state.ChangeOrigin;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.StateAnswer.Blame;
import dev.parley.state.StateAnswer.State;
import dev.parley.state.StateAnswer.StatePage;
import dev.parley.state.StateAnswer.StateResult;
import dev.parley.state.StateAnswer.Subject;
import dev.parley.state.StateEntry;
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
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeerJsonTest {

    private static final Instant TIME = Instant.parse("2026-01-31T12:00:00.123Z");
    private static final Set<InputPosition> POSITIONS =
            Set.of(new InputPosition("parley.wire", 3, Long.MAX_VALUE), new InputPosition("parley.wire.csp", 0, 0));
    private static final PeerRequest REQUEST = request(POSITIONS);
    private static final Blame BLAME = new Blame(
            new Subject("default", "CSP", "c", "definitions"),
            "latest",
            new CheckpointSummary("C1", "C0", "P", null, 1, 1, 2, TIME, null, "ab", true),
            List.of(
                    new StateEntry("a", "é", new ChangeOrigin.Message(7, "alice", source())),
                    new StateEntry("b", "", new ChangeOrigin.Patch("C1", "P", null, source()))),
            null,
            true);

    private static final String RESULT = "/response/answer/result/Blame";

    private static PeerRequest request(Set<InputPosition> atLeast) {
        return new PeerRequest(
                "conversations",
                Map.of("namespace", "é|\"\u0000😀", "", ""),
                Map.of("protocol", "SLIP"),
                Optional.of(Bytes.wrap(new byte[] {0, -1, 127, -128})),
                1_000,
                new TreeSet<>(List.of(0, 3, Integer.MAX_VALUE)),
                atLeast,
                Optional.empty());
    }

    private static Source source() {
        return new Source("parley.wire", 1, 2L, TIME, TIME);
    }

    private static State state(Map<String, Object> members) {
        return new State(
                "default",
                "SLIP",
                "7",
                "board",
                "latest",
                new ChangeOrigin.Message(1, null, source()),
                List.of(),
                members,
                false);
    }

    @SuppressWarnings("unchecked")
    private static <T> T roundTrip(T result, Class<?> declared) throws PeerProtocolException {
        Success read = (Success) PeerJson.response(PeerJson.bytes(success(new Content(result))), declared);
        return (T) ((Content) read.response().answer()).result();
    }

    @Test
    void mapsKeepTheirOrder() throws PeerProtocolException {
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name : List.of("status", "round", "goal", "tasks", "C10", "C2", "C1")) {
            members.put(name, name);
        }

        State state = roundTrip(state(members), StateResult.class);

        assertThat(state.members().keySet()).containsExactlyElementsOf(members.keySet());
    }

    @Test
    void requestsRoundTrip() throws PeerProtocolException {
        assertThat(PeerJson.read(PeerJson.bytes(REQUEST), PeerRequest.class)).isEqualTo(REQUEST);
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

        assertThat(PeerJson.response(PeerJson.bytes(written), Blame.class)).isEqualTo(written);
    }

    @Test
    void errorsRoundTrip() throws PeerProtocolException {
        for (PeerResponse.Error error : PeerResponse.Error.values()) {
            Failure failure = new Failure(error, "Why.", POSITIONS);
            assertThat(PeerJson.response(PeerJson.bytes(failure), Blame.class)).isEqualTo(failure);
        }
    }

    @Test
    void structuresMapsWithNullsAndGeneratedRecordsRoundTrip() throws PeerProtocolException {
        Map<String, Object> task = new HashMap<>();
        task.put("task", 1L);
        task.put("tag", null);
        State state = state(Map.of("tasks", List.of(task)));
        assertThat(roundTrip(state, StateResult.class)).isEqualTo(state);

        Map<String, String> dimensions = new HashMap<>();
        dimensions.put("sender", null);
        dimensions.put("performative", "7");
        Statistics.Row row = new Statistics.Row(TIME, dimensions, true, Map.of("messages", 3L));
        assertThat(roundTrip(row, Statistics.Row.class)).isEqualTo(row);

        AuditHead head = new AuditHead("parley/audit/0", 0, 212L, TIME, "a\n");
        assertThat(roundTrip(head, AuditHead.class)).isEqualTo(head);
    }

    @Test
    void resultsInObjectsWithOtherKeysAndOfSeveralClassesRoundTrip() throws PeerProtocolException {
        VerdictDetail verdict = new VerdictDetail(
                "REJECTED", "CODE", null, null, null, null, List.of("a"), List.of(), null, null, List.of(), true);
        InputRecord input = new InputRecord(
                "parley.wire", 1, 2, "chain", 3, verdict, null, false, new InputRecord.Links("/c", "/m"));
        assertThat(roundTrip(input, InputRecord.class)).isEqualTo(input);

        MessageRow row = new MessageRow(
                1, TIME, TIME, "alice", null, List.of("bob"), null, "ACCEPTED", null, 0, 3, null, false, false);
        Message message = message();
        MessagePage page = new MessagePage("chain", 2, 0, List.of(row, message), 7L);
        assertThat(roundTrip(page, MessagePage.class)).isEqualTo(page);

        StatePage states = new StatePage(
                new Subject("default", "SLIP", "7", "board"), "latest", null, List.of(), false, 0, List.of(), "next");
        assertThat(roundTrip(states, StateResult.class)).isEqualTo(states);
    }

    private static Message message() {
        return new Message(
                2,
                "FLAGGED",
                "JUDGE",
                null,
                null,
                null,
                List.of(),
                List.of("W"),
                null,
                "profile",
                "ab",
                "cd",
                null,
                source(),
                null,
                new JsonText("{\"content\":\"\\u2028\",\"number\":7}"),
                null,
                null,
                null,
                List.of(),
                new Message.Omitted(null, 3, 1, 9),
                null,
                null,
                null,
                false,
                true,
                false);
    }

    @Test
    void aBuildWithMoreFieldsIsUnderstood() throws Exception {
        assertThat(PeerJson.read(OtherBuild.withMoreFields(PeerJson.bytes(REQUEST)), PeerRequest.class))
                .isEqualTo(REQUEST);
        for (ViewAnswer answer : answers().toList()) {
            Success written = success(answer);
            assertThat(PeerJson.response(OtherBuild.withMoreFields(PeerJson.bytes(written)), Blame.class))
                    .isEqualTo(written);
        }
        Success page = success(new Content(new MessagePage("chain", 1, 0, List.of(message()), null)));
        assertThat(PeerJson.response(OtherBuild.withMoreFields(PeerJson.bytes(page)), MessagePage.class))
                .isEqualTo(page);
    }

    @Test
    void aBuildWithOneFieldFewerIsUnderstood() throws Exception {
        byte[] written = PeerJson.bytes(REQUEST);
        PeerRequest request = PeerJson.read(OtherBuild.without(written, "", "atLeast"), PeerRequest.class);
        assertThat(request).isEqualTo(request(Set.of()));
        assertThat(PeerJson.read(OtherBuild.without(written, "", "after"), PeerRequest.class)
                        .after())
                .isEmpty();
        assertThat(PeerJson.read(OtherBuild.without(written, "", "limit"), PeerRequest.class)
                        .limit())
                .isZero();

        byte[] response = PeerJson.bytes(success(new Content(BLAME)));
        Success withoutLags = read(OtherBuild.without(response, "/response", "lags"));
        assertThat(withoutLags.response().lags()).isEmpty();
        assertThat(withoutLags.response().answer()).isEqualTo(new Content(BLAME));
        Blame withoutKind = blame(OtherBuild.without(response, RESULT + "/about", "kind"));
        assertThat(withoutKind.about().kind()).isEmpty();
        assertThat(withoutKind.items()).isEqualTo(BLAME.items());
        assertThat(blame(OtherBuild.without(response, RESULT, "items")).items()).isEmpty();
        assertThat(blame(OtherBuild.without(response, RESULT, "redacted")).redacted())
                .isFalse();
        assertThat(blame(OtherBuild.without(response, RESULT, "asOf")).asOf()).isNull();
        assertThat(blame(OtherBuild.without(response, RESULT + "/items/0/by", "sender"))
                        .items()
                        .get(0)
                        .by()
                        .sender())
                .isNull();
    }

    private static Success read(byte[] response) throws PeerProtocolException {
        return (Success) PeerJson.response(response, Blame.class);
    }

    private static Blame blame(byte[] response) throws PeerProtocolException {
        return (Blame) ((Content) read(response).response().answer()).result();
    }

    @Test
    void fieldsOfOtherTypesAreMalformed() throws IOException {
        JsonNodeFactory json = JsonNodeFactory.instance;
        byte[] request = PeerJson.bytes(REQUEST);
        for (JsonNode limit : List.of(
                json.textNode("5"),
                json.numberNode(5.5),
                json.booleanNode(true),
                json.numberNode(1L << 40),
                json.arrayNode())) {
            malformedRequest(OtherBuild.with(request, "", "limit", limit));
        }
        for (JsonNode text :
                List.of(json.numberNode(5), json.numberNode(5.5), json.booleanNode(true), json.objectNode())) {
            malformedRequest(OtherBuild.with(request, "", "operation", text));
        }
        malformedRequest(OtherBuild.with(request, "", "subject", json.arrayNode()));
        malformedRequest(OtherBuild.with(request, "", "after", json.textNode("%")));
        byte[] response = PeerJson.bytes(success(new Content(BLAME)));
        malformedResponse(OtherBuild.with(response, RESULT, "redacted", json.numberNode(1)));
        malformedResponse(OtherBuild.with(response, RESULT, "items", json.textNode("")));
        malformedResponse(OtherBuild.with(response, RESULT + "/asOf", "time", json.numberNode(5)));
        malformedResponse(OtherBuild.with(response, RESULT + "/items/0/by/source", "partition", json.textNode("1")));
        malformedResponse(OtherBuild.with(response, "", "response", json.nullNode()));
    }

    @Test
    void aResultOfAnotherClassIsMalformed() {
        byte[] response = PeerJson.bytes(success(new Content(BLAME)));

        assertThatThrownBy(() -> PeerJson.response(response, StateResult.class))
                .isInstanceOf(PeerProtocolException.class)
                .hasMessageContaining("not the expected result");
    }

    @Test
    void truncatedAndExtendedMessagesAreMalformed() {
        byte[] request = PeerJson.bytes(REQUEST);
        byte[] response = PeerJson.bytes(success(new Page(List.of(new Item(key("a"), BLAME)), Optional.of(key("b")))));
        for (int length = 0; length < request.length; length++) {
            malformedRequest(Arrays.copyOf(request, length));
        }
        for (int length = 0; length < response.length; length++) {
            malformedResponse(Arrays.copyOf(response, length));
        }
        malformedRequest(Arrays.copyOf(request, request.length + 1));
        malformedResponse(Arrays.copyOf(response, response.length + 1));
        malformedRequest("null".getBytes(StandardCharsets.US_ASCII));
        malformedResponse("{}".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void deepStructuresAndLongNumbersAreMalformed() {
        malformedRequest(
                ("{\"other\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}").getBytes(StandardCharsets.US_ASCII));
        malformedRequest(("{\"limit\":" + "9".repeat(100_000) + "}").getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void stringsAndNamesAreAsLongAsTheMessage() throws PeerProtocolException {
        State state = state(Map.of("n".repeat(100_000), "x".repeat(21_000_000)));

        assertThat(roundTrip(state, StateResult.class)).isEqualTo(state);
    }

    /** Jackson's table of names would refuse so many of equal hash, and keep others after the message. */
    @Test
    void namesWhoseHashesWouldBeEqualAreRead() throws PeerProtocolException {
        Map<String, Object> members = new LinkedHashMap<>();
        addPermutations("prefix-of-12", List.of("aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff"), members);
        assertThat(members).hasSize(720);

        State state = state(members);

        assertThat(roundTrip(state, StateResult.class)).isEqualTo(state);
    }

    private static void addPermutations(String prefix, List<String> rest, Map<String, Object> members) {
        if (rest.isEmpty()) {
            members.put(prefix, "x");
        }
        for (String block : rest) {
            addPermutations(
                    prefix + block,
                    rest.stream().filter(other -> !other.equals(block)).toList(),
                    members);
        }
    }

    @Test
    void randomBytesAreDecodedOrMalformed() {
        Random random = new Random(7);
        byte[] valid = PeerJson.bytes(success(new Page(List.of(new Item(key("a"), BLAME)), Optional.of(key("b")))));
        for (int i = 0; i < 20_000; i++) {
            byte[] message = valid.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                message[random.nextInt(message.length)] = (byte) random.nextInt();
            }
            try {
                PeerJson.response(message, Blame.class);
            } catch (PeerProtocolException e) {
                assertThat(e).hasMessageContaining("malformed");
            }
        }
    }

    private static void malformedRequest(byte[] message) {
        assertThatThrownBy(() -> PeerJson.read(message, PeerRequest.class)).isInstanceOf(PeerProtocolException.class);
    }

    private static void malformedResponse(byte[] message) {
        assertThatThrownBy(() -> PeerJson.response(message, Blame.class)).isInstanceOf(PeerProtocolException.class);
    }

    private static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
