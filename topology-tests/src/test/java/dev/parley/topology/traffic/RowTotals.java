package dev.parley.topology.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.EdgeCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.setup.Topics;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rows of all analytics topics as numbers by their dimensions. Fails if a row is written twice. */
final class RowTotals {
    private final SortedMap<String, Long> totals = new TreeMap<>();

    SortedMap<String, Long> totals() {
        return totals;
    }

    /** The numbers that are not as expected. */
    SortedMap<String, String> differences(SortedMap<String, Long> expected) {
        SortedMap<String, String> differences = new TreeMap<>();
        expected.forEach((name, number) -> {
            if (!number.equals(totals.get(name))) {
                differences.put(name, totals.get(name) + " instead of " + number);
            }
        });
        totals.forEach((name, number) -> {
            if (!expected.containsKey(name)) {
                differences.put(name, number + " instead of none");
            }
        });
        return differences;
    }

    /** Adds the rows that the application has written since the last call. */
    void addAll(TrafficDriver driver) {
        driver.rows(Topics::traffic).forEach(this::add);
        driver.rows(Topics::violation).forEach(this::add);
        driver.rows(Topics::edge).forEach(this::add);
    }

    void add(TrafficCount row) {
        count(
                row.getMessages(),
                "traffic",
                window(row.getWindowStart(), row.getWindowEnd(), row.getLate()),
                row.getNamespace(),
                row.getProtocol(),
                row.getPerformative(),
                row.getSender(),
                row.getVerdict());
    }

    void add(ViolationCount row) {
        count(
                row.getMessages(),
                "violation",
                window(row.getWindowStart(), row.getWindowEnd(), row.getLate()),
                row.getNamespace(),
                row.getProtocol(),
                row.getSender(),
                row.getKind(),
                row.getCode());
    }

    void add(EdgeCount row) {
        String edge = String.join(
                " / ",
                "edge",
                window(row.getWindowStart(), row.getWindowEnd(), row.getLate()),
                row.getNamespace(),
                row.getProtocol(),
                row.getSender(),
                row.getRecipient());
        count(row.getMessages(), edge, "messages");
        count(row.getAccepted(), edge, "accepted");
        count(row.getFlagged(), edge, "flagged");
        count(row.getRejected(), edge, "rejected");
    }

    private static String window(Instant start, Instant end, Boolean late) {
        assertThat(end).isEqualTo(start.plusSeconds(60));
        return start + (Boolean.TRUE.equals(late) ? " late" : "");
    }

    private void count(long number, String... names) {
        if (number != 0) {
            assertThat(totals.put(String.join(" / ", names), number))
                    .as("%s is written once", String.join(" / ", names))
                    .isNull();
        }
    }
}
