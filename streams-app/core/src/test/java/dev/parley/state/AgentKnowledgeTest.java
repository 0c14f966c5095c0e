package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.protocol.Protocols;
import dev.parley.stage.StageSettings;
import dev.parley.state.StateSource.Beginning;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Knowledge of an agent from a conversation. Record N has the time N seconds. */
class AgentKnowledgeTest {
    private static final String DEFINITION = "definition/";
    private static final Instant END = Instant.ofEpochSecond(1_000);

    private final RecordedConversation csp = new RecordedConversation(Protocol.CSP);
    private final RecordedConversation lambda = new RecordedConversation(Protocol.LAMBDA);

    /** A patch to MEM. */
    private AgentKnowledgeTest patch(String id, String base, String target, String... operations) {
        csp.patch(id, base, target, operations);
        return this;
    }

    private AgentKnowledgeTest query(String from, String to, String ctx) {
        csp.send(from, "CSP/1\nFROM " + from + "\nTO " + to + "\nCTX " + ctx + "\nINTENT QUERY\n\nQUERY\nWHAT now");
        return this;
    }

    private static StateAnswer.Knowledge knowledge(RecordedConversation conversation, String agent, long second) {
        return knowledge(conversation, agent, Instant.ofEpochSecond(second), record -> record);
    }

    private static StateAnswer.Knowledge knowledge(
            RecordedConversation conversation, String agent, Instant until, UnaryOperator<AuditRecord> visible) {
        return new StateQueries(
                        conversation.source(), StageSettings.DEFAULT::stateModel, visible, QueryBudget.UNLIMITED)
                .knowledge(conversation.key, agent, until);
    }

    /** The entries as "name=value@checkpoint#sequence", with what applies, in the order of names. */
    private static String text(StateAnswer.Knowledge knowledge) {
        return knowledge.entries().stream()
                .map(entry -> entry.entry().replace("checkpoint/", "").replace(DEFINITION, "")
                        + (entry.value() == null ? "" : "=" + entry.value())
                        + (entry.checkpoint() == null ? "" : "@" + entry.checkpoint())
                        + "#" + entry.shownBy().sequence())
                .collect(Collectors.joining(" "));
    }

    // CSP

    @ParameterizedTest
    @CsvSource({
        // Before the first message to X, and at each message.
        "0, ''",
        "1, C1#1 A=1@C1#1",
        "2, C1#1 A=1@C1#1",
        "3, C1#1 A=1@C1#1",
        "4, C1#1 C2#4 A=2@C2#4 B=3@C2#4",
        "5, C0#5 C1#1 C2#4 A=2@C2#4 B=3@C2#4",
        "6, C0#5 C1#1 C2#4 A=1@C1#1 B=3@C2#4",
    })
    void aContextShowsTheCheckpointsOfItsMessages(long second, String expected) {
        patch("P1", "C0", "C1", "+ DEF A = 1")
                .query("MAIN", "X", "C1")
                .patch("P2", "C1", "C2", "~ DEF A := 2", "+ DEF B = 3")
                .query("MAIN", "Y", "C2")
                .query("X", "MAIN", "C2")
                .query("MAIN", "X", "C0")
                .query("MAIN", "Y,X", "C1");

        assertThat(text(knowledge(csp, "X", second))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"MAIN, C0#0 C1#0 C2#1 A=1@C2#0 B=2@C2#1", "MEM, C0#0 C1#0 C2#1 A=1@C2#0 B=2@C2#1", "X, ''", "main, ''"})
    void aPatchShowsItsTargetToItsSenderAndItsRecipients(String agent, String expected) {
        patch("P1", "C0", "C1", "+ DEF A = 1").patch("P2", "C1", "C2", "+ DEF B = 2");

        assertThat(text(knowledge(csp, agent, 9))).isEqualTo(expected);
    }

    @Test
    void aForkShowsTheDefinitionsOfBothBranches() {
        patch("P1", "C0", "C1", "+ DEF A = 1", "+ DEF B = 1")
                .patch("P2", "C1", "C2", "~ DEF A := 2", "+ DEF LEFT = l")
                .patch("P3", "C1", "C3", "~ DEF A := 3", "- DEF B")
                .query("MAIN", "X", "C2")
                .query("MAIN", "X", "C3");

        assertThat(text(knowledge(csp, "X", 9))).isEqualTo("C2#3 C3#4 A=3@C3#4 B=1@C2#3 LEFT=l@C2#3");
    }

    @Test
    void aDefinitionIsShownFirstByTheFirstCheckpointWithItsSetting() {
        patch("P1", "C0", "C1", "+ DEF A = 1")
                .patch("P2", "C1", "C2", "~ DEF A := 2")
                .patch("P3", "C2", "C3", "~ DEF A := 1")
                .patch("P4", "C3", "C4", "+ DEF B = 1")
                .query("MAIN", "X", "C1")
                .query("MAIN", "X", "C2")
                .query("MAIN", "X", "C3")
                .query("MAIN", "X", "C4");

        assertThat(text(knowledge(csp, "X", 9))).isEqualTo("C1#4 C2#5 C3#6 C4#7 A=1@C4#6 B=1@C4#7");
    }

    @ParameterizedTest
    @CsvSource({"0, ''", "1, ''", "2, C2#2 C3#2 A=2@C3#2 Z=9@C3#2", "9, C2#2 C3#2 A=2@C3#2 Z=9@C3#2"})
    void aParkedPatchCountsAsOfItsRelease(long second, String expected) {
        patch("P0", "C0", "C1", "+ DEF A = 1");
        csp.send("X", "CSP/1\nFROM X\nTO MAIN\nCTX C2\nINTENT PATCH\n\nPATCH P2\nBASE C2\n+ DEF Z = 9\nAPPLY -> C3");
        patch("P1", "C1", "C2", "~ DEF A := 2");

        // The patch, of second 1, has the sequence after the one that releases it at second 2.
        assertThat(text(knowledge(csp, "X", second))).isEqualTo(expected);
    }

    @Test
    void onlyAcceptedMessagesShowCheckpoints() {
        patch("P1", "C0", "C1", "+ DEF A = 1")
                .patch("P2", "C1", "C2", "+ DEF B = 1")
                .query("MAIN", "X", "C1");
        csp.send("X", "CSP/1\nFROM X\nTO MAIN\nCTX C2\nINTENT RESULT\n\nRESULT T9\nSTATUS OK\nDATA d");
        csp.send("X", "CSP/1\nFROM X\nTO MAIN\nCTX C2\nINTENT NONSENSE\n\nNONSENSE");

        assertThat(text(knowledge(csp, "X", 9))).isEqualTo("C1#2 A=1@C1#2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C7", "later", "main"})
    void aContextThatIsNotACheckpointYetShowsNothing(String ctx) {
        query("MAIN", "X", ctx).patch("P1", "C0", "C7", "+ DEF A = 1").patch("P2", "C0", "later", "+ DEF A = 2");

        assertThat(text(knowledge(csp, "X", 9))).isEmpty();
    }

    @Test
    void aCheckpointMayHaveAnyName() {
        patch("P1", "C0", "C1b", "+ DEF A = 1").query("MAIN", "X", "C1b");

        assertThat(text(knowledge(csp, "X", 9))).isEqualTo("C1b#1 A=1@C1b#1");
    }

    @Test
    void theTimeOfEachMessageCountsAndNotItsOrder() {
        patch("P1", "C0", "C1", "+ DEF A = 1")
                .patch("P2", "C1", "C2", "+ DEF B = 1")
                .query("MAIN", "X", "C1")
                .query("MAIN", "X", "C2");
        csp.records.get(2).getSource().setTimestamp(Instant.ofEpochSecond(50));

        assertThat(text(knowledge(csp, "X", 10))).isEqualTo("C2#3 A=1@C2#3 B=1@C2#3");
        assertThat(text(knowledge(csp, "X", 50))).isEqualTo("C1#2 C2#3 A=1@C2#2 B=1@C2#3");
    }

    @Test
    void aPrunedCheckpointIsNamedWithoutDefinitions() {
        patch("P1", "C0", "C1", "+ DEF A = 1").query("MAIN", "X", "C1");
        Checkpoint pruned = csp.checkpoints.get("C1");
        pruned.setOperations(List.of());
        pruned.setSnapshot(null);
        pruned.setPrunedAt(END);

        StateAnswer.Knowledge knowledge = knowledge(csp, "X", 9);

        assertThat(text(knowledge)).isEqualTo("C1#1");
        assertThat(knowledge.partial()).isTrue();
    }

    @Test
    void prunedMessagesShowNothing() {
        patch("P1", "C0", "C1", "+ DEF A = 1").query("MAIN", "X", "C0").query("MAIN", "X", "C1");
        StateSource source = new ForwardingSource(csp.source()) {
            @Override
            public Optional<Beginning> beginning(String chain) {
                return Optional.of(new Beginning(2, Optional.empty()));
            }
        };

        StateAnswer.Knowledge knowledge = new StateQueries(
                        source, StageSettings.DEFAULT::stateModel, record -> record, QueryBudget.UNLIMITED)
                .knowledge(csp.key, "X", END);

        assertThat(text(knowledge)).isEqualTo("C1#2 A=1@C1#2");
        assertThat(knowledge.partial()).isTrue();
    }

    @Test
    void aRedactedMessageShowsNothingButItsCheckpointRemains() {
        patch("P1", "C0", "C1", "+ DEF A = 1").query("MAIN", "X", "C0").query("MAIN", "X", "C1");
        redact(csp, 0);
        redact(csp, 1);

        StateAnswer.Knowledge knowledge = knowledge(csp, "X", 9);

        assertThat(text(knowledge)).isEqualTo("C1#2 A=1@C1#2");
        assertThat(knowledge.redacted()).isTrue();
        assertThat(knowledge(csp, "X", -1).redacted()).as("before the message").isFalse();
    }

    // Bounds: agents choose the names, values and numbers

    @Test
    void theBytesOfTheStatesThatAreReadAreBounded() {
        String value = "v".repeat(500_000);
        patch("P0", "C0", "C1", "+ DEF A = " + value);
        int states = (int) (KnowledgeReader.MAX_STATE_BYTES / 500_000) + 2;
        for (int i = 1; i < states; i++) {
            patch("P" + i, "C" + i, "C" + (i + 1), "+ DEF N" + i + " = 1");
        }
        for (int i = 1; i <= states; i++) {
            query("MAIN", "X", "C" + i);
        }

        StateAnswer.Knowledge knowledge = knowledge(csp, "X", 100_000);

        assertThat(knowledge.partial()).isTrue();
        assertThat(knowledge.entries())
                .extracting(ShownEntry::entry)
                .contains("checkpoint/C1", "checkpoint/C" + states);
        assertThat(knowledge.entries())
                .filteredOn(entry -> entry.entry().equals("definition/A"))
                .extracting(ShownEntry::checkpoint)
                .containsExactly("C" + states);
    }

    @Test
    void theMemoryOfTheEntriesIsReservedAndBounded() {
        AtomicLong reserved = new AtomicLong();
        QueryBudget budget = new QueryBudget() {
            @Override
            public void reserve(long bytes) {
                reserved.addAndGet(bytes);
            }

            @Override
            public void retain(long bytes) {}

            @Override
            public long left() {
                return 0;
            }

            @Override
            public boolean add(Object item, boolean first) {
                return false;
            }
        };
        String value = "v".repeat(500_000);
        for (int i = 0; i < 40; i++) {
            lambda.send("A", "{def:d" + i + "=\"" + value + "\"}!Ik/co");
        }

        StateAnswer.Knowledge knowledge = new StateQueries(
                        lambda.source(), StageSettings.DEFAULT::stateModel, record -> record, budget)
                .knowledge(lambda.key, "A", END);

        assertThat(knowledge.partial()).isTrue();
        assertThat(reserved.get()).isBetween(KnowledgeReader.MAX_BYTES, KnowledgeReader.MAX_BYTES + 50 * 500_000L);
    }

    @Test
    void theBytesOfTheMessagesThatAreReadAreBounded() {
        lambda.send("X", "{def:a=\"1\"}!Ik/co");
        AuditRecord message = lambda.records.get(0);
        StateSource source = new ForwardingSource(lambda.source()) {
            @Override
            public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String name) {
                ConversationSummary summary =
                        super.conversation(namespace, protocol, name).orElseThrow();
                summary.setLastSequence(Long.MAX_VALUE - 1);
                return Optional.of(summary);
            }

            @Override
            public List<AuditRecord> messages(String chain, long from, int limit) {
                message.setSequence(from + limit - 1);
                return Collections.nCopies(limit, message);
            }
        };

        StateQueries queries =
                new StateQueries(source, StageSettings.DEFAULT::stateModel, record -> record, QueryBudget.UNLIMITED);
        StateAnswer.Knowledge knowledge = queries.knowledge(lambda.key, "X", END);

        assertThat(knowledge.partial()).isTrue();
        assertThat(knowledge.entries()).extracting(ShownEntry::entry).containsExactly("definition/a");
        assertThat(queries.knowledgeBytes())
                .isBetween(KnowledgeReader.MAX_MESSAGE_BYTES, KnowledgeReader.MAX_MESSAGE_BYTES + 50 * 1_000);
    }

    // Protocols without checkpoints

    @ParameterizedTest
    @CsvSource({
        // A message without an address is to all that take part, a relay to the agents after the first.
        "A, 9, definition/all=1#0 definition/every=4#3 definition/own=3#2 definition/to=2#1",
        "B, 9, definition/all=1#0 definition/every=4#3 definition/to=2#1",
        "C, 9, definition/all=1#0 definition/every=4#3 definition/own=3#2",
        "B, 0, ''",
        "B, 1, definition/all=1#0 definition/to=2#1",
        "D, 9, ''",
    })
    void aLambdaMessageShowsItsDefinitions(String agent, long second, String expected) {
        lambda.send("A", "{def:all=\"1\"}!Ik/co")
                .send("A", "@B: {def:to=\"2\"}!Ik/co")
                .send("A", "@C: {def:own=\"3\"}!Ik/co")
                .send("A", "@*: {def:every=\"4\"}!Ik/co");

        assertThat(text(knowledge(lambda, agent, second)).replace("\"", ""))
                .isEqualTo(expected.replace(DEFINITION, ""));
    }

    @ParameterizedTest
    @CsvSource({"0, ''", "1, agreement/m1#1", "2, agreement/m1#1"})
    void anAgreementIsShownByTheMessageThatMakesIt(long second, String expected) {
        lambda.send("A", "@v0.6#id:m1 >Uf/X").send("B", "<+").send("A", "!Ik/co");

        assertThat(text(knowledge(lambda, "B", second)).replaceAll("=[^#]*", ""))
                .isEqualTo(expected);
    }

    @Test
    void aHiddenMessageIsOmittedBeforeTheComputation() {
        lambda.send("A", "{def:open=\"1\"}!Ik/co")
                .send("A", "prv: {def:secret=\"2\"}!Ik/co")
                .send("A", "@v0.6#id:m1 prv: >Uf/secret")
                .send("B", "<+");

        StateAnswer.Knowledge reader = knowledge(
                lambda,
                "B",
                END,
                record -> Protocols.STANDARD.wire().of(record.getMessage()).isPrivate(record.getMessage())
                        ? null
                        : record);

        assertThat(reader.entries()).extracting(ShownEntry::entry).containsExactly("definition/open");
        assertThat(reader.redacted()).isTrue();
        assertThat(knowledge(lambda, "B", 9).entries())
                .extracting(ShownEntry::entry)
                .containsExactly("agreement/m1", "definition/open", "definition/secret");
    }

    @Test
    void aBoardShowsTheSlotsOfTheMessagesOfAnAgent() {
        RecordedConversation slip = new RecordedConversation(Protocol.SLIP)
                .send("0", "@a3|f0|c1|S0|d1|T1|g7|k1|q2#")
                .send("1", "@a4|f1|c1|S1|d0|T2|k1|q1|u\"planned\"#")
                .send("0", "@a3|f0|c1|S0|d2|T3|k2|t\"x\"#");

        assertThat(text(knowledge(slip, "2", 9))).isEqualTo("task/2/tag=x#2");
        assertThat(text(knowledge(slip, "1", 9)))
                .isEqualTo("task/1/goal=7#0 task/1/priority=1#1 task/1/status=planned#1");
    }

    @Test
    void aFormIsShownToEveryAgentOfTheSession() {
        RecordedConversation subit = new RecordedConversation(Protocol.SUBIT)
                .send("A", "{\"type\":\"STATE\",\"payload\":\"000110\"}")
                .send("B", "{\"type\":\"STATE\",\"payload\":\"000111\"}");

        assertThat(text(knowledge(subit, "B", 9))).isEqualTo("agent/A=6#0 agent/B=7#1");
        assertThat(text(knowledge(subit, "B", 0))).isEmpty();
    }

    private static void redact(RecordedConversation conversation, int index) {
        AuditRecord record = conversation.records.get(index);
        conversation.records.set(index, Redactions.redact(record, new Redaction()));
    }
}
