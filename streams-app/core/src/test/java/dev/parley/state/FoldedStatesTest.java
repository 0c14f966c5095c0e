package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.stage.StageSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads of a task board with one status per message: s0, s1 and so on. */
class FoldedStatesTest {
    private static final PointInTime LATEST = new PointInTime.Latest();
    private static final String STATUS = "task/1/status";
    private static final int ALL = 1_000;

    private final RecordedConversation slip = new RecordedConversation(Protocol.SLIP);

    private StateSource board(int messages) {
        slip.send("0", "@a3|f0|c1|S0|d1|T1|k1|u\"s0\"#").send("1", "@a4|f1|c1|S1|d0|T2|k1|u\"s1\"#");
        for (int i = 2; i < messages; i++) {
            slip.send("1", "@a1|f2|c1|S1|d0|T" + base62(i + 1) + "|k1|u\"s" + i + "\"#");
        }
        return slip.source();
    }

    private static String base62(int number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        return (number >= 62 ? base62(number / 62) : "") + digits.charAt(number % 62);
    }

    private static StateQueries queries(StateSource source) {
        return queries(source, QueryBudget.UNLIMITED);
    }

    private static StateQueries queries(StateSource source, QueryBudget budget) {
        return new StateQueries(source, StageSettings.DEFAULT::stateModel, record -> record, budget);
    }

    @Test
    void blameNamesTheMessageThatSetAnEntry() {
        StateSource source = board(3);

        assertThat(queries(source)
                        .blame(slip.key, LATEST, entry -> true, Optional.empty(), ALL)
                        .items())
                .containsExactly(new StateEntry(
                        STATUS,
                        "s2",
                        new ChangeOrigin.Message(2, "1", slip.records.get(2).getSource())));
    }

    @Test
    void anAnswerFromAllMessagesIsNotRedacted() {
        StateQueries queries = queries(board(3));

        assertThat(queries.state(slip.key, LATEST).redacted()).isFalse();
        assertThat(queries.history(slip.key, STATUS, LATEST, Optional.empty(), ALL)
                        .redacted())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"4, s3 s2 s1 s0", "3, s2 s1 s0", "1, s0", "0, ''"})
    void aCursorContinuesBeforeItsSequence(String cursor, String values) {
        StateQueries queries = queries(board(5));

        assertThat(values(queries.history(slip.key, STATUS, LATEST, Optional.of(cursor), ALL)))
                .isEqualTo(values);
    }

    @Test
    void aPageEndsBeforeAChangeThatTheBudgetRefuses() {
        StateQueries queries = queries(board(5), new PageBudget((item, first) -> first));

        StateAnswer.History page = queries.history(slip.key, STATUS, LATEST, Optional.empty(), ALL);
        assertThat(values(page)).isEqualTo("s4");
        assertThat(page.next()).isEqualTo("4");
        StateAnswer.History rest = queries.history(slip.key, STATUS, LATEST, Optional.of(page.next()), ALL);
        assertThat(values(rest)).isEqualTo("s3");
        assertThat(rest.next()).isEqualTo("3");
    }

    @Test
    void aPageOfAllChangesIsTheLast() {
        assertThat(queries(board(5))
                        .history(slip.key, STATUS, LATEST, Optional.empty(), 5)
                        .next())
                .isNull();
        assertThat(queries(slip.source())
                        .history(slip.key, STATUS, LATEST, Optional.empty(), 4)
                        .next())
                .isEqualTo("1");
    }

    private static String values(StateAnswer.History page) {
        List<String> values = new ArrayList<>();
        page.items().forEach(change -> values.add(change.value() == null ? "-" : change.value()));
        return String.join(" ", values);
    }

    // Reads

    @ParameterizedTest
    @CsvSource({"49, 0+50", "50, 0+50", "51, 0+50 50+50", "100, 0+50 50+50", "120, 0+50 50+50 100+50"})
    void aStateReadsEachMessageOnceInPagesOfFifty(int messages, String reads) {
        ForwardingSource source = new ForwardingSource(board(messages));

        assertThat(queries(source)
                        .state(slip.key, LATEST, Optional.empty(), ALL)
                        .items())
                .contains(new StateAnswer.Entry(STATUS, "s" + (messages - 1)));
        assertThat(String.join(" ", source.messageReads)).isEqualTo(reads);
    }

    @Test
    void aHistoryUpToNowReadsTheChainOnceAndOneUpToATimeTwice() {
        ForwardingSource latest = new ForwardingSource(board(10));
        queries(latest).history(slip.key, STATUS, LATEST, Optional.empty(), ALL);
        assertThat(latest.messageReads).containsExactly("0+50");

        ForwardingSource turn = new ForwardingSource(slip.source());
        queries(turn).history(slip.key, STATUS, new PointInTime.AtTurn(9), Optional.empty(), ALL);
        assertThat(turn.messageReads).containsExactly("0+50", "0+50");
    }

    /** Says that a sequence is the last of the conversation. */
    private static StateSource endingAt(long last, StateSource source) {
        return new ForwardingSource(source) {
            @Override
            public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String name) {
                Optional<ConversationSummary> summary = super.conversation(namespace, protocol, name);
                summary.ifPresent(known -> known.setLastSequence(last));
                return summary;
            }
        };
    }

    @ParameterizedTest
    @CsvSource({"0, s0", "1, s1", "2, s2", "3, s3", "4, s3", "99, s3"})
    void messagesAfterTheStartOfTheQueryAreNotReadAndMissingOnesEndIt(long last, String status) {
        assertThat(queries(endingAt(last, board(4)))
                        .state(slip.key, LATEST, Optional.empty(), ALL)
                        .items())
                .contains(new StateAnswer.Entry(STATUS, status));
    }
}
