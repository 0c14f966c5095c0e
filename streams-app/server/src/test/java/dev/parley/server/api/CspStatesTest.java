package dev.parley.server.api;

import static dev.parley.avro.CspOperator.ADD;
import static dev.parley.avro.CspOperator.CHANGE;
import static dev.parley.avro.CspOperator.REMOVE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.server.http.ProblemException;
import dev.parley.state.StateQueryException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C0 - C1 (+A) - C2 (~A, +B, snapshot) and C1 - C3 (-A, +C), one second apart from 12:00:01 on. */
class CspStatesTest extends HttpTest {

    private static final String CONTEXT = "/v1/conversations/default/csp/build%2Fmain";

    @BeforeEach
    void tree() {
        add(false, Samples.checkpoint("build/main", "C1", "C0", 1, null, Samples.operation(ADD, "A", "1")));
        add(
                true,
                Samples.checkpoint(
                        "build/main",
                        "C2",
                        "C1",
                        2,
                        Map.of("A", "2", "B", ""),
                        Samples.operation(CHANGE, "A", "2"),
                        Samples.operation(ADD, "B", "")));
        add(
                true,
                Samples.checkpoint(
                        "build/main",
                        "C3",
                        "C1",
                        3,
                        null,
                        Samples.operation(REMOVE, "A", null),
                        Samples.operation(ADD, "C", "3")));
    }

    private void add(boolean head, Checkpoint checkpoint) {
        views.nodes.add(new CheckpointNode(checkpoint, head));
    }

    @Test
    void theTreeStartsWithC0ThoughNoStoreHasIt() {
        JsonNode tree = json(CONTEXT + "/checkpoints");

        assertThat(tree.path("items").findValuesAsText("id")).containsExactly("C0", "C1", "C2", "C3");
        assertThat(tree.path("items").findValuesAsText("parent")).containsExactly("null", "C0", "C1", "C1");
        assertThat(tree.path("items").findValuesAsText("ordinal")).containsExactly("0", "1", "2", "3");
        assertThat(tree.path("items").findValuesAsText("operationCount")).containsExactly("0", "1", "2", "2");
        assertThat(tree.path("items").findValuesAsText("head")).containsExactly("false", "false", "true", "true");
        assertThat(tree.at("/items/1/time").asText()).isEqualTo("2026-01-31T12:00:01Z");
        assertThat(tree.path("heads")).extracting(JsonNode::asText).containsExactly("C2", "C3");
    }

    @Test
    void aStoredC0IsNotListedTwice() {
        views.nodes.add(0, new CheckpointNode(Samples.checkpoint("build/main", "C0", null, 0, Map.of()), false));

        assertThat(walk(CONTEXT + "/checkpoints", "id")).containsExactly("C0", "C1", "C2", "C3");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void pagesContainEveryCheckpointOnce(int limit) {
        assertThat(walk(CONTEXT + "/checkpoints?limit=" + limit, "id")).containsExactly("C0", "C1", "C2", "C3");
    }

    @Test
    void aContextWithoutPatchesHasItsRoot() {
        views.conversations.add(Samples.conversation("default", Protocol.CSP, "empty", 1));

        JsonNode tree = json("/v1/conversations/default/csp/empty/checkpoints");

        assertThat(tree.path("items").findValuesAsText("id")).containsExactly("C0");
        assertThat(tree.at("/items/0/head").asBoolean()).isTrue();
        assertThat(tree.path("heads")).extracting(JsonNode::asText).containsExactly("C0");
        assertThat(json("/v1/conversations/default/csp/empty/state?at=checkpoint:C0")
                        .path("definitions"))
                .isEmpty();
    }

    @Test
    void aCheckpointHasItsOperations() {
        JsonNode checkpoint = json(CONTEXT + "/checkpoints/C3");

        assertThat(checkpoint.at("/operations/0/operator").asText()).isEqualTo("REMOVE");
        assertThat(checkpoint.at("/operations/0").has("value")).isFalse();
        assertThat(checkpoint.at("/operations/1/value").asText()).isEqualTo("3");
        assertThat(checkpoint.path("patch").asText()).isEqualTo("P3");
        assertThat(checkpoint.path("snapshot").asBoolean()).isFalse();
        assertThat(checkpoint.at("/source/offset").asLong()).isEqualTo(3);
        JsonNode listed = json(CONTEXT + "/checkpoints").at("/items/3");
        listed.properties()
                .forEach(member -> assertThat(checkpoint.get(member.getKey())).isEqualTo(member.getValue()));
        assertThat(json(CONTEXT + "/checkpoints/C0").path("source").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"C0, '{}'", "C1, '{\"A\":\"1\"}'", "C2, '{\"A\":\"2\",\"B\":\"\"}'", "C3, '{\"C\":\"3\"}'"})
    void aStateIsRebuilt(String id, String definitions) {
        JsonNode state = json(CONTEXT + "/state?at=checkpoint:" + id);

        assertThat(state.path("definitions")).isEqualTo(parse(definitions));
        assertThat(state.at("/asOf/id").asText()).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T12:00:00.999Z, C0",
        "2026-01-31T12:00:01Z, C1",
        "2026-01-31T13:00:02%2B01:00, C2",
        "2026-01-31T13:00:02+01:00, C2",
        "1769860802999, C2",
        "1769860803000, C3",
        "2030-01-01T00:00:00Z, C3",
        "1969-12-31T23:59:59.999Z, C0",
    })
    void theStateAtATimeIsThatOfTheLastCheckpointAppliedUntilThen(String at, String id) {
        JsonNode state = json(CONTEXT + "/state?at=time:" + at);

        assertThat(state.at("/asOf/id").asText()).isEqualTo(id);
        assertThat(state.path("definitions"))
                .isEqualTo(json(CONTEXT + "/state?at=checkpoint:" + id).path("definitions"));
    }

    @Test
    void aDifferenceListsAddedChangedAndRemovedEntries() {
        JsonNode diff = json(CONTEXT + "/diff?from=checkpoint:C2&to=checkpoint:C3");
        assertThat(diff.path("added")).isEqualTo(parse("[{\"entry\":\"C\",\"value\":\"3\"}]"));
        assertThat(diff.path("changed")).isEmpty();
        assertThat(diff.path("removed"))
                .isEqualTo(parse("[{\"entry\":\"A\",\"value\":\"2\"},{\"entry\":\"B\",\"value\":\"\"}]"));

        assertThat(json(CONTEXT + "/diff?from=checkpoint:C1&to=checkpoint:C2").path("changed"))
                .isEqualTo(parse("[{\"entry\":\"A\",\"old\":\"1\",\"new\":\"2\"}]"));
        assertThat(json(CONTEXT + "/diff?from=checkpoint:C0&to=checkpoint:C1").path("added"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/state?at=2.5, at, must be latest",
        "/state?at=time:noon, at, milliseconds",
        "/state?at=time:2026-01, at, milliseconds",
        "/state?at=time:-, at, milliseconds",
        "/state?at=time:9999999999999999999, at, milliseconds",
        "/diff?from=1, from, must be latest",
        "/diff?to=checkpoint:C1, from, is required",
        "/checkpoints?limit=0, limit, 1 to 1000",
        "/checkpoints/C1?at=1, at, 'at-least, stale'",
    })
    void anInvalidParameterIsNamedWithItsAllowedValues(String path, String parameter, String allowed) {
        assertThat(problem(CONTEXT + path, ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .matches("(Parameter " + parameter + " |Unknown query parameter '" + parameter + "'\\. ).*")
                .contains(allowed);
    }

    @Test
    void aPointInTimeBeforeTooManyCheckpointsIsRefused() {
        views.failure = StateQueryException.tooFarBack("default", "build");

        assertThat(problem(CONTEXT + "/state?at=time:1", ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .contains("Context build", "Name that checkpoint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/checkpoints/C9",
                "/state?at=checkpoint:C9",
                "/diff?from=checkpoint:C9&to=checkpoint:C1",
                "/diff?from=checkpoint:C1&to=checkpoint:C9"
            })
    void anUnknownCheckpointIsNamed(String path) {
        assertThat(problem(CONTEXT + path, ProblemException.Code.UNKNOWN_CHECKPOINT)
                        .path("detail")
                        .asText())
                .contains("C9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/checkpoints",
                "/checkpoints/C0",
                "/state?at=checkpoint:C0",
                "/state?at=time:1",
                "/diff?from=checkpoint:C0&to=checkpoint:C0"
            })
    void anUnknownContextIsNamed(String path) {
        assertThat(problem("/v1/conversations/default/csp/nowhere" + path, ProblemException.Code.UNKNOWN_CONVERSATION)
                        .path("detail")
                        .asText())
                .contains("nowhere");
    }

    @Test
    void aCursorOfAnotherQueryIsRejected() {
        problem(CONTEXT + "/checkpoints?cursor=strange", ProblemException.Code.INVALID_CURSOR);
    }

    @Test
    void aStateIsUnavailableUntilItsParentArrives() {
        views.nodes.remove(0);

        problem(CONTEXT + "/state?at=checkpoint:C3", ProblemException.Code.VIEWS_UNAVAILABLE);
        assertThat(json(CONTEXT + "/state?at=checkpoint:C2").path("definitions"))
                .hasSize(2);
    }
}
