package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.PatchCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.topics.StatisticRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** The rows of all analytics topics as numbers by their dimensions. Fails if a row is written twice. */
final class RowTotals {
    /** The columns of the histogram, with the bounds that their names say. */
    static final Map<String, Duration> WITHIN = TurnaroundCount.getClassSchema().getFields().stream()
            .map(Schema.Field::name)
            .filter(name -> name.startsWith("within"))
            .collect(Collectors.toMap(name -> name, RowTotals::bound));

    private final SortedMap<String, Long> totals = new TreeMap<>();
    private final Set<String> written = new HashSet<>();

    private static Duration bound(String column) {
        String number = column.replaceAll("\\D", "");
        String unit = column.substring("within".length() + number.length());
        return switch (unit) {
            case "ms" -> Duration.ofMillis(Long.parseLong(number));
            case "s" -> Duration.ofSeconds(Long.parseLong(number));
            case "m" -> Duration.ofMinutes(Long.parseLong(number));
            case "h" -> Duration.ofHours(Long.parseLong(number));
            default -> throw new IllegalArgumentException(column);
        };
    }

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
        driver.allRows().forEach(row -> add(row.key, row.value));
    }

    /**
     * Adds a row.
     *
     * @param key key of the row in its topic, which names the partition that it counts
     */
    void add(String key, SpecificRecord row) {
        String name = row.getSchema().getName() + " " + new StatisticRow(row).start() + " " + key;
        assertThat(written.add(name)).as("%s is written once", name).isTrue();
        if (row instanceof TrafficCount traffic) {
            add(traffic);
        } else if (row instanceof ViolationCount violation) {
            add(violation);
        } else if (row instanceof EdgeCount edge) {
            add(edge);
        } else if (row instanceof TurnaroundCount turnaround) {
            add(turnaround);
        } else if (row instanceof PatchCount patch) {
            add(patch);
        } else {
            add((DefinitionChangeCount) row);
        }
    }

    private void add(TrafficCount row) {
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

    private void add(ViolationCount row) {
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

    private void add(EdgeCount row) {
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

    private void add(TurnaroundCount row) {
        String name = String.join(
                " / ",
                "turnaround",
                window(row.getWindowStart(), row.getWindowEnd(), row.getLate()),
                row.getNamespace(),
                row.getProtocol(),
                row.getAgent(),
                row.getKind(),
                row.getName(),
                row.getOutcome());
        count(row.getItems(), name, "items");
        count(row.getTotalMs(), name, "totalMs");
        count(row.getMaxMs(), name, "maxMs");
        count(row.getRequestBytes(), name, "requestBytes");
        count(row.getResponseBytes(), name, "responseBytes");
        WITHIN.keySet().forEach(column -> count((Long) row.get(column), name, column));
    }

    private void add(PatchCount row) {
        String name = String.join(
                " / ",
                "patch",
                window(row.getWindowStart(), row.getWindowEnd(), row.getLate()),
                row.getNamespace(),
                row.getContext(),
                row.getVerdict(),
                row.getCode());
        for (String column : List.of(
                "patches",
                "applied",
                "duplicates",
                "branches",
                "released",
                "expired",
                "totalParkedMs",
                "maxParkedMs")) {
            count((Long) row.get(column), name, column);
        }
    }

    private void add(DefinitionChangeCount row) {
        String name = String.join(
                " / ",
                "definition",
                window(row.getWindowStart(), row.getWindowEnd(), row.getLate()),
                row.getNamespace(),
                row.getContext(),
                row.getDefinition());
        count(row.getChanges(), name, "changes");
        count(row.getAdded(), name, "ADD");
        count(row.getReplaced(), name, "CHANGE");
        count(row.getRemoved(), name, "REMOVE");
    }

    private static String window(Instant start, Instant end, boolean late) {
        assertThat(end).isEqualTo(start.plusSeconds(60));
        return start + (late ? " late" : "");
    }

    private void count(long number, String... names) {
        if (number != 0) {
            boolean isMaximum = names[names.length - 1].startsWith("max");
            totals.merge(String.join(" / ", names), number, isMaximum ? Math::max : Long::sum);
        }
    }
}
