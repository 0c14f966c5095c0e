package dev.parley.server.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import dev.parley.server.redrive.RedriveIndex.Entry;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.topology.topics.ClosureKey;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedriveRulesTest {
    private final RedriveIndex index = new RedriveIndex();
    private final RedriveRules rules = new RedriveRules(List.of("parley.wire"), 3);

    private static InputPosition at(long offset) {
        return new InputPosition("parley.wire", 0, offset);
    }

    private static DeadLetterRecord letter(String topic, String offset) {
        Headers headers = new RecordHeaders()
                .add("__streams.errors.topic", topic.getBytes(UTF_8))
                .add("__streams.errors.partition", "0".getBytes(UTF_8))
                .add("parley-attempt", "99".getBytes(UTF_8))
                .add("parley.error.attempt", "99".getBytes(UTF_8));
        if (offset != null) {
            headers.add("__streams.errors.offset", offset.getBytes(UTF_8));
        }
        return new DeadLetterRecord(
                new InputPosition("parley.dlq.judge.v1", 0, 7), 0, null, "value".getBytes(UTF_8), headers);
    }

    private static RedriveItem item(DeadLetterRecord letter) {
        return new RedriveItem(letter, RedriveEdit.NONE, false);
    }

    private RedriveResult decide(RedriveItem item) {
        return rules.decide(item, index, "now");
    }

    @Test
    void firstRedriveIsTheSecondAttemptWhateverTheHeadersClaim() {
        RedriveItem item = item(letter("parley.wire", "5"));

        assertThat(decide(item)).isEqualTo(new RedriveResult(item.id(), Outcome.WOULD_ENTER, null, 2, null));
        assertThat(item.source()).isEqualTo(at(5));
    }

    @Test
    void deadLetterThatNamesNoInputIsRefused() {
        for (DeadLetterRecord letter : List.of(
                letter("parley.audit.v1", "5"),
                letter("parley.dlq.apply.v1", "5"),
                letter("payments", "5"),
                letter("parley.wire", null),
                letter("parley.wire", "-1"))) {
            assertThat(decide(item(letter)).outcome()).isEqualTo(Outcome.REFUSED);
        }
    }

    @Test
    void messageOfAnEarlierRedriveDoesNotEnterAgain() {
        index.add(new Entry(at(5), at(9), 2, 0, "before"));

        RedriveResult result = decide(item(letter("parley.wire", "5")));

        assertThat(result.outcome()).isEqualTo(Outcome.ALREADY_ENTERED);
        assertThat(result.sent()).isEqualTo(at(9));
    }

    @Test
    void aRedriveThatCannotBeReadIsNamedAsTheReason() {
        index.add(new Entry(at(5), null, 0, 7, ""));

        assertThat(decide(item(letter("parley.wire", "5")))).satisfies(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(result.detail()).contains("offset 7", "unreadable");
        });
    }

    @Test
    void aClosedDeadLetterIsReopenedWhateverTheOrderOfItsRecords() {
        index.add(change(2, true));
        assertThat(index.isClosed(at(5))).isFalse();
        index.add(change(1, true));
        assertThat(index.isClosed(at(5))).isFalse();
        assertThat(index.nextChange(at(5), true).number()).isEqualTo(3);
        index.add(change(3, true));
        assertThat(index.isClosed(at(5))).isTrue();
    }

    @Test
    void anUnreadableChangeHidesNoDeadLetterAndIsReplaced() {
        index.add(change(1, false));
        assertThat(index.isClosed(at(5))).isFalse();
        assertThat(index.nextChange(at(5), true).number()).isEqualTo(1);
        index.add(change(1, true));
        index.add(change(2, false));
        assertThat(index.isClosed(at(5))).isFalse();
        assertThat(index.nextChange(at(5), true).number()).isEqualTo(3);
        index.add(change(40, true));
        assertThat(index.isClosed(at(5))).isFalse();
    }

    @Test
    void aDeadLetterThatWasChangedTooOftenStaysOpen() {
        for (int number = 1; number <= ClosureKey.MAX_CHANGES; number++) {
            index.add(change(number, true));
        }
        Candidate letter = Candidate.of(letter("parley.wire", "5"));

        assertThat(rules.decide(letter, index, true).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(rules.decide(letter, index, false).detail()).contains("open already");
    }

    /** A forged record of a redrive returned nothing, so its dead letter can be closed. */
    @Test
    void aDeadLetterWithAnUnreadableRedriveCanBeClosed() {
        index.add(new Entry(at(5), null, 0, 7, ""));

        assertThat(rules.decide(Candidate.of(letter("parley.wire", "5")), index, true))
                .satisfies(result -> {
                    assertThat(result.outcome()).isEqualTo(Outcome.CLOSED);
                    assertThat(result.detail()).isNull();
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "closed/0/parley.wire-0@5",
                "closed/51/parley.wire-0@5",
                "closed/01/parley.wire-0@5",
                "closed/-1/parley.wire-0@5",
                "closed//parley.wire-0@5",
                "closed/1/",
                "closed/1",
                "closed/",
                "parley.wire-0@5",
                ""
            })
    void otherKeysChangeNothing(String key) {
        assertThat(ClosureKey.parse(key)).isEmpty();
    }

    @Test
    void theKeyOfAChangeIsNoInputPositionOfARedrive() {
        ClosureKey key = new ClosureKey(7, at(5));

        assertThat(ClosureKey.parse(key.toString())).contains(key);
        assertThat(key.closes()).isTrue();
    }

    private static RedriveIndex.Change change(int number, boolean readable) {
        return new RedriveIndex.Change(new ClosureKey(number, at(5)), number, readable);
    }

    @Test
    void editDoesNotLetAMessageEnterAgain() {
        index.add(new Entry(at(5), at(9), 2, 0, "before"));

        assertThat(decide(new RedriveItem(
                                letter("parley.wire", "5"), RedriveEdit.NONE.withValue(new byte[] {1}), false))
                        .outcome())
                .isEqualTo(Outcome.ALREADY_ENTERED);
    }

    @Test
    void repeatedRequestOfTheSameOperationReportsThatItEntered() {
        index.add(new Entry(at(5), at(9), 2, 0, "now"));

        assertThat(decide(item(letter("parley.wire", "5"))).outcome()).isEqualTo(Outcome.ENTERED);
    }

    @Test
    void firstRecordOfARedriveStays() {
        index.add(new Entry(at(5), at(9), 2, 0, "before"));
        index.add(new Entry(at(5), at(77), 2, 1, "now"));

        assertThat(decide(item(letter("parley.wire", "5"))).sent()).isEqualTo(at(9));
        assertThat(index.attemptsOf(at(77))).isOne();
    }

    @Test
    void messageThatFailsAgainWithinAnOperationWaitsForAnother() {
        index.add(new Entry(at(1), at(5), 2, 0, "now"));

        assertThat(decide(item(letter("parley.wire", "5"))).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(rules.decide(item(letter("parley.wire", "5")), index, "later"))
                .returns(Outcome.WOULD_ENTER, RedriveResult::outcome)
                .returns(3, RedriveResult::attempt);
    }

    @Test
    void attemptsAreLimited() {
        index.add(new Entry(at(1), at(5), 3, 0, "before"));

        assertThat(decide(item(letter("parley.wire", "5")))).satisfies(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(result.attempt()).isEqualTo(3);
            assertThat(result.detail()).contains("redrive.attempts.max");
        });
    }

    @Test
    void redactedMessageEntersOnlyWithEditedBytes() {
        DeadLetterRecord letter = letter("parley.wire", "5");

        assertThat(decide(new RedriveItem(letter, RedriveEdit.NONE, true)).outcome())
                .isEqualTo(Outcome.REFUSED);
        assertThat(decide(new RedriveItem(letter, RedriveEdit.NONE.withValue(letter.value()), true))
                        .outcome())
                .as("an edit that changes nothing")
                .isEqualTo(Outcome.REFUSED);
        assertThat(decide(new RedriveItem(
                                letter,
                                new RedriveEdit(
                                        Optional.empty(),
                                        Optional.of(new RedriveEdit.Key(new byte[] {1})),
                                        Optional.of(new RecordHeaders())),
                                true))
                        .outcome())
                .as("an edit of key and headers only")
                .isEqualTo(Outcome.REFUSED);
        assertThat(decide(new RedriveItem(letter, RedriveEdit.NONE.withValue(new byte[] {1}), true))
                        .outcome())
                .isEqualTo(Outcome.WOULD_ENTER);
    }
}
