package dev.parley.server.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.encoding.Sha256;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedriveHandlerTest extends HttpTest {
    private static final String ACCEPT = "@a6|f1|c7|S0|d1|T1|k9#";
    private static final String PATH = "/v1/dead-letters:redrive";

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Test
    void aSelectionEntersInTheOrderOfItsFailedRecordsOnce() {
        String second = letter(2, "second");
        String first = letter(1, "first");
        String body = "{\"ids\":[\"" + second + "\",\"" + first + "\"],\"reason\":\"fixed\"}";

        JsonNode answer = ok(body);

        assertThat(texts(answer, "outcome")).containsExactly("ENTERED", "ENTERED");
        assertThat(texts(answer, "id")).containsExactly(first, second);
        assertThat(answer.at("/results/0/sent").asText()).isEqualTo("parley.wire-0@1000");
        assertThat(answer.path("next").isNull()).isTrue();
        assertThat(redriver.sent).extracting(value -> new String(value, UTF_8)).containsExactly("first", "second");
        assertThat(redriver.redrives).allSatisfy(redrive -> {
            assertThat(redrive.getBy()).isEqualTo("token:operator");
            assertThat(redrive.getReason()).isEqualTo("fixed");
        });
        assertThat(texts(ok(body), "outcome")).containsExactly("ALREADY_ENTERED", "ALREADY_ENTERED");
        assertThat(redriver.sent).hasSize(2);
    }

    @Test
    void aQueryEntersInPagesOfOneOperation() {
        for (int i = 1; i <= 5; i++) {
            letter(i, "message " + i);
        }
        List<String> outcomes = new ArrayList<>();
        String cursor = "";
        String operation = null;
        do {
            JsonNode answer = ok("{\"query\":{\"stage\":\"judge\",\"protocol\":\"slip\"},\"limit\":2,\"reason\":\"r\""
                    + (cursor.isEmpty() ? "" : ",\"cursor\":\"" + cursor + "\"") + "}");
            outcomes.addAll(texts(answer, "outcome"));
            assertThat(answer.path("operation").asText())
                    .isIn(operation, answer.path("operation").asText());
            operation = answer.path("operation").asText();
            cursor = answer.path("next").asText();
        } while (!cursor.equals("null"));

        assertThat(outcomes).hasSize(5).containsOnly("ENTERED");
        assertThat(redriver.sent)
                .extracting(value -> new String(value, UTF_8))
                .containsExactly("message 1", "message 2", "message 3", "message 4", "message 5");
        String last = operation;
        assertThat(redriver.redrives)
                .allSatisfy(redrive -> assertThat(redrive.getOperation()).isEqualTo(last));
    }

    @Test
    void aQueryOfAnotherProtocolOrTimeSelectsNothing() {
        letter(5, "x");

        assertThat(ok("{\"query\":{\"protocol\":\"csp\"},\"reason\":\"r\"}").path("results"))
                .isEmpty();
        assertThat(ok("{\"query\":{\"code\":\"SLIP_BAD_STRING\"},\"reason\":\"r\"}")
                        .path("results"))
                .isEmpty();
        assertThat(ok("{\"query\":{\"to\":\"1970-01-01T00:00:05Z\"},\"reason\":\"r\"}")
                        .path("results"))
                .isEmpty();
        assertThat(ok("{\"query\":{\"from\":\"1970-01-01T00:00:06Z\"},\"reason\":\"r\"}")
                        .path("results"))
                .isEmpty();
        assertThat(
                        ok("{\"query\":{\"from\":\"1970-01-01T00:00:05Z\",\"to\":\"1970-01-01T00:00:06Z\"},\"reason\":\"r\"}")
                                .path("results"))
                .hasSize(1);
        assertThat(ok("{\"query\":{\"from\":\"-1d\"},\"dryRun\":true}").path("results"))
                .isEmpty();
        assertThat(ok("{\"query\":{\"from\":\"1970-01-01\",\"to\":\"1970-01-02\"},\"dryRun\":true}")
                        .path("results"))
                .hasSize(1);
    }

    @Test
    void aDryRunPredictsVerdictsAndSendsNothing() {
        String illegal = letter(1, ACCEPT);
        String broken = letter(2, "@a3|f0|c9|S0|d1|broken");

        JsonNode answer = ok("{\"ids\":[\"" + illegal + "\",\"" + broken + "\"],\"dryRun\":true}");

        assertThat(texts(answer, "outcome")).containsExactly("WOULD_ENTER", "WOULD_ENTER");
        assertThat(texts(answer, "verdict")).containsExactly("REJECTED", "UNDECODABLE");
        assertThat(texts(answer, "code")).noneMatch("null"::equals);
        assertThat(redriver.sent).isEmpty();
    }

    @Test
    void editedBytesEnterInsteadOfTheOriginal() {
        String id = letter(1, "broken");
        String edit = Base64.getEncoder().encodeToString("whole".getBytes(UTF_8));

        ok("{\"ids\":[\"" + id + "\"],\"edits\":{\"" + id + "\":{\"value\":\"" + edit + "\"}},\"reason\":\"typo\"}");

        assertThat(redriver.sent).extracting(value -> new String(value, UTF_8)).containsExactly("whole");
        JsonNode shown = parse(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer reader")
                .body());
        assertThat(Base64.getDecoder().decode(shown.path("value").asText())).isEqualTo("broken".getBytes(UTF_8));
        assertThat(shown.at("/redrives/0/edited").asBoolean()).isTrue();
        assertThat(shown.at("/redrives/0/by").asText()).isEqualTo("token:operator");
    }

    @Test
    void keyAndAllHeadersOfTheFailedRecordAreShownInOrderButNotToReaders() {
        String id = letterWithHeaders("parley-a", "1", "b", null, "parley-a", "2");
        DeadLetterRecord whole = redriver.letters.values().iterator().next();
        whole.headers().add("c", new byte[] {(byte) 0xFF});

        JsonNode shown = details(id, "operator");

        assertThat(shown.path("key").toString()).isEqualTo("{\"text\":\"k\\u0000\",\"encoding\":\"utf-8\"}");
        assertThat(shown.path("headers"))
                .map(JsonNode::toString)
                .containsExactly(
                        "{\"name\":\"parley-a\",\"text\":\"1\",\"encoding\":\"utf-8\"}",
                        "{\"name\":\"b\",\"text\":null,\"encoding\":null}",
                        "{\"name\":\"parley-a\",\"text\":\"2\",\"encoding\":\"utf-8\"}",
                        "{\"name\":\"c\",\"text\":\"/w==\",\"encoding\":\"base64\"}");
        assertThat(details(id, "auditor").path("headers")).hasSize(4);
        JsonNode reader = details(id, "reader");
        assertThat(reader.path("value").isTextual()).isTrue();
        assertThat(reader.path("key").isNull() && reader.path("headers").isNull())
                .isTrue();
    }

    @Test
    void anEditOfOnePartSendsTheOthersAsTheyWere() {
        String id = letterWithHeaders("a", "1", "b", null, "a", "2");
        DeadLetterRecord letter = redriver.letters.values().iterator().next();

        ok("{\"ids\":[\"" + id + "\"],\"edits\":{\"" + id + "\":{\"key\":{\"text\":\"other\"}}},\"reason\":\"r\"}");

        assertThat(redriver.records).singleElement().satisfies(sent -> {
            assertThat(sent.key()).isEqualTo("other".getBytes(UTF_8));
            assertThat(sent.value()).isEqualTo(letter.value());
            assertThat(sent.headers()).isEqualTo(letter.inputHeaders()).hasSize(3);
        });
        assertThat(redriver.redrives)
                .singleElement()
                .satisfies(redrive -> assertThat(redrive.getEdited()).isTrue());
    }

    @Test
    void editedHeadersEnterRepeatedAndNullInTheirOrder() {
        String id = letterWithHeaders("a", "1");

        ok("{\"ids\":[\"" + id + "\"],\"edits\":{\"" + id
                + "\":{\"key\":{\"text\":null},\"headers\":[{\"name\":\"h\",\"text\":\"1\"},"
                + "{\"name\":\"g\",\"text\":null,\"encoding\":null},"
                + "{\"name\":\"h\",\"text\":\"/w==\",\"encoding\":\"base64\"}]}},\"reason\":\"r\"}");

        assertThat(redriver.records).singleElement().satisfies(sent -> {
            assertThat(sent.key()).isNull();
            assertThat(sent.headers())
                    .isEqualTo(new RecordHeaders()
                            .add("h", "1".getBytes(UTF_8))
                            .add("g", null)
                            .add("h", new byte[] {(byte) 0xFF}));
        });
    }

    @Test
    void anInnerMessageEntersOnlyAfterADryRunThatShowsIt() {
        String id = letterWithHeaders("h", "1", "parley.error.inner", "SLIP 3 6");
        String selection = "{\"ids\":[\"" + id + "\"],\"unwrap\":true,\"reason\":\"r\",";
        String unknown = "\"confirmed\":[\"" + "0".repeat(64) + "\"]}";

        problem(post(selection + "\"dryRun\":false}"), ProblemException.Code.INVALID_REQUEST);
        assertThat(texts(ok(selection + unknown), "outcome")).containsExactly("REFUSED");
        assertThat(redriver.sent).isEmpty();
        JsonNode dry = ok(selection + "\"dryRun\":true}").at("/results/0");
        assertThat(dry.path("outcome").asText()).isEqualTo("WOULD_ENTER");
        assertThat(dry.at("/unwrapped/text").asText()).isEqualTo("ken");
        assertThat(dry.at("/unwrapped/protocol").asText()).isEqualTo("SLIP");
        assertThat(redriver.sent).isEmpty();
        String hash = dry.at("/unwrapped/sha256").asText();
        assertThat(texts(ok(selection + "\"confirmed\":[\"" + hash + "\"]}"), "outcome"))
                .containsExactly("ENTERED");
        assertThat(redriver.records).singleElement().satisfies(sent -> {
            assertThat(sent.value()).isEqualTo("ken".getBytes(UTF_8));
            assertThat(sent.key()).isEqualTo("k\0".getBytes(UTF_8));
            assertThat(sent.headers()).isEqualTo(new RecordHeaders().add("h", "1".getBytes(UTF_8)));
        });
        assertThat(details(id, "reader").path("inner").toString())
                .isEqualTo("[{\"protocol\":\"SLIP\",\"start\":3,\"end\":6}]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    SLIP 3 7           | contains no complete message
                    SLIP 4 4           | contains no complete message
                    SLIP -1 3          | contains no complete message
                    3 6                | contains no complete message
                    SLIP 3 99999999999 | contains no complete message
                    SLIP 0 2;CSP 3 6   | several messages: SLIP at bytes 0 to 1, CSP at bytes 3 to 5
                    """)
    void withoutExactlyOneInnerMessageNothingIsUnwrapped(String inner, String reason) {
        List<String> headers = new ArrayList<>();
        for (String each : inner.split(";")) {
            headers.addAll(List.of("parley.error.inner", each));
        }
        String id = letterWithHeaders(headers.toArray(String[]::new));

        JsonNode result =
                ok("{\"ids\":[\"" + id + "\"],\"unwrap\":true,\"dryRun\":true}").at("/results/0");

        assertThat(result.path("outcome").asText()).isEqualTo("REFUSED");
        assertThat(result.path("detail").asText()).contains(reason);
        assertThat(result.has("unwrapped")).isFalse();
    }

    @Test
    void theOnlyMessageThatWasFoundInAPartOfTheValueIsNotUnwrapped() {
        String id = letterWithHeaders("parley.error.inner", "SLIP 3 6", "parley.error.code", "SEVERAL_MESSAGES");

        JsonNode result =
                ok("{\"ids\":[\"" + id + "\"],\"unwrap\":true,\"dryRun\":true}").at("/results/0");

        assertThat(result.path("outcome").asText()).isEqualTo("REFUSED");
        assertThat(result.path("detail").asText())
                .isEqualTo(
                        "The value was not searched to its end, and may contain more messages than SLIP at bytes 3 to 5."
                                + " Redrive it with an edited value.");
    }

    @Test
    void anInnerMessageOfARedactedOneIsNeitherShownNorSent() {
        String id = letterWithHeaders("parley.error.inner", "SLIP 3 6");
        redact(Sha256.of("broken".getBytes(UTF_8)));

        String dry =
                ok("{\"ids\":[\"" + id + "\"],\"unwrap\":true,\"dryRun\":true}").toString();
        String hash = HexFormat.of().formatHex(Sha256.of("ken".getBytes(UTF_8)));

        assertThat(dry).contains("REFUSED").doesNotContain("ken");
        assertThat(texts(
                        ok("{\"ids\":[\"" + id + "\"],\"unwrap\":true,\"confirmed\":[\"" + hash
                                + "\"],\"reason\":\"r\"}"),
                        "outcome"))
                .containsExactly("REFUSED");
        assertThat(redriver.sent).isEmpty();
    }

    /** Adds a dead letter with the key "k\0" and these headers: names and values. */
    private String letterWithHeaders(String... headers) {
        String id = letter(1, "broken");
        InputPosition position = redriver.letters.keySet().iterator().next();
        DeadLetterRecord letter = redriver.letters.get(position);
        for (int i = 0; i < headers.length; i += 2) {
            letter.headers().add(headers[i], headers[i + 1] == null ? null : headers[i + 1].getBytes(UTF_8));
        }
        redriver.letters.put(
                position,
                new DeadLetterRecord(
                        position, letter.timestamp(), "k\0".getBytes(UTF_8), letter.value(), letter.headers()));
        return id;
    }

    private JsonNode details(String id, String caller) {
        return parse(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer " + caller)
                .body());
    }

    @Test
    void redrivesAreFoundByTheFailedRecordAndByTheMessageThatWasSent() {
        String id = letter(1, "broken");
        letter(2, "other");
        ok("{\"ids\":[\"" + id + "\"],\"reason\":\"typo\"}");
        String sent = redriver.redrives.get(0).getSent();

        for (String input : List.of("parley.wire-0@1", sent, "parley.wire-0@2,parley.wire-0@1," + sent)) {
            JsonNode items = redrives(input);
            assertThat(items).hasSize(1);
            assertThat(items.at("/0/source").asText()).isEqualTo("parley.wire-0@1");
            assertThat(items.at("/0/sent").asText()).isEqualTo(sent);
            assertThat(items.at("/0/reason").asText()).isEqualTo("typo");
        }
        assertThat(redrives("parley.wire-0@2")).isEmpty();
    }

    @Test
    void aClosedDeadLetterIsNotRedrivenUntilItIsReopened() {
        String id = letter(1, "broken");
        String body = "{\"ids\":[\"" + id + "\"],\"reason\":\" ticket 7 \"}";

        assertThat(texts(change("close", body), "outcome")).containsExactly("CLOSED");
        assertThat(texts(change("close", body), "detail"))
                .containsExactly("Nothing was changed: it is closed already.");
        assertThat(details(id, "reader").path("closed").asBoolean()).isTrue();
        JsonNode closure = details(id, "reader").at("/closures/0");
        assertThat(closure.path("by").asText()).isEqualTo("token:operator");
        assertThat(closure.path("reason").asText()).isEqualTo("ticket 7");
        assertThat(closure.path("kind").asText()).isEqualTo("CLOSED");
        assertThat(texts(ok(body), "detail")).containsExactly("The dead letter is closed. Reopen it first.");
        assertThat(redriver.sent).isEmpty();

        assertThat(texts(change("reopen", body), "outcome")).containsExactly("REOPENED");
        assertThat(details(id, "reader").path("closed").asBoolean()).isFalse();
        assertThat(details(id, "reader").path("closures")).hasSize(2);
        assertThat(texts(ok(body), "outcome")).containsExactly("ENTERED");
        assertThat(texts(change("close", body), "outcome")).containsExactly("ALREADY_ENTERED");
        assertThat(redriver.closures).hasSize(2);
    }

    @Test
    void aSelectionIsClosedWithoutTheExpiredOnes() {
        String id = letter(1, "broken");
        String expired = "parley.dlq.apply.v1/0/999";

        JsonNode answer = change("close", "{\"ids\":[\"" + expired + "\",\"" + id + "\"],\"reason\":\"r\"}");

        assertThat(texts(answer, "id")).containsExactly(id, expired);
        assertThat(texts(answer, "outcome")).containsExactly("CLOSED", "REFUSED");
    }

    /** Marks of direction and markup are recorded as they are, and escaped where they are shown. */
    @Test
    void theReasonOfAClosedDeadLetterIsRecordedUnchanged() {
        String id = letter(1, "broken");
        String reason = "\u202edesolc <img src=x onerror=alert(1)>";

        change("close", "{\"ids\":[\"" + id + "\"],\"reason\":\"" + reason + "\"}");

        assertThat(redriver.closures.get(0).getReason()).isEqualTo(reason);
        assertThat(details(id, "reader").at("/closures/0/reason").asText()).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"]}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"reason\":\" \"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"reason\":\"\\u202e\\u200b\"}",
                "{\"ids\":[],\"reason\":\"r\"}",
                "{\"query\":{},\"reason\":\"r\"}",
                "{\"reason\":\"r\"}"
            })
    void anInvalidChangeIsRejected(String body) {
        for (String action : List.of("close", "reopen")) {
            problem(post("/v1/dead-letters:" + action, body), ProblemException.Code.INVALID_REQUEST);
        }
        assertThat(redriver.closures).isEmpty();
    }

    @Test
    void aSelectionOrReasonBeyondItsBoundIsNotChanged() {
        String ids = IntStream.rangeClosed(0, Redriver.MAX_LETTERS)
                .mapToObj(offset -> "\"parley.dlq.apply.v1/0/" + offset + "\"")
                .collect(Collectors.joining(","));
        problem(
                post("/v1/dead-letters:close", "{\"ids\":[" + ids + "],\"reason\":\"r\"}"),
                ProblemException.Code.INVALID_REQUEST);
        String id = letter(1, "broken");
        problem(
                post("/v1/dead-letters:close", "{\"ids\":[\"" + id + "\"],\"reason\":\"" + "r".repeat(1_001) + "\"}"),
                ProblemException.Code.INVALID_REQUEST);
        assertThat(redriver.closures).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "reopen"})
    void onlyOperatorsChangeDeadLetters(String action) {
        String body = "{\"ids\":[\"" + letter(1, "broken") + "\"],\"reason\":\"r\"}";
        for (String caller : List.of("reader", "auditor")) {
            HttpResponse<String> response =
                    send(HttpRequest.newBuilder(URI.create(server().uri() + "/v1/dead-letters:" + action))
                            .header("Authorization", "Bearer " + caller)
                            .POST(BodyPublishers.ofString(body))
                            .build());
            problem(response, ProblemException.Code.ROLE_MISSING);
        }
        assertThat(redriver.closures).isEmpty();
    }

    private JsonNode change(String action, String body) {
        HttpResponse<String> response = post("/v1/dead-letters:" + action, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "parley.wire-0@1,", "parley.wire-0@1,,parley.wire-0@2", "parley.wire-0@-1"})
    void redrivesNeedInputPositions(String inputs) {
        problem(
                send("GET", "/v1/redrives?inputs=" + inputs, "Authorization", "Bearer reader"),
                ProblemException.Code.INVALID_PARAMETER);
    }

    @Test
    void theRedrivesOfManyRecordsAreNotReadAtOnce() {
        String inputs = IntStream.rangeClosed(0, Redriver.MAX_INPUTS)
                .mapToObj(offset -> "parley.wire-0@" + offset)
                .collect(Collectors.joining(","));

        problem(
                send("GET", "/v1/redrives?inputs=" + inputs, "Authorization", "Bearer reader"),
                ProblemException.Code.INVALID_PARAMETER);
    }

    private JsonNode redrives(String inputs) {
        return parse(send("GET", "/v1/redrives?inputs=" + inputs, "Authorization", "Bearer reader")
                        .body())
                .path("items");
    }

    @Test
    void aRedactedMessageIsNeitherShownNorSent() {
        String id = letter(1, "secret");
        redact(Sha256.of("secret".getBytes(UTF_8)));

        HttpResponse<String> shown = send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer operator");
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(shown.body()).doesNotContain("secret", Base64.getEncoder().encodeToString("secret".getBytes(UTF_8)));
        assertThat(texts(ok("{\"ids\":[\"" + id + "\"],\"reason\":\"r\"}"), "outcome"))
                .containsExactly("REFUSED");
        assertThat(redriver.sent).isEmpty();
    }

    @Test
    void aRedactedMessageWhoseValueIsOmittedIsNotShown() {
        String id = letter(1, "secret");
        InputPosition position = redriver.letters.keySet().iterator().next();
        DeadLetterRecord whole = redriver.letters.get(position);
        byte[] hash = Sha256.of("secret".getBytes(UTF_8));
        whole.headers()
                .add("parley.error.value-sha256", HexFormat.of().formatHex(hash).getBytes(UTF_8))
                .add("parley.error.value-prefix", "secret".getBytes(UTF_8));
        redriver.letters.put(
                position, new DeadLetterRecord(position, whole.timestamp(), whole.key(), null, whole.headers()));
        assertThat(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer reader")
                        .body())
                .contains("secret");
        redact(hash);

        assertThat(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer operator")
                        .body())
                .doesNotContain("secret")
                .contains("\"redacted\":true");
    }

    @Test
    void aRedactionThatOnlyTheAuditHasHidesTheDeadLetterToo() {
        String id = letter(1, "secret");
        AuditRecord record = Samples.slip("7", 1);
        record.getSource().setPartition(0);
        record.setRedacted(redaction(record.getHash()));
        views.messages.add(record);

        assertThat(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer operator")
                        .body())
                .doesNotContain(Base64.getEncoder().encodeToString("secret".getBytes(UTF_8)))
                .contains("\"redacted\":true");
    }

    @Test
    void neitherSizeNorHashOfARedactedMessageConfirmsAGuess() {
        String id = letter(1, "secret");
        String hash = HexFormat.of().formatHex(Sha256.of("secret".getBytes(UTF_8)));
        ok("{\"ids\":[\"" + id + "\"],\"reason\":\"r\"}");
        String redrives = "/v1/redrives?inputs=parley.wire-0@1";
        assertThat(shown("/v1/dead-letters/" + id).toString())
                .contains("\"sha256\":\"" + hash, "\"sentHash\":\"" + hash);
        assertThat(shown(redrives).toString()).contains("\"originalHash\":\"" + hash);

        redact(new byte[32]);

        JsonNode letter = shown("/v1/dead-letters/" + id);
        assertThat(letter.path("valueSize").isNull()).isTrue();
        assertThat(letter.path("sha256").isNull()).isTrue();
        assertThat(letter.path("redrives")).hasSize(1);
        assertThat(letter.toString()).doesNotContain(hash);
        assertThat(shown(redrives).path("items")).hasSize(1);
        assertThat(shown(redrives).toString()).doesNotContain(hash);
    }

    private JsonNode shown(String path) {
        return parse(send("GET", path, "Authorization", "Bearer auditor").body());
    }

    private void redact(byte[] hash) {
        views.redactions.add(redaction(ByteBuffer.wrap(hash)));
    }

    private static Redaction redaction(ByteBuffer hash) {
        Redaction redaction = new Redaction(
                "default|SLIP|7", 0L, Samples.source(1), hash, "privacy", "token:operator", Samples.NOON, false);
        redaction.getSource().setPartition(0);
        return redaction;
    }

    @Test
    void aPrivateMessageIsMaskedForReadersAndShownToAuditors() {
        String id = letter(1, "{prv: secret}");
        views.deadLetters.clear();
        DeadLetterRecord slip = redriver.letters.values().iterator().next();
        slip.headers().remove("parley.error.protocol").add("parley.error.protocol", "LAMBDA".getBytes(UTF_8));

        JsonNode reader = parse(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer reader")
                .body());
        JsonNode auditor = parse(send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer auditor")
                .body());

        assertThat(reader.path("value").isNull()).isTrue();
        assertThat(reader.path("redacted").asBoolean()).isTrue();
        assertThat(auditor.path("value").isTextual()).isTrue();
    }

    @Test
    void anExpiredDeadLetterIsRefusedAndTheOthersEnter() {
        String id = letter(1, "x");

        JsonNode answer = ok("{\"ids\":[\"parley.dlq.apply.v1/0/7\",\"" + id + "\"],\"reason\":\"r\"}");

        assertThat(texts(answer, "outcome")).containsExactlyInAnyOrder("ENTERED", "REFUSED");
        problem(
                send("GET", "/v1/dead-letters/parley.dlq.apply.v1/0/7", "Authorization", "Bearer reader"),
                ProblemException.Code.UNKNOWN_DEAD_LETTER);
    }

    @Test
    void whileBrokersAreUnavailableTheResponseHasRetryAfter() {
        String id = letter(1, "x");
        redriver.unavailable = true;

        HttpResponse<String> response = post("{\"ids\":[\"" + id + "\"],\"reason\":\"r\"}");

        problem(response, ProblemException.Code.BROKERS_UNAVAILABLE);
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"ids\":[],\"reason\":\"r\"}",
                "{\"ids\":\"x\",\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"]}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"reason\":\" \"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"query\":{},\"reason\":\"r\"}",
                "{\"query\":{\"agent\":\"x\"},\"reason\":\"r\"}",
                "{\"query\":{\"code\":\"OTHER\"},\"reason\":\"r\"}",
                "{\"query\":{\"state\":\"sent\"},\"reason\":\"r\"}",
                "{\"query\":{\"stage\":\"none\"},\"reason\":\"r\"}",
                "{\"query\":{\"from\":\"yesterday\"},\"reason\":\"r\"}",
                "{\"query\":{},\"reason\":\"r\",\"limit\":0}",
                "{\"query\":{},\"reason\":\"r\",\"limit\":501}",
                "{\"query\":{},\"reason\":\"r\",\"limit\":2.9}",
                "{\"query\":{},\"reason\":\"r\",\"limit\":2.0}",
                "{\"query\":{},\"reason\":\"r\",\"limit\":1e1}",
                "{\"query\":{},\"reason\":\"\\u200b\\u0000\"}",
                "{\"query\":{},\"reason\":\"r\\ud800\"}",
                "{\"query\":{},\"dryRun\":true,\"reason\":\"\\udc00\"}",
                "{\"query\":{},\"reason\":\"r\",\"dryRun\":\"yes\"}",
                "{\"query\":{},\"reason\":\"r\",\"force\":true}",
                "{\"query\":{},\"reason\":5}",
                "{\"query\":{},\"reason\":\"r\",\"unwrap\":true,\"confirmed\":[\"00\"]}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"reason\":\"r\",\"unwrap\":true}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"reason\":\"r\",\"confirmed\":[\"00\"]}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"value\":\"\"}},\"dryRun\":true,\"unwrap\":true}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/2\":{\"value\":\"\"}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"value\":\"%\"}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"value\":null}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"key\":\"k\"}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"key\":{\"text\":\"k\",\"encoding\":\"hex\"}}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"key\":{\"text\":\"\\ud800\"}}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"headers\":[null]}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"headers\":[{\"text\":\"x\"}]}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"headers\":[{\"name\":\"\\ud800\"}]}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":{\"headers\":[{\"name\":\"h\",\"text\":\"%\",\"encoding\":\"base64\"}]}},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":7},\"reason\":\"r\"}",
                "{\"ids\":[\"parley.dlq.apply.v1/0/1\"],\"edits\":{\"parley.dlq.apply.v1/0/1\":null},\"reason\":\"r\"}"
            })
    void anInvalidBodyIsRejected(String body) {
        problem(post(body), ProblemException.Code.INVALID_REQUEST);
        assertThat(redriver.sent).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"query":{},"reason":"r","reason":"s"}               | Duplicate field 'reason'
                    {"query":{},"reason":"r","limit":99999999999}        | out of range of int
                    {"query":{},"reason":"r","limit":1.5}                | limit must be an integer
                    {"query":{},"reason":"r","limit":NaN}                | NaN
                    {"query":{},"reason":"r","limit":9e99999999999}      | limit must be an integer
                    {"query":{"foo":1},"reason":"r"}                     | query.foo is unknown
                    {"query":{"sender":1},"reason":"r"}                  | query.sender must be a string
                    {"query":{"sender":["a"]},"reason":"r"}              | query.sender must be a string
                    {"query":{},"reason":"r"                             | line 1, column
                    {"query":{},"reason":"r"} {}                         | line 1, column
                    [1]                                                  | line 1, column 1.
                    """)
    void aProblemNamesTheMistakeOfABody(String body, String mistake) {
        assertThat(problem(post(body), ProblemException.Code.INVALID_REQUEST)
                        .path("detail")
                        .asText())
                .contains(mistake)
                .doesNotContain("dev.parley", "fasterxml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "parley.wire-0@1"})
    void anInvalidCursorIsRejected(String cursor) {
        problem(
                post("{\"query\":{},\"reason\":\"r\",\"cursor\":\"" + cursor + "\"}"),
                ProblemException.Code.INVALID_CURSOR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "parley.audit.v1/0/1",
                "parley.wire/0/1",
                "__consumer_offsets/0/1",
                "parley.dlq.apply.v1/-1/1",
                "parley.dlq.apply.v1/0/9999999999999999999",
                "parley.dlq.apply.v1/x/1"
            })
    void aRecordOfAnotherTopicIsNoDeadLetter(String id) {
        problem(
                send("GET", "/v1/dead-letters/" + id, "Authorization", "Bearer operator"),
                ProblemException.Code.UNKNOWN_DEAD_LETTER);
        problem(post("{\"ids\":[\"" + id + "\"],\"reason\":\"r\"}"), ProblemException.Code.UNKNOWN_DEAD_LETTER);
        assertThat(redriver.sent).isEmpty();
    }

    @Test
    void getDoesNotRedrive() {
        HttpResponse<String> response = send("GET", PATH, "Authorization", "Bearer operator");
        problem(response, ProblemException.Code.METHOD_NOT_ALLOWED);
        assertThat(response.headers().firstValue("Allow")).hasValue("POST");
    }

    private static List<String> texts(JsonNode answer, String member) {
        return StreamSupport.stream(answer.path("results").spliterator(), false)
                .map(result -> result.path(member).asText())
                .toList();
    }

    private JsonNode ok(String body) {
        HttpResponse<String> response = post(body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    private HttpResponse<String> post(String body) {
        return post(PATH, body);
    }

    private HttpResponse<String> post(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(server().uri() + path))
                .header("Authorization", "Bearer operator")
                .POST(BodyPublishers.ofString(body))
                .build());
    }
}
