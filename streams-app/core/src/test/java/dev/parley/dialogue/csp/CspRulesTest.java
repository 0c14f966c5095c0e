package dev.parley.dialogue.csp;

import static dev.parley.avro.CspTaskState.DONE;
import static dev.parley.avro.CspTaskState.ERRORED;
import static dev.parley.avro.CspTaskState.FAILED;
import static dev.parley.avro.CspTaskState.NONE;
import static dev.parley.avro.CspTaskState.OPEN;
import static dev.parley.avro.CspTaskState.PARTIAL;
import static dev.parley.dialogue.Citations.cited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.codec.Code;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.DialogueSettings.Mode;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import dev.parley.docs.ProtocolsPage;
import dev.parley.testing.CspDraft;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CspRulesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final ContextView VIEW = view(Map.of("C0", Set.of(), "C1", Set.of("SRC", "LIB", "L1")));

    private static final RuleContext CONTEXT = new RuleContext(0, false, VIEW, OlderItems.NONE);

    private final CspRules rules = new CspRules(DialogueSettings.DEFAULT);
    private long clock;

    @ParameterizedTest(name = "{0} × {1} → {2} {3}")
    @MethodSource("cellsOfThePage")
    void theTaskMachineIsThePages(CspTaskState state, String event, String outcome, Code warning, String provenance) {
        CspDialogue before = at(state);
        String copy = String.valueOf(before);
        RuleResult<CspDialogue> ruleResult = rules.judge(before, envelope(event(event), "fresh"), CONTEXT);

        boolean illegal = outcome.startsWith("CSP_");
        assertThat(ruleResult.violation()).isEqualTo(illegal ? Code.of(outcome) : null);
        assertThat(ruleResult.warnings()).isEqualTo(warning == null ? List.of() : List.of(warning));
        assertThat(stateOf(ruleResult.next())).isEqualTo(illegal ? state : CspTaskState.valueOf(outcome));
        assertThat(ruleResult.rule().getSection()).isEqualTo("3.3a");
        assertThat(ruleResult.rule().getText()).startsWith(state + " × ").endsWith(" → " + outcome);
        assertThat(ruleResult.rule().getProvenance()).isEqualTo(provenance);
        assertThat(String.valueOf(before)).isEqualTo(copy);
        if (illegal || List.of("PLAN", "MEM", "FILE").contains(event)) {
            assertThat(ruleResult.next()).isSameAs(before);
        }
    }

    /** A column of the page may stand for several events: "TASK or QUERY", "PLAN, MEM or FILE". */
    static Stream<Arguments> cellsOfThePage() {
        return ProtocolsPage.read().tables("3.3a").get(0).stream()
                .flatMap(cell -> Stream.of(cell.event().split(", | or ", -1))
                        .map(event -> Arguments.of(
                                CspTaskState.valueOf(cell.state()),
                                event,
                                cell.violation() != null ? cell.violation().name() : cell.target(),
                                cell.warning(),
                                cell.provenance())));
    }

    @Test
    void thePageHasACellForEveryStateAndEvent() {
        assertThat(cellsOfThePage().map(cell -> cell.get()[0] + " " + cell.get()[1]))
                .doesNotHaveDuplicates()
                .hasSize(CspTaskState.values().length * 9);
    }

    @Test
    void aCellCitesItself() {
        RuleResult<CspDialogue> ruleResult = rules.judge(at(OPEN), envelope(result("OK"), "r"), CONTEXT);
        assertThat(cited(ruleResult.rule())).isEqualTo("3.3a: OPEN × RESULT OK → DONE [S]");
        assertThat(rules.judge(at(OPEN), envelope(result("OK"), "other"), CONTEXT)
                        .rule())
                .isSameAs(ruleResult.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPEN", "PARTIAL", "DONE", "FAILED", "ERRORED"})
    void theSameBytesAsTheAcceptedTaskAreADuplicateInEveryState(CspTaskState state) {
        CspDialogue before = at(state);
        RuleResult<CspDialogue> ruleResult = rules.judge(before, envelope(task(), "task"), CONTEXT);
        assertDuplicate(ruleResult, before);
    }

    @Test
    void theSameBytesAsAnAcceptedResultAreADuplicateEvenAfterTheTaskClosed() {
        CspDialogue state = judged(at(OPEN), result("PARTIAL"), "half");
        state = judged(state, result("OK"), "whole");
        assertDuplicate(rules.judge(state, envelope(result("PARTIAL"), "half"), CONTEXT), state);
        assertDuplicate(rules.judge(state, envelope(result("OK"), "whole"), CONTEXT), state);
    }

    @Test
    void aRetryKeepsTheFirstTasksBytesADuplicate() {
        CspDialogue state = judged(at(ERRORED), task().to("OTHER"), "again");
        assertThat(stateOf(state)).isEqualTo(OPEN);
        assertDuplicate(rules.judge(state, envelope(task(), "task"), CONTEXT), state);
        assertDuplicate(rules.judge(state, envelope(task().to("OTHER"), "again"), CONTEXT), state);
    }

    @Test
    void aRetryIsForTheAgentsThatItNames() {
        CspDialogue state = judged(at(ERRORED), task().from("BOSS").to("OTHER").owner("EXPERT"), "again");
        assertThat(rules.judge(state, envelope(result("OK").to("BOSS"), "r"), CONTEXT)
                        .violation())
                .isEqualTo(Code.CSP_WRONG_RESPONDER);
        for (String agent : List.of("OTHER", "EXPERT")) {
            assertThat(stateOf(judged(state, result("OK").from(agent).to("BOSS"), "r " + agent)))
                    .isEqualTo(DONE);
        }
    }

    @Test
    void theSameErrorAgainIsNoDuplicate() {
        CspDialogue state = judged(at(OPEN), event("ERROR"), "oops");
        RuleResult<CspDialogue> again = rules.judge(state, envelope(event("ERROR"), "oops"), CONTEXT);
        assertThat(again.violation()).isNull();
        assertThat(again.warnings()).isEmpty();
        assertThat(again.rule().getText()).isEqualTo("ERRORED × ERROR → ERRORED");
    }

    @Test
    void aRejectedMessageThatComesAgainIsRejectedAgain() {
        CspDialogue state = at(NONE);
        for (int i = 0; i < 2; i++) {
            assertThat(rules.judge(state, envelope(result("OK"), "r"), CONTEXT).violation())
                    .isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
        }
        state = judged(at(OPEN), result("OK"), "r1");
        for (int i = 0; i < 2; i++) {
            RuleResult<CspDialogue> ruleResult = rules.judge(state, envelope(result("OK"), "r2"), CONTEXT);
            assertThat(ruleResult.violation()).isEqualTo(Code.CSP_RESULT_AFTER_CLOSE);
            assertThat(ruleResult.warnings()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DONE", "FAILED", "ERRORED"})
    void theRoleCheckComesBeforeTheState(CspTaskState state) {
        for (String event : List.of("RESULT OK", "RESULT PARTIAL", "RESULT FAIL", "ERROR")) {
            RuleResult<CspDialogue> ruleResult =
                    rules.judge(at(state), envelope(event(event).from("STRANGE"), "x"), CONTEXT);
            assertThat(ruleResult.violation()).isEqualTo(Code.CSP_WRONG_RESPONDER);
        }
    }

    @Test
    void aQueryIsAnsweredByAResultWithItsId() {
        CspDialogue state = judged(null, event("QUERY"), "q");
        assertThat(rules.judge(state, envelope(result("OK").from("STRANGE"), "r"), CONTEXT)
                        .violation())
                .isEqualTo(Code.CSP_WRONG_RESPONDER);
        assertThat(stateOf(judged(state, result("OK"), "r"))).isEqualTo(DONE);
    }

    @Test
    void aQueryNamesItsOwnerAmongItsKeys() {
        CspDraft query = event("QUERY").fields(new CspField("TOPIC", "STYLE"), new CspField("OWNER", "EXPERT"));
        CspDialogue state = judged(null, query, "q");
        assertThat(stateOf(judged(state, result("OK").from("EXPERT"), "r"))).isEqualTo(DONE);
        assertThat(rules.judge(state, envelope(result("OK").from("STYLE"), "r"), CONTEXT)
                        .violation())
                .isEqualTo(Code.CSP_WRONG_RESPONDER);
    }

    @Test
    void theOwnerOfATaskIsWhatItsOwnerLineSays() {
        CspDraft task = task().owner("EXPERT").field("OWNER", "IMPOSTOR");
        CspDialogue state = judged(null, task, "t");
        assertThat(state.getTasks().get(0).getOwner()).isEqualTo("EXPERT");
    }

    @Test
    void aQueryWithoutAnIdAndAnErrorWithoutATaskMoveNothing() {
        CspDialogue state = at(OPEN);
        for (CspDraft message : List.of(
                event("QUERY").id(null),
                event("QUERY").id(""),
                event("ERROR").at(null),
                event("ERROR").at(""))) {
            RuleResult<CspDialogue> ruleResult = rules.judge(state, envelope(message, "x"), CONTEXT);
            assertThat(ruleResult.violation()).isNull();
            assertThat(cited(ruleResult.rule())).isEqualTo("3.3a: no task or query is named → nothing moves [I]");
            assertThat(ruleResult.warnings()).isEmpty();
            assertThat(ruleResult.next()).isSameAs(state);
        }
    }

    @Test
    void aPlanThatNamesNoTaskIsCitedByItsCell() {
        RuleResult<CspDialogue> ruleResult =
                rules.judge(at(OPEN), envelope(event("PLAN").id(null), "p"), CONTEXT);
        assertThat(cited(ruleResult.rule())).isEqualTo("3.3a: NONE × PLAN, MEM or FILE → NONE [I]");
    }

    @Test
    void idsAreCaseSensitiveAndNotNumbers() {
        CspDialogue state = at(OPEN);
        for (String id : List.of("t001", "T1", "T0001")) {
            assertThat(rules.judge(state, envelope(result("OK").id(id), id), CONTEXT)
                            .violation())
                    .isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
        }
    }

    @ParameterizedTest(name = "CTX {0} BASE {1} target {2} → {3}")
    @CsvSource(textBlock = """
            C0, C0, C1, ''
            C1, C0, C1, CSP_CTX_BASE_MISMATCH
            v7, C0, C1, CSP_CTX_BASE_MISMATCH
            C0, C0, C2, CSP_TARGET_NOT_NEXT
            C1, C1, C1, CSP_TARGET_NOT_NEXT
            C1, C1, C0, CSP_TARGET_NOT_NEXT
            C9, C9, C10, CSP_UNKNOWN_CTX
            C9, C9, C11, CSP_UNKNOWN_CTX CSP_TARGET_NOT_NEXT
            C1, C1, C10, CSP_TARGET_NOT_NEXT
            C1, C1, BRANCH, ''
            C1, C1, c2, ''
            BRANCH, BRANCH, C7, ''
            C1, C1, C002, ''
            C99999999999999999999, C99999999999999999999, C100000000000000000000, CSP_UNKNOWN_CTX
            C19, C19, C20, CSP_UNKNOWN_CTX
            C19, C19, C30, CSP_UNKNOWN_CTX CSP_TARGET_NOT_NEXT
            C129, C129, C230, CSP_UNKNOWN_CTX CSP_TARGET_NOT_NEXT
            """)
    void aPatchGetsItsWarningsAndMovesNothing(String ctx, String base, String target, String codes) {
        CspDialogue state = at(OPEN);
        CspDraft patch = CspDraft.patch("P1", base, target, "").ctx(ctx).field("DEF", "SRC = src/");
        RuleResult<CspDialogue> ruleResult = rules.judge(state, envelope(patch, "p"), CONTEXT);
        assertThat(ruleResult.violation()).isNull();
        assertThat(ruleResult.next()).isSameAs(state);
        assertThat(ruleResult.warnings()).isEqualTo(codes(codes));
        assertThat(ruleResult.rule().getSection()).isEqualTo("3.3b");
    }

    @ParameterizedTest(name = "CTX {0} TO {1} OWNER {2} IN {3} → {4}")
    @CsvSource(textBlock = """
            C1, CODER,       ,       ,                      ''
            C1, CODER,       CODER,  'SRC,LIB',             ''
            C1, 'A, CODER',  CODER,  'SRC, LIB',            ''
            C1, CODER,       OTHER,  SRC,                   CSP_OWNER_NOT_RECIPIENT
            C1, CODERS,      CODER,  SRC,                   CSP_OWNER_NOT_RECIPIENT
            C1, CODER,       '',     '',                    ''
            C1, CODER,       CODER,  'SRC,TESTS',           CSP_UNRESOLVED_NAME
            C1, CODER,       CODER,  'src/main,a b,Tests',  ''
            C1, CODER,       CODER,  'TESTS and more,9A',   ''
            C0, CODER,       CODER,  SRC,                   CSP_UNRESOLVED_NAME
            C0, CODER,       OTHER,  SRC,                   CSP_OWNER_NOT_RECIPIENT CSP_UNRESOLVED_NAME
            C7, CODER,       CODER,  SRC,                   CSP_UNKNOWN_CTX
            C,  CODER,       CODER,  SRC,                   ''
            v7, CODER,       CODER,  SRC,                   ''
            """)
    void aTaskGetsItsWarnings(String ctx, String to, String owner, String scope, String codes) {
        CspDraft task = task().ctx(ctx).to(to).owner(owner).scope(scope);
        RuleResult<CspDialogue> ruleResult = rules.judge(null, envelope(task, "t"), CONTEXT);
        assertThat(ruleResult.violation()).isNull();
        assertThat(ruleResult.warnings()).isEqualTo(codes(codes));
    }

    @Test
    void definitionsInTheHeaderAreRemarkedBeforeThoseInTheBody() {
        CspDraft task = task().header("DEF", "SRC = src/").field("DEF", "NEW = new/");
        assertThat(rules.judge(null, envelope(task, "m"), CONTEXT).warnings())
                .containsExactly(Code.CSP_RESTATE, Code.CSP_DEF_OUTSIDE_PATCH);
    }

    @Test
    void definitionsInTheHeaderOfAPatchAreOutsideThePatch() {
        CspDraft patch = CspDraft.patch("P1", "C1", "C2", "").ctx("C1").header("DEF", "NEW = new/");
        assertThat(rules.judge(null, envelope(patch, "p"), CONTEXT).warnings())
                .containsExactly(Code.CSP_DEF_OUTSIDE_PATCH);
    }

    @Test
    void aViolationKeepsTheWarningsOfItsMessage() {
        CspDraft result = result("OK").ctx("C9");
        RuleResult<CspDialogue> ruleResult = rules.judge(null, envelope(result, "r"), CONTEXT);
        assertThat(ruleResult.violation()).isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
        assertThat(ruleResult.warnings()).containsExactly(Code.CSP_UNKNOWN_CTX);
    }

    @Test
    void idleOpenTasksAreForgottenAndClosedOnesStay() {
        CspDialogue state = null;
        for (CspTaskState last : List.of(OPEN, PARTIAL, DONE, FAILED, ERRORED)) {
            state = drive(state, "T" + last, last);
        }
        long deadline = START.toEpochMilli() + clock + 1;
        state = drive(state, "TLATE", OPEN);
        CspDialogue after = rules.expire(state, deadline, deadline);
        assertThat(after.getTasks())
                .extracting(CspTask::getId)
                .containsExactly("TDONE", "TFAILED", "TERRORED", "TLATE");
        assertThat(state.getTasks()).hasSize(6);
        assertThat(rules.expire(after, deadline, deadline)).isSameAs(after);
        assertThat(rules.judge(after, envelope(result("OK").id("TOPEN"), "late"), CONTEXT)
                        .violation())
                .isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
    }

    @Test
    void beyondTheBoundClosedTasksGoFirstThenTheLeastRecentlyActive() {
        CspRules small = new CspRules(new DialogueSettings(Mode.ENFORCE, 1_000, 3));
        CspDialogue state = null;
        state = small.judge(state, envelope(task().id("A"), "a"), CONTEXT).next();
        state = small.judge(state, envelope(task().id("B"), "b"), CONTEXT).next();
        state = small.judge(state, envelope(result("OK").id("B"), "rb"), CONTEXT)
                .next();
        state = small.judge(state, envelope(task().id("C"), "c"), CONTEXT).next();
        state = small.judge(state, envelope(task().id("D"), "d"), CONTEXT).next();
        assertThat(state.getTasks()).extracting(CspTask::getId).containsExactly("A", "C", "D");
        state = small.judge(state, envelope(result("PARTIAL").id("A"), "ra"), CONTEXT)
                .next();
        state = small.judge(state, envelope(task().id("E"), "e"), CONTEXT).next();
        assertThat(state.getTasks()).extracting(CspTask::getId).containsExactly("D", "A", "E");
    }

    @Test
    void theLastMessagesAboutATaskAreRecognized() {
        CspDialogue state = judged(null, task().id("A"), "a");
        state = judged(state, task(), "t");
        for (int i = 0; i < 50; i++) {
            state = judged(state, result("PARTIAL"), "r" + i);
        }
        assertThat(state.getTasks())
                .extracting(task -> task.getAccepted().size())
                .containsExactly(1, CspTasks.MAX_HASHES);
        for (int i = 50 - CspTasks.MAX_HASHES; i < 50; i++) {
            assertDuplicate(rules.judge(state, envelope(result("PARTIAL"), "r" + i), CONTEXT), state);
        }
        assertDuplicate(rules.judge(state, envelope(task().id("A"), "a"), CONTEXT), state);
        assertThat(rules.judge(state, envelope(result("PARTIAL"), "r33"), CONTEXT)
                        .warnings())
                .isEmpty();
        assertThat(rules.judge(state, envelope(task(), "t"), CONTEXT).violation())
                .isEqualTo(Code.CSP_DUPLICATE_TASK_ID);
    }

    private void assertDuplicate(RuleResult<CspDialogue> ruleResult, CspDialogue before) {
        assertThat(ruleResult.violation()).isNull();
        assertThat(ruleResult.warnings()).containsExactly(Code.CSP_DUPLICATE);
        assertThat(ruleResult.next()).isSameAs(before);
    }

    /** A conversation whose task T001 was driven to this state by messages. */
    private CspDialogue at(CspTaskState state) {
        return drive(null, "T001", state);
    }

    private CspDialogue drive(CspDialogue from, String id, CspTaskState target) {
        CspDialogue state = from;
        if (target != NONE) {
            state = judged(state, task().id(id), id.equals("T001") ? "task" : id);
        }
        state = switch (target) {
            case NONE, OPEN -> state;
            case PARTIAL -> judged(state, result("PARTIAL").id(id), "drive" + id);
            case DONE -> judged(state, result("OK").id(id), "drive" + id);
            case FAILED -> judged(state, result("FAIL").id(id), "drive" + id);
            case ERRORED -> judged(state, event("ERROR").at(id), "drive" + id);
        };
        return state;
    }

    private CspDialogue judged(CspDialogue state, CspDraft message, String bytes) {
        RuleResult<CspDialogue> ruleResult = rules.judge(state, envelope(message, bytes), CONTEXT);
        assertThat(ruleResult.violation()).isNull();
        return ruleResult.next();
    }

    private static CspTaskState stateOf(CspDialogue state) {
        return state == null || state.getTasks().isEmpty()
                ? NONE
                : state.getTasks().get(0).getState();
    }

    private static CspDraft event(String event) {
        return switch (event) {
            case "TASK" -> task();
            case "RESULT OK" -> result("OK");
            case "RESULT PARTIAL" -> result("PARTIAL");
            case "RESULT FAIL" -> result("FAIL");
            case "ERROR" ->
                message(CspIntent.ERROR).id("E001").at("T001").from("CODER").to("MAIN");
            default -> message(CspIntent.valueOf(event)).id("T001");
        };
    }

    private static CspDraft task() {
        return message(CspIntent.TASK).id("T001");
    }

    private static CspDraft result(String status) {
        return message(CspIntent.RESULT).id("T001").status(status).from("CODER").to("MAIN");
    }

    private static CspDraft message(CspIntent intent) {
        return new CspDraft(intent);
    }

    private AgentMessage envelope(CspDraft draft, String bytes) {
        return draft.time(START.plusMillis(++clock)).build(bytes);
    }

    private static List<Code> codes(String names) {
        return names.isEmpty()
                ? List.of()
                : List.of(names.split(" ")).stream().map(Code::of).toList();
    }

    private static ContextView view(Map<String, Set<String>> states) {
        return new ContextView() {
            @Override
            public boolean knows(String checkpoint) {
                return states.containsKey(checkpoint);
            }

            @Override
            public Predicate<String> names(String checkpoint) {
                return name -> knows(checkpoint) && states.get(checkpoint).contains(name);
            }
        };
    }
}
