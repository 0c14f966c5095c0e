package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.DecodeOptions;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.AuditLog;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.redrive.DeadLetterRecord;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.OversizedRecords;
import dev.parley.stage.RecordStage;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.views.DeadLetterSummaries;
import dev.parley.topology.views.store.ChainPosition;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each role sees of private and encrypted messages. The messages pass the real stages; "zq" represents their
 * private content.
 */
class MaskingTest extends HttpTest {
    private static final String SECRET = "zq";

    private final ConversationStore conversationStore = ConversationStore.inMemory();
    private final ApplyStage stage = new ApplyStage(
            StageSettings.DEFAULT,
            conversationStore,
            new Checkpoints(new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), CheckpointSettings.DEFAULT));
    private final RecordStage recordStage = new RecordStage(
            conversationStore, DecodeOptions.LENIENT, new AuditLog(0, new MemoryStore<>()), new SecureRandom());
    private long offset;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prv:!zq",
                "@A1,B2:prv:!zq zq/in",
                "A1>A2:prv:!zq",
                "prv:{def:ta=\"zq\"}!ta",
                "prv:{t:zq}?zq",
                "prv:{task:zq}",
                "prv:!er:un/zq",
                "prv:<+zq",
                "prv:.zq [n1]",
                "{enc:aes256}[zq]",
                "{enc:aes256}{ns:zq}[zq]",
                "{enc:\"rsa\"}[a b zq]",
                "@v0.6#id:1 {enc:aes256}[zq]",
                "{enc:aes256}!zq",
            })
    void onlyAuditorsSeeThePrivateBodyOfALambdaMessage(String wire) {
        AuditRecord record = record(wire, "lambda");
        assertThat(record.getMessage()).as("decoded").isNotNull();

        show(record);
        assertHidden("reader");
        assertThat(message("reader").at("/message/lambda").isMissingNode()).isFalse();
        assertShown("auditor");
        assertShown("operator");
    }

    @ParameterizedTest
    @ValueSource(strings = {"!zq", "pub:!zq", "sig:!zq", "?zq", "{ns:zq}!zq", "{def:ta=\"zq\"}!ta"})
    void readersSeeOtherLambdaMessages(String wire) {
        show(record(wire, "lambda"));
        assertShown("reader");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a3|f0|c1|S0|d1|T1|t\"prv: zq\"#",
                "{\"type\":\"STATE\",\"payload\":\"101010\",\"meta\":{\"session\":\"s\",\"note\":\"prv: enc: zq\"}}",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED p\nDATA prv:!zq {enc:aes}[zq]",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF K = prv:zq\nAPPLY -> C1",
            })
    void theOtherProtocolsHaveNoPrivateMessages(String wire) {
        AuditRecord record = record(wire, "");
        assertThat(record.getMessage()).as("decoded").isNotNull();

        show(record);
        assertShown("reader");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prv:!\"zq",
                "prv:{zq",
                "PRV : !zq(",
                "%% prv:!zq",
                "@v0.6#id:1 prv:{\"zq",
                "{enc:aes256}[zq",
                "{ enc : aes256 }[zq",
                "@a3|f0|c1|prv:zq",
                "{\"text\":\"prv:!zq\"",
                "CSP/2\nprv:zq",
            })
    void undecodableBytesWithAMarkAreMasked(String wire) {
        AuditRecord record = record(wire, "");
        assertThat(record.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());

        show(record);
        assertHidden("reader");
        assertShown("auditor");
    }

    @Test
    void aMarkInUtf16IsAMark() {
        AuditRecord record = record("prv:!zq".getBytes(UTF_16LE), "");
        assertThat(record.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());

        show(record);
        assertThat(message("reader").path("raw").isNull()).isTrue();
        assertThat(message("auditor").path("raw").isNull()).isFalse();
    }

    /** Another version may have decoded it, or another client may have written it. */
    @Test
    void aMessageOfAnUnknownProtocolIsMaskedIfItHasAMark() {
        AuditRecord record = record("prv:!zq", "lambda");
        record.getMessage().setProtocol("LAMBDA2");

        show(record);
        assertHidden("reader");
        assertShown("auditor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing zq", "@a3|f0|c1|zq", "CSP/2\nzq", "!zq("})
    void undecodableBytesWithoutAMarkAreNotMasked(String wire) {
        show(record(wire, ""));
        assertShown("reader");
    }

    @Test
    void aPublicMessageDoesNotRevealAPrivateDefinition() {
        record("prv:{def:ta=\"zq\"}!ta", "lambda");
        AuditRecord redefinition = record("{def:ta=\"new\"}!ta", "lambda");
        assertThat(redefinition.getRule().getText()).as("what the audit has").doesNotContain(SECRET);

        show(redefinition);
        assertThat(answer("reader")).doesNotContain(SECRET);
        assertThat(message("reader").path("redacted").asBoolean()).isFalse();
        assertThat(message("reader").path("rule").path("text").asText()).contains("sequence 0");
    }

    @Test
    void readersSeeTheHashesOfAMaskedMessage() {
        AuditRecord record = record("prv:!zq", "lambda");
        show(record);

        JsonNode shown = message("reader");
        assertThat(shown.path("hash").asText()).hasSize(64);
        assertThat(shown.path("payloadHash").asText()).hasSize(64);
        assertThat(shown.path("verdict").asText()).isEqualTo("ACCEPTED");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "JUDGE; LAMBDA; prv:!zq; true",
                "JUDGE; LAMBDA; {enc:aes}[zq]; true",
                "JUDGE; LAMBDA; !zq; false",
                "JUDGE; SLIP; @a3|t\"prv:zq\"#; false",
                "JUDGE; SUBIT; {\"note\":\"prv:zq\"}; false",
                "JUDGE; CSP; CSP/1 prv:zq; false",
                "APPLY; CSP; CSP/1 prv:zq; false",
                "DECODE; LAMBDA; prv:!zq(; true",
                "DECODE; SLIP; prv:!zq; true",
                "DECODE; CSP; prv:!zq; true",
                "DECODE; SUBIT; prv:!zq; true",
                "DECODE; UNKNOWN; %prv:!zq; true",
                "DECODE; UNKNOWN; %zq; false",
                "INTERNAL; UNKNOWN; prv:!zq; true",
                "INTERNAL; UNKNOWN; !zq; false",
            })
    void readersSeeNoPrivateContentOfDeadLetters(Stage stage, Protocol protocol, String value, boolean hidden) {
        show(stage, protocol, value, value.length());

        assertThat(letters("reader").contains(SECRET)).isEqualTo(!hidden);
        assertThat(parse(letters("reader")).at("/items/0/redacted").asBoolean()).isEqualTo(hidden);
        assertThat(letters("auditor")).contains(SECRET);
    }

    /** The whole value decides, not its first bytes, so that lists and messages show the same. */
    @ParameterizedTest
    @CsvSource({"DECODE, SLIP, true", "JUDGE, LAMBDA, true", "INTERNAL, UNKNOWN, true", "JUDGE, CSP, false"})
    void aMarkBeyondTheFirstBytesOfADeadLetterMasksIt(Stage stage, Protocol protocol, boolean hidden) {
        show(stage, protocol, "{ns:zq}", 500);
        assertThat(letters("reader")).contains(SECRET);

        views.deadLetters.set(
                0,
                DeadLetterSummary.newBuilder(views.deadLetters.get(0))
                        .setPrivateMark(true)
                        .build());
        assertThat(letters("reader").contains(SECRET)).isEqualTo(!hidden);
        assertThat(letters("auditor")).contains(SECRET);
    }

    /** A mark anywhere in an undecodable value hides it on every route; without one, every route shows it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "zq; ''; false",
                "zq; ' prv:'; true",
                "!zq(; {enc :aes}; true",
                "zq prv; 'a:'; false",
                "@a3|f0|c1|S7|zq; '|d1'; false",
                "@a3|f0|c1|S7|zq; '|prv:'; true",
            })
    void oneRuleHidesAnUndecodableValueOnEveryRoute(String start, String end, boolean hidden) {
        for (int padding : new int[] {0, 190, 5_000}) {
            views.conversations.clear();
            views.messages.clear();
            views.deadLetters.clear();
            redriver.letters.clear();
            byte[] value = (start + " ".repeat(padding) + end).getBytes(UTF_8);
            AuditRecord record = record(value, "");
            assertThat(record.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
            show(record);
            long at = record.getSource().getOffset();
            int partition = record.getSource().getPartition();
            Headers headers = new RecordHeaders();
            DeadLetterHeaders.addStandard(headers, "verdict", record.getDetail(), "", record.getSource());
            InputPosition id = new InputPosition("parley.dlq.decode.v1", 0, at);
            redriver.add(new DeadLetterRecord(id, 0, null, value, headers));
            views.deadLetters.add(DeadLetterSummaries.of(id.topic(), 0, at, 0, headers, value));
            String conversation = "/v1/conversations/default/LAMBDA/c/messages";
            List<String> routes = List.of(
                    conversation + "?bodies=true&from=" + record.getSequence(),
                    conversation + "/" + record.getSequence(),
                    "/v1/search?q=zq",
                    "/v1/dead-letters",
                    "/v1/dead-letters/parley.dlq.decode.v1/0/" + at);
            String position = "/v1/positions/parley.wire/" + partition + "/" + at;

            for (String role : List.of("reader", "auditor", "operator")) {
                boolean sees = !hidden || !role.equals("reader");
                for (String route : routes) {
                    // A search repeats the words of its caller.
                    String answer = ask(role, route).replace("\"words\":[\"zq\"]", "\"words\":[]");
                    JsonNode whole = parse("{\"lines\":[" + answer.strip().replace("\n", ",") + "]}");
                    String encoded = whole.at("/lines/0/value").asText();
                    assertThat(answer.contains(SECRET)
                                    || new String(Base64.getDecoder().decode(encoded), UTF_8).contains(SECRET))
                            .as("%s %s %d: %s", role, route, padding, answer)
                            .isEqualTo(sees);
                }
                if (!sees) {
                    assertThat(ask(role, position)).doesNotContain(SECRET);
                }
            }
        }
    }

    @Test
    void claimsAreMaskedWithTheContentThatTheyMayQuote() {
        AuditRecord secret = record("@a3|f9|c1|S7|prv:", "slip");
        assertThat(secret.getClaims().getSender()).isEqualTo("7");
        show(secret);
        for (String view : List.of("?bodies=true", "?view=summary")) {
            String path = "/v1/conversations/default/LAMBDA/c/messages" + view;
            assertThat(parse(ask("reader", path)).at("/items/0/claims").isMissingNode())
                    .isTrue();
            assertThat(parse(ask("auditor", path)).at("/items/0/claims/sender").asText())
                    .isEqualTo("7");
        }
    }

    @Test
    void readersSeeOtherClaims() {
        show(record("@a3|f9|c1|S7|zq", "slip"));
        assertThat(message("reader").at("/claims").toString())
                .isEqualTo("{\"protocol\":\"SLIP\",\"namespace\":\"default\",\"conversation\":\"1\",\"sender\":\"7\"}");
    }

    @Test
    void claimsOfADeadLetterAreHiddenAndNotFoundByThoseWhoMayNotSeeIt() {
        show(Stage.DECODE, Protocol.SLIP, "prv:", 4);
        show(Stage.DECODE, Protocol.SLIP, "@a3", 3);
        views.deadLetters.get(1).setOffset(2L);
        views.deadLetters.forEach(letter -> {
            letter.setNamespace("mine");
            letter.setSender("7");
        });

        assertThat(parse(letters("reader")).at("/items/0/sender").isNull()).isTrue();
        assertThat(parse(letters("reader")).at("/items/0/claimed").asBoolean()).isTrue();
        assertThat(parse(letters("reader")).at("/items/1/sender").asText()).isEqualTo("7");
        for (String query : List.of("namespace=mine", "sender=7", "namespace=mine&sender=7&protocol=slip")) {
            assertThat(parse(ask("reader", "/v1/dead-letters?" + query)).path("items"))
                    .as(query)
                    .hasSize(1);
            assertThat(parse(ask("auditor", "/v1/dead-letters?" + query)).path("items"))
                    .as(query)
                    .hasSize(2);
        }
        for (String query : List.of("namespace=other", "sender=8", "sender=7&protocol=csp")) {
            assertThat(parse(ask("auditor", "/v1/dead-letters?" + query)).path("items"))
                    .as(query)
                    .isEmpty();
        }
    }

    /** The decoder does not read its value, so claims and detail quote only headers, key and size. */
    @Test
    void readersFindADeadLetterThatIsTooLargeButDoNotSeeItsFirstBytes() {
        Source source = Samples.source(7);
        Headers headers = new RecordHeaders();
        DeadLetterHeaders.addStandard(headers, "verdict", "", "", source);
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, "MESSAGE_TOO_LARGE");
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CLAIMED_NAMESPACE, "big");
        DeadLetterHeaders.addOmitted(
                headers, OversizedRecords.of(null, "prv:zq".getBytes(UTF_8), 0, 0), "6 bytes", source);
        InputPosition id = new InputPosition("parley.dlq.decode.v1", 0, 1);
        redriver.add(new DeadLetterRecord(id, 0, null, null, headers));
        views.deadLetters.add(DeadLetterSummaries.of(id.topic(), 0, 1, 0, headers, null));
        String list = "/v1/dead-letters?namespace=big";
        String one = "/v1/dead-letters/parley.dlq.decode.v1/0/1";

        for (String role : List.of("reader", "auditor")) {
            JsonNode listed = parse(ask(role, list)).at("/items/0");
            for (JsonNode shown : List.of(listed, parse(ask(role, one)))) {
                assertThat(shown.path("namespace").asText()).isEqualTo("big");
                assertThat(shown.path("detail").asText()).startsWith("6 bytes");
                assertThat(shown.path("preview").asText("")).isEqualTo(role.equals("reader") ? "" : "prv:zq");
                assertThat(shown.path("redacted").asBoolean()).isEqualTo(role.equals("reader"));
            }
        }

        views.redactions.add(
                new Redaction("c", 0L, source, ByteBuffer.allocate(32), "privacy", "mia", Instant.EPOCH, false));
        assertThat(parse(ask("auditor", list)).path("items")).isEmpty();
        assertThat(parse(ask("auditor", one)).path("namespace").isNull()).isTrue();
        assertThat(parse(ask("auditor", one)).path("detail").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prv:!zq", "@A1,B2:prv:!zq zq/in", "prv:{def:ta=\"zq\"}!ta", "{enc:aes256}!zq"})
    void aGlossIsHiddenWithItsMessage(String wire) {
        show(record(wire, "lambda"));
        assertThat(message("reader").path("gloss").isNull()).isTrue();
        assertThat(message("auditor").path("gloss").asText()).isNotEmpty();
        String list = "/v1/conversations/default/LAMBDA/c/messages";
        assertThat(parse(ask("reader", list)).at("/items/0/gloss").isNull()).isTrue();
        String position = "/v1/positions/parley.wire/0/0";
        views.links.put(new InputPosition("parley.wire", 0, 0), new ChainPosition("default|LAMBDA|c", 0));
        assertThat(parse(ask("reader", position)).path("gloss").isNull()).isTrue();
        assertThat(parse(ask("auditor", position)).path("gloss").asText()).isNotEmpty();
    }

    @Test
    void noRoleSeesTheGlossOfARedactedMessage() {
        AuditRecord record = record("!zq", "lambda");
        show(record);
        assertThat(message("reader").path("gloss").asText()).contains(SECRET);
        record.setRedacted(new Redaction(
                record.getChain(),
                record.getSequence(),
                record.getSource(),
                record.getHash(),
                "privacy",
                "mia",
                record.getSource().getTimestamp(),
                false));
        assertThat(message("operator").path("gloss").isNull()).isTrue();
    }

    @Test
    void theGlossOfAPublicMessageDoesNotTellWhatAPrivateOneDefined() {
        AuditRecord secret = record("prv:{def:ta=\"zq\"}!ta", "lambda");
        AuditRecord open = record("{def:qq=\"new\"}!I*d/ta", "lambda");
        show(secret);
        views.messages.add(open);
        open.setChain("default|LAMBDA|c");
        views.conversations.get(0).setLastSequence(1);
        assertThat(ask("reader", "/v1/conversations/default/LAMBDA/c/messages?bodies=true"))
                .doesNotContain(SECRET)
                .contains("We do the task.");
        String history = "/v1/conversations/default/LAMBDA/c/history?entry=definition/qq";
        assertThat(ask("reader", history)).doesNotContain(SECRET).contains("We do the task.");
        assertThat(ask("auditor", history)).contains("We do ta (zq).");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "JUDGE; LAMBDA; prv:!zq; ''",
                "JUDGE; LAMBDA; !zq; zq.",
                "DECODE; LAMBDA; !zq; ''",
                "INTERNAL; UNKNOWN; !zq; ''",
                "JUDGE; SLIP; @a5|f0|c1|S1|d0|T1|k1|t\"zq\"#; Agent 1 (planner) commits itself to agent 0"
                        + " (coordinator) to do task 1: zq",
            })
    void aDeadLetterHasTheGlossOfItsMessage(Stage stage, Protocol protocol, String value, String gloss) {
        show(stage, protocol, value, value.length());
        assertThat(parse(letters("reader")).at("/items/0/gloss").asText("")).isEqualTo(gloss);
    }

    @Test
    void aDeadLetterThatIsNotSeenWholeHasNoGloss() {
        show(Stage.JUDGE, Protocol.SLIP, "@a5|f0|c1|S1|d0|T1|k1|t\"zq\"#", 500);
        assertThat(parse(letters("auditor")).at("/items/0/gloss").isNull()).isTrue();
    }

    /** The detail quotes the message. */
    private void show(Stage stage, Protocol protocol, String value, int size) {
        DeadLetterSummary letter = Samples.deadLetter(stage, "SOME_CODE", 1, value);
        letter.setProtocol(protocol);
        letter.setValueSize(size);
        letter.setDetail("It says " + SECRET + ".");
        views.deadLetters.add(letter);
    }

    private void show(AuditRecord record) {
        record.setChain("default|LAMBDA|c");
        views.conversations.add(Samples.conversation("default", Protocol.LAMBDA, "c", 1));
        views.messages.add(record);
    }

    private void assertHidden(String role) {
        assertThat(answer(role)).as(role).doesNotContain(SECRET);
        assertThat(message(role).path("redacted").asBoolean()).isTrue();
        assertThat(message(role).path("raw").isNull()).isTrue();
        assertThat(message(role).path("detail").isNull()).isTrue();
    }

    private void assertShown(String role) {
        assertThat(message(role).path("redacted").asBoolean()).isFalse();
        assertThat(message(role).path("raw").asText()).as(role).contains(SECRET);
    }

    private JsonNode message(String role) {
        return parse(answer(role)).at("/items/0");
    }

    private String answer(String role) {
        return ask(
                role,
                "/v1/conversations/default/LAMBDA/c/messages?bodies=true&from="
                        + views.messages.get(0).getSequence());
    }

    private String letters(String role) {
        return ask(role, "/v1/dead-letters");
    }

    private String ask(String role, String path) {
        HttpResponse<String> response = send("GET", path, "Authorization", "Bearer " + role);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private AuditRecord record(String wire, String protocol) {
        return record(wire.getBytes(UTF_8), protocol);
    }

    private AuditRecord record(byte[] wire, String protocol) {
        List<InboundHeader> headers = Arrays.asList(
                header("parley-conversation", "c"), header("parley-protocol", protocol), header("parley-sender", "A1"));
        Inbound inbound = new Inbound(Samples.source(offset++), null, ByteBuffer.wrap(wire), headers, null, null);
        List<AuditRecord> recorded = new ArrayList<>();
        stage.accept(
                inbound,
                visitor ->
                        headers.forEach(header -> visitor.accept(header.getKey(), ByteBuffers.of(header.getValue()))),
                () -> headers,
                judged -> recorded.add(recordStage.record(judged).audit().auditRecord()));
        return recorded.get(0);
    }

    private static InboundHeader header(String name, String value) {
        return new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)));
    }
}
