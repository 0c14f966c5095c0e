package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Five turns, two from another partition and one that comes late; the rejected sixth has an early turn and time. */
class ReplayTest {
    private final ConversationRecorder talk = ConversationRecorder.slip();

    @BeforeEach
    void speak() {
        place(talk.send("@a3|f0|c1|S0|d1|T1|k1|u\"one\"#"), 0, 10, 100);
        place(talk.send("@a4|f1|c1|S1|d0|T3|k1|u\"two\"#"), 1, 5, 200);
        place(talk.send("@a1|f2|c1|S1|d0|T5|k1|u\"three\"#"), 0, 11, 500);
        place(talk.send("@a1|f2|c1|S1|d0|T6|k1|u\"four\"#"), 1, 6, 400);
        place(talk.send("@a8|f3|c1|S1|d0|T9|k1|s5#"), 0, 12, 600);
        place(talk.sendAny("@a3|f0|c1|S0|d1|T2|k1|u\"no\"#"), 0, 13, 150);
    }

    private static void place(AuditRecord record, int partition, long offset, long millis) {
        record.setSource(new Source("wire", partition, offset, Instant.ofEpochMilli(millis), null));
    }

    @ParameterizedTest
    @CsvSource({
        "latest, four, 4",
        "sequence:0, one, 0",
        "sequence:1, two, 1",
        "sequence:3, four, 3",
        "sequence:5, four, 4",
        "sequence:99, four, 4",
        "turn:0, , ",
        "turn:1, one, 0",
        "turn:2, one, 0",
        "turn:5, three, 2",
        "turn:8, four, 3",
        "time:99, , ",
        "time:100, one, 0",
        "time:199, one, 0",
        "time:399, two, 1",
        "time:400, four, 3",
        "time:500, four, 3",
        "time:600, four, 4",
        "offset:wire/0/9, , ",
        "offset:wire/0/10, one, 0",
        "offset:wire/1/5, two, 1",
        "offset:wire/0/11, three, 2",
        "offset:wire/1/6, four, 3",
        "offset:wire/1/99, four, 3",
        "offset:wire/0/13, four, 4",
        "offset:other/0/13, , ",
        "checkpoint:C1, , ",
    })
    void aStateIsThatAfterTheLastMessageNotLater(String moment, String status, Long last) {
        Replay.StateAsOf state = Replay.at(SlipChanges.MODEL, moment(moment), talk.records);

        assertThat(state.last().map(ChangeOrigin.Message::sequence)).isEqualTo(Optional.ofNullable(last));
        assertThat(Optional.ofNullable(state.entries().get("task/1/status")).map(StateEntry::value))
                .isEqualTo(Optional.ofNullable(status));
    }

    @Test
    void recordsAfterThePointInTimeAreNotRead() {
        List<Long> read = new ArrayList<>();
        Iterator<AuditRecord> records = talk.records.iterator();
        Iterable<AuditRecord> once = () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                return records.hasNext();
            }

            @Override
            public AuditRecord next() {
                AuditRecord record = records.next();
                read.add(record.getSequence());
                return record;
            }
        };
        Replay.at(SlipChanges.MODEL, new PointInTime.AtSequence(1), once);
        assertThat(read).containsExactly(0L, 1L);
    }

    @Test
    void theOriginIsTheMessage() {
        ChangeOrigin origin = Replay.at(SlipChanges.MODEL, new PointInTime.Latest(), talk.records)
                .entries()
                .get("task/1/status")
                .by();
        assertThat(origin)
                .isEqualTo(new ChangeOrigin.Message(3, "1", talk.records.get(3).getSource()));
    }

    @ParameterizedTest
    @CsvSource({
        "task/1/status, 99, 9, four three two one",
        "task/1/status, 99, 2, four three",
        "task/1/status, 3, 1, four",
        "task/1/status, 2, 9, three two one",
        "task/1/status, -1, 9, ''",
        "task/1/score, 99, 9, 5",
        "task/2/score, 99, 9, ''",
    })
    void aHistoryIsTheChangesOfAnEntryTheLatestFirst(String entry, long last, int limit, String values) {
        assertThat(String.join(
                        " ",
                        history(SlipChanges.MODEL, entry, last, limit, talk).stream()
                                .map(step -> step.value() == null ? "-" : step.value())
                                .toList()))
                .isEqualTo(values);
    }

    private static List<EntryChange> history(
            StateModel.Folded model, String entry, long last, int limit, ConversationRecorder talk) {
        return Replay.history(model, entry, last, limit, Long.MAX_VALUE, talk.records, bytes -> {}, null)
                .steps();
    }

    @Test
    void aRemovalIsPartOfAHistory() {
        ConversationRecorder session = ConversationRecorder.subit();
        session.as("A").send("{\"type\":\"STATE\",\"payload\":\"000001\"}");
        session.as("A").send("{\"type\":\"ERROR\",\"payload\":\"000001\"}");
        assertThat(history(SubitChanges.MODEL, "agent/A", 9, 9, session))
                .extracting(EntryChange::value, step -> ((ChangeOrigin.Message) step.by()).sequence())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(null, 1L), org.assertj.core.groups.Tuple.tuple("1", 0L));
    }

    /** The values weigh 203, 203, 205 and 204 bytes. */
    @ParameterizedTest
    @CsvSource({
        "9, 815, four three two one, false",
        "9, 814, four three two, true",
        "9, 612, four three two, true",
        "9, 611, four three, true",
        "9, 409, four three, true",
        "9, 408, four, true",
        "9, 204, four, true",
        "9, 0, four, true",
        "4, 815, four three two one, false",
        "3, 815, four three two, true",
        "2, 612, four three, true",
    })
    void aHistoryEndsWithItsLimitOrItsBytesButHasTheLatestChange(
            int limit, long stepBytes, String values, boolean more) {
        Replay.History history = Replay.history(
                SlipChanges.MODEL, "task/1/status", 99, limit, stepBytes, talk.records, bytes -> {}, null);

        assertThat(values(history)).isEqualTo(values);
        assertThat(history.more()).isEqualTo(more);
        assertThat(history.steps()).allSatisfy(step -> assertThat(step.gloss()).isNull());
    }

    /** The gloss adds 10 bytes to each change. */
    @ParameterizedTest
    @CsvSource({
        "855, four three two one, false",
        "854, four three two, true",
        "642, four three two, true",
        "641, four three, true",
        "429, four three, true",
        "428, four, true",
    })
    void theGlossOfAChangeCountsToItsBytes(long stepBytes, String values, boolean more) {
        Replay.History history = Replay.history(
                SlipChanges.MODEL,
                "task/1/status",
                99,
                9,
                stepBytes,
                talk.records,
                bytes -> {},
                (message, definitions) ->
                        message.getSender() + " wrote it" + (definitions.valueOf("x") == null ? "" : "!"));

        assertThat(values(history)).isEqualTo(values);
        assertThat(history.more()).isEqualTo(more);
        assertThat(history.steps())
                .allSatisfy(step -> assertThat(step.gloss()).isEqualTo(step.by().sender() + " wrote it"));
    }

    @Test
    void aChangeWithoutAValueStillHasAWeight() {
        ConversationRecorder session = ConversationRecorder.subit();
        session.as("A").send("{\"type\":\"STATE\",\"payload\":\"000001\"}");
        session.as("A").send("{\"type\":\"ERROR\",\"payload\":\"000001\"}");

        for (long stepBytes : List.of(400L, 401L)) {
            assertThat(Replay.history(
                                    SubitChanges.MODEL, "agent/A", 9, 9, stepBytes, session.records, bytes -> {}, null)
                            .steps())
                    .hasSize(stepBytes == 401 ? 2 : 1);
        }
    }

    @Test
    void theMemoryOfAHistoryIsThatOfTheStateAfterEachRecord() {
        List<Long> memory = new ArrayList<>();
        Replay.history(SlipChanges.MODEL, "task/1/status", 2, 9, 9_999, talk.records, memory::add, null);
        assertThat(memory).containsExactly(217L, 217L, 219L);
    }

    private static String values(Replay.History history) {
        return String.join(
                " ",
                history.steps().stream()
                        .map(step -> step.value() == null ? "-" : step.value())
                        .toList());
    }

    private static PointInTime moment(String text) {
        return PointInTime.parse(
                text, text.startsWith("checkpoint:") ? Protocol.CSP : Protocol.SLIP, Clock.systemUTC());
    }
}
