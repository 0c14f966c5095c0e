package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import dev.parley.encoding.ByteBuffers;
import dev.parley.stage.StageSettings;
import dev.parley.state.StateQueryException.Code;
import dev.parley.state.StateSource.Beginning;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of a context and a task board. C2 waits for C1b, and C3 is a fork of C1. */
class StateQueriesTest {
    private static final PointInTime LATEST = new PointInTime.Latest();
    private static final int ALL = 1_000;

    private final RecordedConversation csp = new RecordedConversation(Protocol.CSP);
    private final RecordedConversation slip = new RecordedConversation(Protocol.SLIP);

    @BeforeEach
    void speak() {
        csp.patch("P1", "C0", "C1", "+ DEF A = 1", "+ DEF B = 2")
                .patch("P2", "C1b", "C2", "~ DEF A := 3")
                .send("A", "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T1\nREQ look")
                .patch("P1b", "C1", "C1b", "~ DEF A := 2")
                .patch("P3", "C1", "C3", "- DEF A", "+ DEF D = 4");
        slip.send("0", "@a3|f0|c1|S0|d1|T1|g7|k1|q2#")
                .send("1", "@a4|f1|c1|S1|d0|T3|k1|q1|u\"planned\"#")
                .send("0", "@a3|f0|c1|S0|d1|T4|k2|p1|t\"x\"#");
    }

    private static PointInTime checkpoint(String id) {
        return new PointInTime.AtCheckpoint(id);
    }

    // States

    @ParameterizedTest
    @CsvSource({
        "latest, C3",
        "checkpoint:C2, C2",
        "checkpoint:C0, C0",
        "offset:wire/0/1, C1",
        "offset:wire/0/3, C2",
        "offset:wire/1/9, C0",
        "time:2999, C1",
        "time:3000, C2",
        "time:1960-01-01T00:00:00Z, C0",
        "sequence:0, C1",
        "sequence:1, C1",
        "sequence:2, C1b",
        "sequence:3, C2",
        "sequence:99, C3",
    })
    void aContextIsAtTheCheckpointOfAMoment(String moment, String id) {
        PointInTime at = PointInTime.parse(moment, Protocol.CSP, Clock.systemUTC());
        StateAnswer.State state = csp.queries().state(csp.key, at);

        assertThat(state.asOf())
                .isInstanceOfSatisfying(
                        CheckpointSummary.class, point -> assertThat(point.id()).isEqualTo(id));
        assertThat(state.at()).isEqualTo(at.toString());
        assertThat(state.namespace()).isEqualTo("default");
        assertThat(state.protocol()).isEqualTo("CSP");
        assertThat(state.conversation()).isEqualTo("talk");
        assertThat(state.kind()).isEqualTo("definitions");
        assertThat(state.redacted()).isFalse();
        assertThat(state.members())
                .isEqualTo(csp.queries().state(csp.key, checkpoint(id)).members());
    }

    @Test
    void aStateHasItsEntriesByName() {
        StateAnswer.State state = csp.queries().state(csp.key, checkpoint("C2"));

        Map<String, String> definitions = Map.of("A", "3", "B", "2");
        assertThat(entries(csp.queries(), csp.key, checkpoint("C2"))).containsExactly(entry("A", "3"), entry("B", "2"));
        assertThat(state.members()).isEqualTo(Map.of("definitions", definitions));
        assertThatThrownBy(() -> ((Map<?, ?>) state.members().get("definitions")).clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theLatestStateOfAForkedContextNamesTheOtherHeads() {
        StateAnswer.State latest = csp.queries().state(csp.key, LATEST);

        assertThat(asOf(csp, "latest")).isEqualTo("C3");
        assertThat(latest.otherHeads()).containsExactly("C2");
        assertThat(csp.queries().state(csp.key, checkpoint("C3")).otherHeads()).isEmpty();
        assertThat(csp.queries().state(csp.key, new PointInTime.AtSequence(99)).otherHeads())
                .isEmpty();
        assertThat(slip.queries().state(slip.key, LATEST).otherHeads()).isEmpty();
    }

    @Test
    void aContextWithoutBranchesHasNoOtherHeads() {
        RecordedConversation linear = new RecordedConversation(Protocol.CSP);
        linear.send("A", "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ look");
        assertThat(linear.queries().state(linear.key, LATEST).otherHeads()).isEmpty();
        linear.patch("P1", "C0", "C1", "+ DEF A = 1").patch("P2", "C1", "C2", "~ DEF A := 2");
        assertThat(linear.queries().state(linear.key, LATEST).otherHeads()).isEmpty();
    }

    @Test
    void manyBranchesDoNotEnlargeTheAnswer() {
        for (int i = 0; i < 100; i++) {
            csp.patch("F" + i, "C0", "F" + i, "+ DEF A = " + i);
        }
        StateAnswer.State latest = csp.queries().state(csp.key, LATEST);

        assertThat(latest.otherHeads())
                .hasSize(StateAnswer.State.MAX_OTHER_HEADS)
                .doesNotContain("F99")
                .doesNotHaveDuplicates();
    }

    @Test
    void aTurnIsNoMomentOfAContext() {
        assertThatThrownBy(() -> csp.queries().state(csp.key, new PointInTime.AtTurn(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theCheckpointOfASequenceIsFoundAcrossManyMessages() {
        for (int i = 1; i <= 120; i++) {
            csp.send("A", "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T" + (i + 1) + "\nREQ look");
        }
        csp.patch("P4", "C3", "C4", "+ DEF E = 5");

        assertThat(asOf(csp, "sequence:0")).isEqualTo("C1");
        assertThat(asOf(csp, "sequence:100")).isEqualTo("C3");
        assertThat(asOf(csp, "latest")).isEqualTo("C4");
        csp.records.subList(0, 5).replaceAll(record -> {
            record.setMessage(null);
            return record;
        });
        assertThat(asOf(csp, "sequence:100")).isEqualTo("C0");
    }

    private static String asOf(RecordedConversation context, String moment) {
        StatePoint point = context.queries()
                .state(context.key, PointInTime.parse(moment, Protocol.CSP, Clock.systemUTC()))
                .asOf();
        return ((CheckpointSummary) point).id();
    }

    @ParameterizedTest
    @CsvSource({"0, C1", "1, C1", "2, C1b", "3, C2", "99, C3"})
    void aContextIsAsItWasThoughItsPatchesWereRedacted(long sequence, String id) {
        csp.records.replaceAll(record -> Redactions.redact(record, Links.redactionOf(record)));

        assertThat(asOf(csp, "sequence:" + sequence)).isEqualTo(id);
    }

    @Test
    void aBoardIsAsOfItsLastMessage() {
        StateAnswer.State state = slip.queries().state(slip.key, new PointInTime.AtTurn(2));

        assertThat(entries(slip.queries(), slip.key, new PointInTime.AtTurn(2)))
                .containsExactly(entry("task/1/goal", "7"), entry("task/1/priority", "2"));
        assertThat(state.asOf())
                .isEqualTo(new ChangeOrigin.Message(0, "0", slip.records.get(0).getSource()));
        assertThat(slip.queries().state(slip.key, new PointInTime.AtTurn(0)).asOf())
                .isNull();
    }

    @Test
    void aFoldReadsAllPagesOfAChain() {
        for (int i = 5; i < 150; i++) {
            slip.send("1", "@a1|f2|c1|S1|d0|T" + base62(i) + "|k1|u\"s" + i + "\"#");
        }

        assertThat(entries(slip.queries(), slip.key, LATEST)).containsEntry("task/1/status", "s149");
        assertThat(slip.queries()
                        .history(slip.key, "task/1/status", LATEST, Optional.empty(), ALL)
                        .items())
                .hasSize(146);
    }

    private static String base62(int number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        return (number >= 62 ? base62(number / 62) : "") + digits.charAt(number % 62);
    }

    @Test
    void hiddenAndRedactedMessagesAreOmittedAndReported() {
        StateQueries hiding = new StateQueries(
                slip.source(),
                StageSettings.DEFAULT::stateModel,
                record -> record.getSequence() == 1 ? null : record,
                QueryBudget.UNLIMITED);
        StateAnswer.State hidden = hiding.state(slip.key, LATEST);
        assertThat(entries(hiding, slip.key, LATEST))
                .containsEntry("task/1/priority", "2")
                .doesNotContainKey("task/1/status");
        assertThat(hidden.redacted()).isTrue();
        assertThat(hiding.blame(slip.key, LATEST, entry -> true, Optional.empty(), ALL)
                        .redacted())
                .isTrue();
        assertThat(hiding.diff(slip.key, LATEST, LATEST).redacted()).isTrue();
        assertThat(hiding.history(slip.key, "task/1/status", LATEST, Optional.empty(), ALL))
                .satisfies(history -> assertThat(history.items()).isEmpty())
                .satisfies(history -> assertThat(history.redacted()).isTrue());

        slip.records.replaceAll(
                record -> record.getSequence() == 1 ? Redactions.redact(record, Links.redactionOf(record)) : record);
        assertThat(slip.queries().state(slip.key, LATEST)).satisfies(state -> {
            assertThat(state.members()).isEqualTo(hidden.members());
            assertThat(state.redacted()).isTrue();
        });
    }

    // Blame

    @Test
    void blameNamesTheOriginOfEachEntry() {
        StateAnswer.Blame blame = csp.queries().blame(csp.key, checkpoint("C2"), entry -> true, Optional.empty(), ALL);

        Checkpoint c1 = csp.checkpoints.get("C1");
        Checkpoint c2 = csp.checkpoints.get("C2");
        assertThat(blame.items())
                .containsExactly(
                        new StateEntry("A", "3", new ChangeOrigin.Patch("C2", "P2", "MAIN", c2.getSource())),
                        new StateEntry("B", "2", new ChangeOrigin.Patch("C1", "P1", "MAIN", c1.getSource())));
        assertThat(blame.next()).isNull();
        assertThat(blame.redacted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6})
    void blameHasPages(int limit) {
        List<String> names = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            StateAnswer.Blame page = slip.queries().blame(slip.key, LATEST, entry -> true, cursor, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit).isNotEmpty();
            page.items().forEach(each -> names.add(each.entry()));
            cursor = Optional.ofNullable(page.next());
        } while (cursor.isPresent());

        assertThat(names)
                .containsExactly("task/1/goal", "task/1/priority", "task/1/status", "task/2/parent", "task/2/tag");
    }

    @Test
    void blameMayBeOfOneEntry() {
        assertThat(names(Optional.of("task/1/status"), Optional.empty())).containsExactly("task/1/status");
        assertThat(names(Optional.of("task/9/status"), Optional.empty())).isEmpty();
        assertThat(names(Optional.of("task/1/status"), Optional.of("task/2/tag")))
                .isEmpty();
        assertThat(names(Optional.of("task/2/tag"), Optional.of("task/1/status")))
                .containsExactly("task/2/tag");
    }

    private List<String> names(Optional<String> entry, Optional<String> cursor) {
        return slip
                .queries()
                .blame(slip.key, LATEST, name -> entry.map(name::equals).orElse(true), cursor, ALL)
                .items()
                .stream()
                .map(StateEntry::entry)
                .toList();
    }

    // Differences

    @Test
    void aDifferenceIsBetweenAnyTwoMoments() {
        StateAnswer.Diff fork = csp.queries().diff(csp.key, checkpoint("C2"), checkpoint("C3"));

        assertThat(fork.added()).containsExactly(new StateAnswer.Entry("D", "4"));
        assertThat(fork.removed()).containsExactly(new StateAnswer.Entry("A", "3"));
        assertThat(fork.changed()).isEmpty();
        assertThat(fork.from()).isEqualTo("checkpoint:C2");
        assertThat(fork.to()).isEqualTo("checkpoint:C3");
        assertThat(fork.fromAsOf()).isNotEqualTo(fork.toAsOf());
        assertThat(csp.queries()
                        .diff(csp.key, checkpoint("C1"), checkpoint("C2"))
                        .changed())
                .containsExactly(new StateAnswer.Changed("A", "1", "3"));
    }

    @Test
    void equalStatesHaveNoDifference() {
        assertThat(csp.queries().diff(csp.key, LATEST, LATEST)).satisfies(none -> {
            assertThat(none.added()).isEmpty();
            assertThat(none.changed()).isEmpty();
            assertThat(none.removed()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 9})
    void aDifferenceHasPages(int limit) {
        csp.patch("P9", "C2", "C9", "- DEF A", "~ DEF B := 9", "+ DEF AB = 1");
        List<StateAnswer.Difference> changes = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            StateAnswer.DiffPage page = csp.queries().diff(csp.key, checkpoint("C2"), checkpoint("C9"), cursor, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit).isNotEmpty();
            assertThat(page.counts()).isEqualTo(new StateAnswer.Counts(1, 1, 1));
            changes.addAll(page.items());
            cursor = Optional.ofNullable(page.next());
        } while (cursor.isPresent());

        assertThat(changes)
                .containsExactly(
                        new StateAnswer.Difference("A", "REMOVED", "3", null),
                        new StateAnswer.Difference("AB", "ADDED", null, "1"),
                        new StateAnswer.Difference("B", "CHANGED", "2", "9"));
    }

    // Histories

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aHistoryOfADefinitionIsThatOfTheWayToTheRoot(int limit) {
        assertThat(history(csp, "A", checkpoint("C2"), limit)).containsExactly("3 C2", "2 C1b", "1 C1");
        assertThat(history(csp, "A", LATEST, limit)).containsExactly("- C3", "1 C1");
        assertThat(history(csp, "Z", LATEST, limit)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aHistoryOfAFoldIsThatOfTheChain(int limit) {
        assertThat(history(slip, "task/1/priority", LATEST, limit)).containsExactly("1 1", "2 0");
        assertThat(history(slip, "task/1/priority", new PointInTime.AtTurn(1), limit))
                .containsExactly("2 0");
        assertThat(history(slip, "task/1/priority", new PointInTime.AtTurn(0), limit))
                .isEmpty();
    }

    private static List<String> history(RecordedConversation talk, String entry, PointInTime at, int limit) {
        List<String> all = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            StateAnswer.History page = talk.queries().history(talk.key, entry, at, cursor, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            assertThat(page.pruned()).isNull();
            page.items()
                    .forEach(
                            change -> all.add((change.value() == null ? "-" : change.value()) + " " + by(change.by())));
            cursor = Optional.ofNullable(page.next());
        } while (cursor.isPresent());
        return all;
    }

    private static String by(ChangeOrigin origin) {
        return origin instanceof ChangeOrigin.Patch patch
                ? patch.checkpoint()
                : Long.toString(((ChangeOrigin.Message) origin).sequence());
    }

    @Test
    void aHistoryEndsAtAPrunedCheckpoint() {
        prune("C1");

        StateAnswer.History history = csp.queries().history(csp.key, "A", checkpoint("C2"), Optional.empty(), ALL);

        assertThat(history.items()).hasSize(2);
        assertThat(history.next()).isNull();
        assertThat(history.pruned()).isEqualTo(new StateAnswer.Pruned("C1", Instant.EPOCH));
    }

    private void prune(String id) {
        Checkpoint pruned = csp.checkpoints.get(id);
        pruned.setOperations(List.of());
        pruned.setPrunedAt(Instant.EPOCH);
    }

    // Trees

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aTreeHasEachCheckpointOnceTheRootFirst(int limit) {
        List<String> ids = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            StateAnswer.Tree page = csp.queries().tree(csp.key, cursor, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            assertThat(page.heads()).containsExactly("C2", "C3");
            page.items().forEach(each -> ids.add(each.parent() + "-" + each.id() + (each.head() ? "!" : "")));
            cursor = Optional.ofNullable(page.next());
        } while (cursor.isPresent());

        assertThat(ids).containsExactly("null-C0", "C0-C1", "C1-C1b", "C1b-C2!", "C1-C3!");
    }

    @Test
    void aContextWithoutPatchesHasItsRoot() {
        RecordedConversation talk = new RecordedConversation(Protocol.CSP)
                .send("A", "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ look");

        StateAnswer.Tree tree = talk.queries().tree(talk.key, Optional.empty(), ALL);

        assertThat(tree.heads()).containsExactly("C0");
        assertThat(tree.items()).singleElement().satisfies(root -> {
            assertThat(root.head()).isTrue();
            assertThat(root.time()).isNull();
            assertThat(root.operationCount()).isZero();
        });
        assertThat(entries(talk.queries(), talk.key, LATEST)).isEmpty();
    }

    @Test
    void aCheckpointHasItsOperations() {
        assertThat(csp.queries().checkpoint(csp.key, "C1").operations()).hasSize(2);
        assertThat(csp.queries().checkpoint(csp.key, "C2").checkpoint().head()).isTrue();
        assertThat(csp.queries().checkpoint(csp.key, "C0").checkpoint().head()).isFalse();
        prune("C1");
        CheckpointSummary pruned = csp.queries().checkpoint(csp.key, "C1").checkpoint();
        assertThat(pruned.prunedAt()).isEqualTo(Instant.EPOCH);
        assertThat(pruned.patch()).isEqualTo("P1");
        assertThat(pruned.sender()).isEqualTo("MAIN");
        assertThat(pruned.depth()).isEqualTo(1);
        assertThat(pruned.ordinal()).isEqualTo(1);
        assertThat(pruned.time()).isEqualTo(Instant.EPOCH);
        assertThat(pruned.hash())
                .isEqualTo(HexFormat.of()
                        .formatHex(ByteBuffers.of(csp.checkpoints.get("C1").getHash())));
    }

    // Kinds

    @Test
    void aBoardIsTasksByNumber() {
        RecordedConversation board = new RecordedConversation(Protocol.SLIP).send("0", "@a0|f2|c1|S0|d1|T1|g7#");
        assertThat(structure(board)).hasToString("{tasks=[{task=null, goal=7}]}");
        assertThat(structure(slip))
                .hasToString("{tasks=[{task=1, goal=7, priority=1, status=planned}, {task=2, parent=1, tag=x}]}");
    }

    @Test
    void formsHaveTheirNames() {
        RecordedConversation session = new RecordedConversation(Protocol.SUBIT)
                .send("A", "{\"type\":\"STATE\",\"payload\":\"000110\"}")
                .send("B", "{\"type\":\"STATE\",\"payload\":\"110001\"}");
        assertThat(structure(session))
                .hasToString("{agents=[{agent=A, form=6, bits=000110, name=KA-TE-MO},"
                        + " {agent=B, form=49, bits=110001, name=KU-TA-ME}]}");
        StateKind forms = SubitChanges.MODEL.kind();
        assertThat(forms.structure().apply(new TreeMap<>(Map.of("agent/-", "0"))))
                .hasToString("{agents=[{agent=null, form=0, bits=000000, name=KA-TA-MA}]}");
    }

    @Test
    void termsAreDefinitionsAndAgreements() {
        RecordedConversation deal = new RecordedConversation(Protocol.LAMBDA)
                .send("A", "{def:ta=\"build\"}")
                .send("B", "<ctx")
                .send("A", ">Ig/U[da]")
                .send("B", "<+");
        assertThat(structure(deal)).hasToString("{definitions={ta=build}, agreements={#2=>Ig/U[da]}}");
        assertThat(structure(csp)).hasToString("{definitions={B=2, D=4}}");
    }

    private static Map<String, Object> structure(RecordedConversation talk) {
        return talk.queries().state(talk.key, LATEST).members();
    }

    private static Map<String, String> entries(StateQueries queries, ConversationKey key, PointInTime at) {
        Map<String, String> entries = new LinkedHashMap<>();
        StateAnswer.StatePage page = queries.state(key, at, Optional.empty(), ALL);
        page.items().forEach(each -> entries.put(each.entry(), each.value()));
        assertThat(page.total()).isEqualTo(entries.size());
        return entries;
    }

    @Test
    void aConversationWithoutAProtocolHasNoStates() {
        assertThat(StageSettings.DEFAULT.stateModel(Protocol.UNKNOWN.name())).isEmpty();
    }

    // Errors

    private static void refused(ThrowingCallable query, Code code, String... said) {
        assertThatThrownBy(query).isInstanceOfSatisfying(StateQueryException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(List.of(said)).allSatisfy(each -> assertThat(refusal).hasMessageContaining(each));
        });
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anUnknownConversationIsNamed(Protocol protocol) {
        ConversationKey nowhere = new ConversationKey("default", protocol, "nowhere");
        StateQueries queries = csp.queries();

        refused(() -> queries.state(nowhere, LATEST), Code.UNKNOWN_CONVERSATION, "default", "nowhere");
        refused(
                () -> queries.tree(nowhere, Optional.empty(), ALL),
                protocol == Protocol.CSP ? Code.UNKNOWN_CONVERSATION : Code.UNKNOWN_CHECKPOINT);
    }

    @Test
    void aCheckpointThatThereIsNotIsNamed() {
        refused(() -> csp.queries().state(csp.key, checkpoint("C9")), Code.UNKNOWN_CHECKPOINT, "talk", "C9");
        refused(() -> csp.queries().checkpoint(csp.key, "C9"), Code.UNKNOWN_CHECKPOINT, "C9");
        refused(() -> slip.queries().checkpoint(slip.key, "C1"), Code.UNKNOWN_CHECKPOINT, "only CSP");
    }

    @Test
    void thePrunedIsNamed() {
        prune("C1");
        refused(
                () -> csp.queries().state(csp.key, checkpoint("C1")),
                Code.CHECKPOINT_PRUNED,
                "C1",
                "csp.retention.ms",
                "1970-01-01T00:00:00Z");

        Beginning pruned = new Beginning(1, Optional.of(Instant.EPOCH));
        for (Function<StateQueries, StateAnswer> query : List.<Function<StateQueries, StateAnswer>>of(
                queries -> queries.state(slip.key, LATEST),
                queries -> queries.blame(slip.key, LATEST, entry -> true, Optional.empty(), ALL),
                queries -> queries.diff(slip.key, LATEST, LATEST),
                queries -> queries.history(slip.key, "x", LATEST, Optional.empty(), ALL))) {
            refused(
                    () -> query.apply(from(slip, pruned)),
                    Code.MESSAGES_PRUNED,
                    "from sequence 1 on",
                    "views.retention.conversations.ms",
                    "1970-01-01T00:00:00Z");
        }
        Beginning lost = new Beginning(2, Optional.empty());
        refused(() -> from(slip, lost).state(slip.key, LATEST), Code.MESSAGES_PRUNED, "had lost");
    }

    @Test
    void aContextNeedsMessagesOnlyForAMomentThatNamesThem() {
        Beginning pruned = new Beginning(3, Optional.of(Instant.EPOCH));
        StateQueries queries = from(csp, pruned);

        assertThat(entries(queries, csp.key, LATEST)).containsKey("D");
        assertThat(entries(queries, csp.key, new PointInTime.AtSequence(3))).containsEntry("A", "3");
        refused(() -> queries.state(csp.key, new PointInTime.AtSequence(2)), Code.MESSAGES_PRUNED);
    }

    /** Queries of a source that lacks the first messages. */
    private static StateQueries from(RecordedConversation talk, Beginning beginning) {
        StateSource lacking = new ForwardingSource(talk.source()) {
            @Override
            public Optional<Beginning> beginning(String chain) {
                return Optional.of(beginning);
            }
        };
        return new StateQueries(lacking, StageSettings.DEFAULT::stateModel, record -> record, QueryBudget.UNLIMITED);
    }

    @Test
    void aCheckpointThatHasNotArrivedIsSaidToBeMissing() {
        csp.checkpoints.remove("C1");
        csp.checkpoints.values().forEach(checkpoint -> checkpoint.setSnapshot(null));
        refused(() -> csp.queries().state(csp.key, checkpoint("C3")), Code.INCOMPLETE, "C3");
        refused(
                () -> csp.queries().history(csp.key, "A", checkpoint("C2"), Optional.empty(), ALL),
                Code.INCOMPLETE,
                "C2");

        csp.checkpoints.get("C1b").setSnapshot(Map.of("A", "2", "B", "2"));
        csp.checkpoints.get("C1b").setSetters(List.of(2L, 1L));
        assertThat(entries(csp.queries(), csp.key, checkpoint("C2"))).hasSize(2);
        refused(
                () -> csp.queries().blame(csp.key, checkpoint("C2"), entry -> true, Optional.empty(), ALL),
                Code.INCOMPLETE,
                "ordinal 1");
    }

    @Test
    void aStrangeCursorIsNamed() {
        refused(
                () -> csp.queries().history(csp.key, "A", LATEST, Optional.of("C9"), ALL),
                Code.INVALID_CURSOR,
                "names no checkpoint");
        refused(
                () -> slip.queries().history(slip.key, "x", LATEST, Optional.of("strange"), ALL),
                Code.INVALID_CURSOR,
                "not made by this API");
    }

    // Budgets

    /** Takes the given number of items, of 10 bytes each. */
    private static final class Counting implements QueryBudget {
        private final long items;
        private long taken;
        private long reserved;
        private long retained;

        Counting(long items) {
            this.items = items;
        }

        @Override
        public void reserve(long bytes) {
            reserved += bytes;
        }

        @Override
        public void retain(long bytes) {
            retained = Math.max(retained, bytes);
        }

        @Override
        public long left() {
            return 10 * Math.max(0, items - taken);
        }

        @Override
        public boolean add(Object item, boolean first) {
            boolean fits = taken < items;
            if (fits || first) {
                taken++;
            }
            return fits || first;
        }
    }

    private static StateQueries within(RecordedConversation talk, QueryBudget budget) {
        return new StateQueries(talk.source(), StageSettings.DEFAULT::stateModel, record -> record, budget);
    }

    @Test
    void theMemoryOfAStateIsReserved() {
        Counting budget = new Counting(ALL);
        within(csp, budget).diff(csp.key, checkpoint("C1"), checkpoint("C2"));
        assertThat(budget.reserved)
                .isEqualTo(csp.checkpoints.get("C1").getStateBytes()
                        + csp.checkpoints.get("C2").getStateBytes());

        within(slip, budget).state(slip.key, LATEST);
        assertThat(budget.retained).isGreaterThan(5 * 200);
        budget.retained = 0;
        within(slip, budget).history(slip.key, "task/1/status", LATEST, Optional.empty(), ALL);
        assertThat(budget.retained).isGreaterThan(5 * 200);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "3, 3", "9, 5"})
    void aPageEndsWithTheBudgetButHasAnItem(long items, int expected) {
        StateAnswer.Blame page =
                within(slip, new Counting(items)).blame(slip.key, LATEST, entry -> true, Optional.empty(), ALL);

        assertThat(page.items()).hasSize(expected);
        assertThat(page.next())
                .isEqualTo(expected == 5 ? null : page.items().get(expected - 1).entry());
    }

    @ParameterizedTest
    @CsvSource({"0, 1, C1b", "1, 1, C1b", "2, 2, C1", "9, 3, "})
    void aHistoryOfADefinitionEndsWithTheBudget(long items, int expected, String next) {
        StateAnswer.History page =
                within(csp, new Counting(items)).history(csp.key, "A", checkpoint("C2"), Optional.empty(), ALL);

        assertThat(page.items()).hasSize(expected);
        assertThat(page.next()).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "99, 2, "})
    void aHistoryOfAFoldEndsWithTheBudget(long items, int expected, String next) {
        StateAnswer.History page =
                within(slip, new Counting(items)).history(slip.key, "task/1/priority", LATEST, Optional.empty(), ALL);

        assertThat(page.items()).hasSize(expected);
        assertThat(page.next()).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 2", "1, 1, 2", "2, 1, 2", "5, 2, 3", "7, 2, 5"})
    void theHeadsOfATreeTakeHalfOfAPage(long items, int heads, int checkpoints) {
        StateAnswer.Tree page = within(csp, new Counting(items)).tree(csp.key, Optional.empty(), ALL);

        assertThat(page.heads()).hasSize(heads);
        assertThat(page.items()).hasSize(checkpoints);
        assertThat(page.next() != null).isEqualTo(checkpoints < 5);
    }

    @Test
    void nothingBoundsAQueryWithoutABudget() {
        QueryBudget.UNLIMITED.reserve(Long.MAX_VALUE);
        QueryBudget.UNLIMITED.retain(Long.MAX_VALUE);
        assertThat(QueryBudget.UNLIMITED.left()).isEqualTo(Long.MAX_VALUE);
        assertThat(QueryBudget.UNLIMITED.add("C1", false)).isTrue();
    }
}
