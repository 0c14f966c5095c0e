package dev.parley.server.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveOrder.Cursor;
import dev.parley.server.redrive.RedriveOrder.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedriveOrderTest {

    private static Candidate candidate(int partition, long offset, long time) {
        return new Candidate(
                new InputPosition("parley.dlq.apply.v1", partition, 1_000 - offset),
                new InputPosition("parley.wire", partition, offset),
                time,
                10);
    }

    private static List<String> sources(List<Candidate> sorted) {
        return sorted.stream()
                .map(each -> each.source().partition() + "@" + each.source().offset())
                .toList();
    }

    @Test
    void orderIsThatOfTheFailedRecordsWhateverTheOrderOfTheSelection() {
        List<Candidate> candidates = new ArrayList<>(List.of(
                candidate(0, 1, 10),
                candidate(0, 2, 20),
                candidate(0, 3, 30),
                candidate(1, 1, 15),
                candidate(1, 2, 25)));
        Random random = new Random(7);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(candidates, random);
            assertThat(sources(RedriveOrder.sorted(candidates, Set.of())))
                    .containsExactly("0@1", "1@1", "0@2", "1@2", "0@3");
        }
    }

    @Test
    void laterOffsetNeverComesFirstEvenIfItsTimeIsEarlier() {
        // The first one was parked and expired late.
        assertThat(sources(RedriveOrder.sorted(
                        List.of(candidate(0, 1, 1_000), candidate(0, 2, 20), candidate(1, 5, 500)), Set.of())))
                .containsExactly("1@5", "0@1", "0@2");
    }

    @Test
    void ofTwoDeadLettersOfOneRecordTheEditedOneRemains() {
        Candidate first = new Candidate(new InputPosition("dead", 0, 1), new InputPosition("in", 0, 7), 1, 1);
        Candidate second = new Candidate(new InputPosition("dead", 0, 2), new InputPosition("in", 0, 7), 2, 1);

        for (List<Candidate> found : List.of(List.of(first, second), List.of(second, first))) {
            assertThat(RedriveOrder.sorted(found, Set.of(second.deadLetter()))).containsExactly(second);
            assertThat(RedriveOrder.sorted(found, Set.of())).containsExactly(first);
        }
    }

    @Test
    void pagesCoverEveryDeadLetterOnce() {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            candidates.add(candidate(i % 2, i, i / 2));
        }
        List<Candidate> sorted = RedriveOrder.sorted(candidates, Set.of());
        List<Candidate> walked = new ArrayList<>();
        Cursor cursor = Cursor.start();
        List<Candidate> page = RedriveOrder.next(sorted, cursor, 4, 1_000);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(4);
            walked.addAll(page);
            cursor = Cursor.parse(new Cursor(
                                    cursor.operation(),
                                    Optional.of(page.get(page.size() - 1).place()))
                            .text())
                    .orElseThrow();
            page = RedriveOrder.next(sorted, cursor, 4, 1_000);
        }
        assertThat(walked).isEqualTo(sorted);
    }

    @Test
    void pageEndsByBytesButHasAtLeastOne() {
        List<Candidate> sorted =
                RedriveOrder.sorted(List.of(candidate(0, 1, 1), candidate(0, 2, 2), candidate(0, 3, 3)), Set.of());

        assertThat(RedriveOrder.next(sorted, Cursor.start(), 10, 20)).hasSize(2);
        assertThat(RedriveOrder.next(sorted, Cursor.start(), 10, 1)).hasSize(1);
    }

    @Test
    void cursorSurvivesItsText() {
        Cursor cursor = new Cursor(
                Cursor.start().operation(), Optional.of(new Place(-5, new InputPosition("parley.wire", 3, 17))));

        assertThat(Cursor.parse(cursor.text())).contains(cursor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "%%%", "MSAyIDM", "MC1 MiAz", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void anyOtherTextIsNoCursor(String text) {
        assertThat(Cursor.parse(text)).isEmpty();
    }
}
