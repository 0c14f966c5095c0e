package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.FakeApi.Answer;
import dev.parley.cli.api.ApiClient;
import dev.parley.decode.ConversationKey;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The requests of state commands to a running Parley, and their output for its responses. */
class StateCommandsOverHttpTest {
    private static final String CONVERSATION = "/v1/conversations/default/csp/~YS9i";

    private final Deque<String> answers = new ArrayDeque<>();
    private int status = 200;

    @RegisterExtension
    final FakeApi api = new FakeApi(asked -> Answer.json(status, answers.remove()));

    /** The paths of the requests, with the parameters in the order of their names. */
    private List<String> asked() {
        return api.asked().stream()
                .map(asked -> {
                    String query = asked.uri().getRawQuery();
                    Stream<String> parameters = query == null ? Stream.empty() : Stream.of(query.split("&"));
                    Set<String> sorted = new TreeSet<>(parameters
                            .map(pair -> URLDecoder.decode(pair, UTF_8))
                            .toList());
                    return asked.uri().getRawPath() + (sorted.isEmpty() ? "" : " " + sorted);
                })
                .toList();
    }

    private CommandRun run(String command, String... more) {
        return api.run(command, more);
    }

    private CommandRun run(List<String> command) {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of("--url", api.url()));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void aStateIsTheAnswer() {
        String state =
                "{\"namespace\":\"default\",\"protocol\":\"CSP\",\"conversation\":\"a/b\",\"kind\":\"definitions\","
                        + "\"at\":\"latest\",\"asOf\":null,\"definitions\":{\"A\":\"1\"},\"redacted\":false}";
        answers.add(state);
        CommandRun run = run("state", "a/b", "--at", "time:2026-01-31T12:00:00+01:00");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out().strip()).isEqualTo(state);
        assertThat(asked()).containsExactly(CONVERSATION + "/state [at=time:2026-01-31T11:00:00Z]");
    }

    @Test
    void aChainNamesNamespaceAndProtocolToo() {
        answers.add("{}");
        answers.add("proof");
        CommandRun state = run("state", "of%7Cme|MCP|a|b/c");
        CommandRun proof = run("prove", "--conversation", "of%7Cme|MCP|a|b/c", "--sequence", "3");

        assertThat(state.exit()).as(state.err()).isZero();
        assertThat(proof.exit()).as(proof.err()).isZero();
        String conversation = ApiClient.conversation(new ConversationKey("of|me", "MCP", "a|b/c"));
        assertThat(asked()).containsExactly(conversation + "/state [at=latest]", conversation + "/messages/3/proof");
    }

    @Test
    void aSlashBeforeTheBarsIsNoChain() {
        answers.add("proof");
        CommandRun proof = run("prove", "--conversation", "mine/mcp/a|B|c", "--sequence", "3");

        assertThat(proof.exit()).as(proof.err()).isZero();
        assertThat(asked())
                .containsExactly(
                        ApiClient.conversation(new ConversationKey("mine", "MCP", "a|B|c")) + "/messages/3/proof");
    }

    @Test
    void aResponseIsPrintedLikeTheResultOfATranscript() {
        CommandRun offline = CommandRun.of("state", "samples/csp-refactoring.jsonl", "auth-refactor");
        assertThat(offline.err()).contains("other heads are C3b");
        assertThat(offline.json().get(0).path("otherHeads")).hasSize(1);
        answers.add(offline.out());

        assertThat(run("state", "auth-refactor").out()).isEqualTo(offline.out()).contains("TOKEN_TTL");
    }

    @Test
    void aMomentThatIsNoneIsAWrongCommandLine() {
        CommandRun run = run("diff", "a/b", "--from", "12");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--from must be latest");
        assertThat(asked()).isEmpty();
    }

    @Test
    void aShortMomentIsResolvedInTheZoneOfThisMachine() {
        for (String moment : List.of("C4", "checkpoint:14:00", "2026-11-26", "-1h")) {
            answers.add("{}");
            assertThat(run("state", "a/b", "--at", moment).exit()).as(moment).isZero();
        }
        Instant midnight =
                LocalDate.of(2026, 11, 26).atStartOfDay(ZoneId.systemDefault()).toInstant();
        assertThat(asked().subList(0, 3))
                .containsExactly(
                        CONVERSATION + "/state [at=checkpoint:C4]",
                        CONVERSATION + "/state [at=checkpoint:14:00]",
                        CONVERSATION + "/state [at=time:" + midnight + "]");
        assertThat(asked().get(3)).startsWith(CONVERSATION + "/state [at=time:20");
    }

    @Test
    void otherBranchHeadsAreReportedToAPerson() {
        answers.add("{\"protocol\":\"CSP\",\"conversation\":\"a/b\",\"at\":\"latest\",\"asOf\":"
                + checkpoint("C5", true) + ",\"otherHeads\":[\"C3b\",\"C4\"],\"definitions\":{}}");
        CommandRun run = run("state", "a/b", "--table");

        assertThat(run.out()).startsWith("CSP conversation a/b at latest, checkpoint C5, last set by alice");
        assertThat(run.err()).contains("other heads are C3b, C4");
    }

    @Test
    void aDifferenceIsALineForEachEntry() {
        answers.add("{\"added\":[{\"entry\":\"A\"}],\"changed\":[],\"removed\":[{\"entry\":\"B\"}]}");
        CommandRun run = run("diff", "a/b", "--from", "checkpoint:C1");

        assertThat(run.out().lines())
                .containsExactly("{\"change\":\"added\",\"entry\":\"A\"}", "{\"change\":\"removed\",\"entry\":\"B\"}");
        assertThat(asked()).containsExactly(CONVERSATION + "/diff [from=checkpoint:C1, to=latest]");
    }

    @Test
    void listsAreReadToTheirLastPage() {
        answers.add("{\"items\":[" + entry(1) + "," + entry(2) + "],\"next\":\"a b&c\"}");
        answers.add("{\"items\":[" + entry(3) + "],\"next\":null}");
        CommandRun run = run("blame", "a/b", "--entry", "X");

        assertThat(run.out().lines()).containsExactly(entry(1), entry(2), entry(3));
        assertThat(asked())
                .containsExactly(
                        CONVERSATION + "/blame [at=latest, entry=X, limit=1000]",
                        CONVERSATION + "/blame [at=latest, cursor=a b&c, entry=X, limit=1000]");
    }

    private static String entry(int number) {
        return "{\"entry\":\"E%d\",\"value\":\"v\",\"by\":{\"sequence\":%d,\"sender\":\"alice\",\"source\":null}}"
                .formatted(number, number);
    }

    private static String checkpoint(String id, boolean head) {
        return ("{\"id\":\"%s\",\"parent\":\"C0\",\"patch\":\"P\",\"sender\":\"alice\",\"depth\":1,\"ordinal\":1,"
                        + "\"operationCount\":1,\"time\":\"2026-01-31T12:00:00Z\",\"prunedAt\":null,\"hash\":\"ab\","
                        + "\"head\":%s}")
                .formatted(id, head);
    }

    private static String knowledge(String conversation) {
        return ("{\"namespace\":\"a/b\",\"protocol\":\"CSP\",\"conversation\":\"%s\",\"entries\":[{\"entry\":"
                        + "\"definition/A\",\"value\":\"1\",\"checkpoint\":\"C1\",\"shownBy\":{\"sequence\":7,"
                        + "\"sender\":\"alice\",\"source\":{\"topic\":\"parley.wire\",\"partition\":0,\"offset\":9,"
                        + "\"timestamp\":\"2026-01-31T12:00:00Z\"}}}],\"redacted\":true,\"partial\":true}")
                .formatted(conversation);
    }

    @Test
    void knowledgeOfAnAgentHasALineForEachConversationOfAllPages() {
        answers.add("{\"items\":[" + knowledge("one") + "," + knowledge("two") + "],\"next\":\"n\"}");
        answers.add("{\"items\":[" + knowledge("two") + "],\"next\":null}");
        CommandRun run = run("state", "--agent", "x/y", "--namespace", "a/b", "--at", "2026-01-31T12:00:00+01:00");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out().lines()).containsExactly(knowledge("one"), knowledge("two"), knowledge("two"));
        assertThat(asked())
                .containsExactly(
                        "/v1/agents/~YS9i/~eC95/state [at=2026-01-31T11:00:00Z, limit=1000]",
                        "/v1/agents/~YS9i/~eC95/state [at=2026-01-31T11:00:00Z, cursor=n, limit=1000]");
    }

    @Test
    void theTableOfWhatAnAgentKnewHasARowForEachEntry() {
        answers.add("{\"items\":[" + knowledge("one") + "],\"next\":null}");
        CommandRun run = run("state", "--agent", "x", "--table");

        assertThat(run.out())
                .contains("CONVERSATION", "CSP one", "definition/A", "C1", "parley.wire-0@9", "2026-01-31T12:00:00Z")
                .contains("private messages are omitted", "Entries may be missing");
    }

    @Test
    void aTreeIsThatOfTheConversation() {
        answers.add("{\"items\":[" + checkpoint("C1", false) + "," + checkpoint("C2", true) + "],\"next\":null}");
        CommandRun run = run("tree", "a/b", "--heads");

        assertThat(run.out().strip()).isEqualTo(checkpoint("C2", true));
        assertThat(asked()).containsExactly(CONVERSATION + "/checkpoints [limit=1000]");
    }

    @Test
    void aHistoryThatEndsAtWhatWasPrunedSaysSoToAPerson() {
        String change = "{\"value\":\"v\",\"by\":{\"sequence\":1,\"sender\":\"alice\",\"source\":null},\"gloss\":null}";
        answers.add("{\"items\":[" + change
                + "],\"next\":null,\"pruned\":{\"checkpoint\":\"C7\",\"at\":\"2026-01-31T12:00:00Z\"}}");
        CommandRun run = run("history", "a/b", "--entry", "X");

        assertThat(run.exit()).isZero();
        assertThat(run.out().strip()).isEqualTo(change);
        assertThat(run.err()).contains("C7", "pruned at 2026-01-31T12:00:00Z");

        answers.add("{\"items\":[],\"next\":null,\"pruned\":{\"checkpoint\":\"C7\",\"at\":\"2026-01-31T12:00:00Z\"}}");
        assertThat(run("history", "a/b", "--entry", "X").exit()).isZero();
    }

    @Test
    void anEntryThatNoAnswerNamesIsUnknown() {
        for (String command : List.of("history", "blame")) {
            answers.add("{\"items\":[],\"next\":null,\"pruned\":null}");
            answers.add("{\"items\":[{\"entry\":\"TOKEN_TTL\"}],\"next\":null}");
            CommandRun run = run(command, "a/b", "--entry", "TOKEN_TL");

            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).contains("unknown entry TOKEN_TL as of latest", "did you mean TOKEN_TTL?");
        }
    }

    @Test
    void theTokenIsShownAndTheProtocolIsPartOfThePath(@TempDir Path directory) throws IOException {
        answers.add("{}");
        Path token = Files.writeString(directory.resolve("token"), "secret\n");
        run("state", "1", "--protocol", "slip", "--namespace", "n", "--token-file", token.toString());

        assertThat(asked()).containsExactly("/v1/conversations/n/slip/1/state [at=latest]");
        assertThat(api.asked().get(0).header("Authorization")).isEqualTo("Bearer secret");
    }

    @Test
    void aTableOfAStateWithOmissionsDoesNotCallThemAllPrivate() {
        answers.add("{\"namespace\":\"default\",\"protocol\":\"SLIP\",\"conversation\":\"5\",\"kind\":\"tasks\","
                + "\"at\":\"latest\",\"asOf\":null,\"tasks\":[],\"redacted\":true}");
        CommandRun run = run("state", "5", "--protocol", "slip", "--table");

        assertThat(run.out()).contains("Redacted and private messages are omitted.");
    }

    @Test
    void aParameterThatTheApiRefusesIsAWrongOption() {
        status = 400;
        for (List<String> command : List.of(List.of("dlq", "list", "--stage", "foo"), List.of("tail"))) {
            answers.add(
                    "{\"code\":\"INVALID_PARAMETER\",\"detail\":\"Parameter stage must be one of DECODE, APPLY.\"}");
            CommandRun run = run(command);

            assertThat(run.exit()).as(run.err()).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("parley " + command.get(0))
                    .contains(": --stage must be one of DECODE, APPLY; see parley ");
        }
        answers.add("{\"code\":\"INVALID_REQUEST\",\"detail\":\"query.state must be one of OPEN, RETURNED, CLOSED.\"}");
        CommandRun run = run(List.of("dlq", "redrive", "--dry-run", "--all", "--state", "foo"));
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(run.err())
                .contains(": --state must be one of OPEN, RETURNED, CLOSED; see parley dlq redrive --help");
    }

    @Test
    void theRightNameOfAnUnknownConversationOrCheckpointCanBeFound() {
        status = 404;
        answers.add("{\"code\":\"UNKNOWN_CONVERSATION\",\"detail\":\"Namespace default has none.\"}");
        CommandRun run = run("blame", "a/b");
        assertThat(run.exit()).isOne();
        assertThat(run.err())
                .isEqualTo("parley blame: Namespace default has none. Check --namespace and --protocol; GET"
                        + " " + api.url()
                        + "/v1/conversations lists the conversations.\n");

        answers.add("{\"code\":\"UNKNOWN_CHECKPOINT\",\"detail\":\"There is no checkpoint yesterday.\"}");
        assertThat(run("state", "a/b", "--at", "yesterday").err())
                .startsWith("parley state: There is no checkpoint yesterday. MOMENT must be latest, ")
                .contains("2026-01-31T12:00:00Z", "; parley tree lists the checkpoints.\n");
    }

    @Test
    void aFailureOfTheServerNamesTheRequest() {
        status = 500;
        answers.add("{\"code\":\"INTERNAL\",\"detail\":\"Search the log for error ID 7.\"}");

        assertThat(run("state", "a/b").err())
                .contains(CONVERSATION + "/state?at=latest returned 500: Search the log for error ID 7.");
    }

    @Test
    void aRefusalIsToldInItsOwnWords() {
        status = 410;
        answers.add("{\"code\":\"CHECKPOINT_PRUNED\",\"detail\":\"What C7 held was pruned.\"}");
        CommandRun run = run("state", "a/b", "--at", "checkpoint:C7");

        assertThat(run.exit()).isOne();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("parley state: What C7 held was pruned.\n");
    }
}
