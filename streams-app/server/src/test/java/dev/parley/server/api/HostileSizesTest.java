package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.server.http.ProblemException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses never exceed http.limits.response.bytes, whatever agents sent, and lists are still complete. */
@Tag("long")
class HostileSizesTest extends HttpTest {

    private static final int LIMIT = 4 << 20;
    private static final String MEGABYTE = "x".repeat(1 << 20);
    private static final String CHAIN = "/v1/conversations/default/SLIP/7";

    @Test
    void aDefaultPageOfTwoHundredMessagesOfOneMegabyteIsSmall() {
        messages(200, MEGABYTE);

        JsonNode page = answer(CHAIN + "/messages");

        assertThat(page.path("items")).hasSize(100).allSatisfy(item -> {
            assertThat(item.path("raw").isNull()).isTrue();
            assertThat(item.path("bodyOmitted").asBoolean()).isTrue();
            assertThat(item.at("/message/sender").asText()).isEqualTo("0");
            assertThat(item.path("message").has("slip")).isFalse();
        });
        assertThat(page.path("next").asLong()).isEqualTo(100);
    }

    @Test
    void aListWithBodiesEndsAtTheLimitAndGoesOn() {
        messages(20, MEGABYTE);

        List<JsonNode> items = pages(CHAIN + "/messages?bodies=true&limit=1000", "from");

        assertThat(items)
                .extracting(item -> item.path("sequence").asInt())
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(items)
                .allSatisfy(item -> assertThat(item.path("raw").asText()).isEqualTo(MEGABYTE));
    }

    @Test
    void aMessageLargerThanAResponseIsListedWithoutItsBody() {
        messages(1, "small");
        add(1, "\u0001".repeat(1 << 20));
        add(2, "small");
        views.conversations.set(0, Samples.conversation("default", Protocol.SLIP, "7", 3));

        List<JsonNode> items = pages(CHAIN + "/messages?bodies=true", "from");

        assertThat(items)
                .extracting(item -> item.path("bodyOmitted").asBoolean())
                .containsExactly(false, true, false);
        JsonNode one = answer(CHAIN + "/messages/1");
        assertThat(one.path("bodyOmitted").asBoolean()).isTrue();
        assertThat(one.path("payloadHash").asText()).isNotEmpty();
        assertThat(answer(CHAIN + "/messages/2").path("raw").asText()).isEqualTo("small");
    }

    @Test
    void aMessageToOneMillionRecipientsIsListedByItsVerdict() {
        messages(1, "small");
        views.messages.get(0).getMessage().setRecipients(java.util.Collections.nCopies(1_000_000, "agent"));

        JsonNode item = answer(CHAIN + "/messages").at("/items/0");

        assertThat(item.path("message").isNull()).isTrue();
        assertThat(item.path("verdict").asText()).isEqualTo("ACCEPTED");
    }

    /** A cursor, which is an encoded key with both names, fits into a request. */
    @Test
    void conversationsWithLongNamesArePagedByBytes() {
        for (int i = 0; i < 200; i++) {
            String name = "n".repeat(12_000) + i;
            views.conversations.add(Samples.conversation("s".repeat(12_000), Protocol.SLIP, name, 1));
        }

        List<JsonNode> items = pages("/v1/conversations?limit=1000", "cursor");

        assertThat(items).extracting(item -> item.path("conversation").asText()).doesNotHaveDuplicates();
        assertThat(items).hasSize(200);
        ConversationSummary last = views.conversations.get(199);
        answer("/v1/conversations/" + last.getNamespace().substring(0, 3) + "/SLIP/7", 404);
    }

    @Test
    void deadLettersWithLongDetailsArePagedByBytes() {
        for (int i = 0; i < 20; i++) {
            DeadLetterSummary letter = Samples.deadLetter(Stage.APPLY, "A", i, MEGABYTE);
            letter.setDetail(MEGABYTE);
            views.deadLetters.add(letter);
        }
        views.deadLetters.get(7).setDetail("\u0001".repeat(1 << 20));

        List<JsonNode> items = pages("/v1/dead-letters?limit=1000", "cursor");

        assertThat(items)
                .extracting(item -> item.at("/deadLetter/offset").asInt())
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(items.get(7).path("bodyOmitted").asBoolean()).isTrue();
        assertThat(items.get(8).path("bodyOmitted").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/conversations/default/csp/c/state?at=checkpoint:C1",
                "/v1/conversations/default/csp/c/state?at=time:2030-01-01T00:00:00Z",
                "/v1/conversations/default/csp/c/checkpoints/C2",
                "/v1/conversations/default/csp/c/state",
                "/v1/conversations/default/csp/c/diff?from=checkpoint:C0&to=checkpoint:C1"
            })
    void aStateOfOneHundredThousandDefinitionsIsRejected(String path) {
        context(100_000, "v".repeat(60));

        HttpResponse<String> response = get(path);

        JsonNode problem = problem(response, ProblemException.Code.ANSWER_TOO_LARGE);
        assertThat(problem.path("detail").asText()).contains("/blame").contains("http.limits.response.bytes");
    }

    @Test
    void theEntriesOfALargeStateArePagedByBytes() {
        context(2_000, "v".repeat(10_000));

        List<JsonNode> items = pages("/v1/conversations/default/csp/c/blame?limit=1000", "cursor");

        assertThat(items)
                .extracting(item -> item.path("entry").asText())
                .doesNotHaveDuplicates()
                .hasSize(2_000);
    }

    @Test
    void theHistoryOfALargeDefinitionIsPagedByBytes() {
        views.nodes.add(new CheckpointNode(checkpoint("C1", "C0", 1), false));
        for (int i = 2; i <= 12; i++) {
            views.nodes.add(new CheckpointNode(checkpoint("C" + i, "C" + (i - 1), i), i == 12));
        }

        List<JsonNode> items = pages("/v1/conversations/default/csp/c/history?entry=A&limit=1000", "cursor");

        assertThat(items)
                .extracting(item -> item.at("/by/checkpoint").asText())
                .containsExactly("C12", "C11", "C10", "C9", "C8", "C7", "C6", "C5", "C4", "C3", "C2", "C1");
    }

    @Test
    void checkpointsWithLongNamesArePagedByBytes() {
        for (int i = 1; i <= 60; i++) {
            Checkpoint checkpoint = Samples.checkpoint("c", "C" + i, "C" + (i - 1), i, null);
            checkpoint.setPatch("p".repeat(100_000));
            checkpoint.setSender("s".repeat(100_000));
            views.nodes.add(new CheckpointNode(checkpoint, true));
        }

        assertThat(pages("/v1/conversations/default/csp/c/checkpoints?limit=1000", "cursor"))
                .extracting(item -> item.path("id").asText())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(0, 60).mapToObj(i -> "C" + i).toList());
    }

    @Test
    void longBranchHeadsLeaveRoomForCheckpoints() {
        for (int i = 1; i <= 300; i++) {
            views.nodes.add(new CheckpointNode(Samples.checkpoint("c", "C".repeat(20_000) + i, "C0", i, null), true));
        }

        assertThat(pages("/v1/conversations/default/csp/c/checkpoints?limit=1000", "cursor"))
                .hasSize(301);
    }

    @Test
    void aFoldThatExceedsAResponseIsRejected() {
        terms(10, i -> "name" + i);

        String path = "/v1/conversations/default/LAMBDA/l";
        problem(get(path + "/state"), ProblemException.Code.ANSWER_TOO_LARGE);
        problem(get(path + "/blame"), ProblemException.Code.ANSWER_TOO_LARGE);
        problem(get(path + "/diff?from=sequence:0"), ProblemException.Code.ANSWER_TOO_LARGE);
        assertThat(answer(path + "/state?at=sequence:1").path("definitions")).hasSize(2);
    }

    @Test
    void theHistoryOfALargeEntryOfAFoldIsPagedByBytes() {
        terms(12, i -> "name");

        List<JsonNode> items =
                pages("/v1/conversations/default/LAMBDA/l/history?entry=definition/name&limit=1000", "cursor");

        assertThat(items)
                .extracting(item -> item.at("/by/sequence").asInt())
                .containsExactly(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    }

    @Test
    void anAccountingOfOneHundredThousandPartitionsIsRejected() {
        for (int i = 0; i < 100_000; i++) {
            views.accounting.add(Samples.accounting("parley.wire", i, 1, 1, 0));
        }

        problem(get("/v1/accounting"), ProblemException.Code.ANSWER_TOO_LARGE);
    }

    private void messages(int count, String raw) {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", count));
        IntStream.range(0, count).forEach(i -> add(i, raw));
    }

    private void add(int sequence, String raw) {
        AuditRecord record = Samples.slip("7", sequence);
        record.getMessage().setRaw(java.nio.ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)));
        views.messages.add(record);
    }

    private void context(int definitions, String value) {
        Map<String, String> state = new HashMap<>();
        List<CspOperation> operations = new ArrayList<>();
        for (int i = 0; i < definitions; i++) {
            state.put("NAME" + i, value);
            operations.add(Samples.operation(CspOperator.ADD, "NAME" + i, value));
        }
        Checkpoint first = Samples.checkpoint("c", "C1", "C0", 1, state);
        first.setSetters(java.util.Collections.nCopies(definitions, 1L));
        views.nodes.add(new CheckpointNode(first, false));
        Checkpoint second = Samples.checkpoint("c", "C2", "C1", 2, null);
        second.setOperations(operations);
        views.nodes.add(new CheckpointNode(second, true));
    }

    private static Checkpoint checkpoint(String id, String parent, long ordinal) {
        return Samples.checkpoint(
                "c", id, parent, ordinal, null, Samples.operation(CspOperator.ADD, "A", MEGABYTE + id));
    }

    private void terms(int count, java.util.function.IntFunction<String> name) {
        views.conversations.add(Samples.conversation("default", Protocol.LAMBDA, "l", count));
        for (int i = 0; i < count; i++) {
            views.messages.add(Samples.audit("default|LAMBDA|l", i)
                    .setMessage(Samples.message(Protocol.LAMBDA, "l", i, "!a")
                            .setLambda(LambdaMessage.newBuilder()
                                    .setKind(LambdaKind.STATEMENTS)
                                    .setTrust(LambdaTrust.PUBLIC)
                                    .setDefinitions(List.of(new LambdaDefinition(name.apply(i), MEGABYTE + i)))
                                    .setStatements(List.of())
                                    .build())
                            .build())
                    .build());
        }
    }

    /** Reads all items of a list, page by page. */
    private List<JsonNode> pages(String path, String cursor) {
        List<JsonNode> items = new ArrayList<>();
        String next = path;
        while (next != null) {
            JsonNode page = answer(next);
            int before = items.size();
            page.path("items").forEach(items::add);
            assertThat(items.size()).as("a page has an item").isGreaterThan(before);
            next = page.path("next").isNull()
                    ? null
                    : path
                            + (path.contains("?") ? '&' : '?')
                            + cursor
                            + '='
                            + URLEncoder.encode(page.path("next").asText(), StandardCharsets.UTF_8);
        }
        return items;
    }

    private JsonNode answer(String path) {
        return answer(path, 200);
    }

    private JsonNode answer(String path, int status) {
        HttpResponse<String> response = get(path);
        int size = response.body().getBytes(StandardCharsets.UTF_8).length;
        assertThat(size).as("bytes of %s", path).isLessThanOrEqualTo(LIMIT);
        assertThat(response.statusCode())
                .as(response.body().substring(0, Math.min(300, size)))
                .isEqualTo(status);
        return parse(response.body());
    }
}
