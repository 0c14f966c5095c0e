package dev.parley.interop;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/** Answers of the documented queries, computed from the audit records without SQL. */
final class AuditOracle {
    private static final Pattern BUCKET = Pattern.compile("within(\\d+)(ms|s|m|h)");
    private static final Map<String, Integer> UNITS = Map.of("ms", 1, "s", 1_000, "m", 60_000, "h", 3_600_000);

    private final List<GenericRecord> audit;

    /**
     * @param audit the audit records
     */
    AuditOracle(List<GenericRecord> audit) {
        this.audit = audit;
    }

    /** Number of rows of the violation topic that count a record: its code and its different warnings. */
    static long codes(GenericRecord audit) {
        long warnings = new LinkedHashSet<>((Collection<?>) audit.get("warnings")).size();
        return warnings + (audit.get("code") == null ? 0 : 1);
    }

    /** Number of messages in the edge topic that count a record: its different recipients, or one. */
    static long edges(GenericRecord audit) {
        GenericRecord message = (GenericRecord) audit.get("message");
        return message == null ? 0 : Math.max(1, new LinkedHashSet<>((Collection<?>) message.get("recipients")).size());
    }

    /** Hour, namespace, sender and number of rejections. */
    List<List<Object>> rejections() {
        Map<String, List<Object>> rows = new TreeMap<>();
        for (GenericRecord record : audit) {
            if (text(record, "verdict").equals("REJECTED")) {
                GenericRecord message = (GenericRecord) record.get("message");
                List<Object> key = Arrays.asList(hour(record), text(message, "namespace"), text(message, "sender"), 1L);
                rows.merge(key.subList(0, 3).toString(), key, (one, other) -> {
                    List<Object> sum = new ArrayList<>(one);
                    sum.set(3, (long) one.get(3) + 1);
                    return sum;
                });
            }
        }
        return List.copyOf(rows.values());
    }

    /** Namespace, context and name of each definition, and the number of operations of applied patches on it. */
    List<List<Object>> definitions() {
        Map<List<Object>, Long> changes = new HashMap<>();
        for (GenericRecord record : audit) {
            GenericRecord message = (GenericRecord) record.get("message");
            for (GenericRecord operation : operations(record)) {
                List<Object> key = Arrays.asList(
                        text(message, "namespace"), text(message, "conversation"), text(operation, "name"));
                changes.merge(key, 1L, Long::sum);
            }
        }
        List<List<Object>> rows = new ArrayList<>();
        changes.forEach((key, count) -> {
            List<Object> row = new ArrayList<>(key);
            row.add(count);
            rows.add(row);
        });
        return rows;
    }

    /** Number of operations of a record; 0 if it is no applied patch. */
    static long changes(GenericRecord audit) {
        return operations(audit).size();
    }

    private static List<GenericRecord> operations(GenericRecord audit) {
        GenericRecord message = (GenericRecord) audit.get("message");
        GenericRecord csp = message == null ? null : (GenericRecord) message.get("csp");
        if (csp == null
                || !text(audit, "verdict").equals("ACCEPTED")
                || !text(csp, "intent").equals("PATCH")
                || audit.get("warnings").toString().contains("CSP_DUPLICATE")) {
            return List.of();
        }
        List<GenericRecord> operations = new ArrayList<>();
        ((Collection<?>) csp.get("operations")).forEach(operation -> operations.add((GenericRecord) operation));
        return operations;
    }

    /** Tool, calls, failed and hung ones, mean time, and bytes of the rows of the turnaround topic. */
    static List<List<Object>> tools(List<GenericRecord> rows) {
        Map<String, List<GenericRecord>> tools = new HashMap<>();
        for (GenericRecord row : rows) {
            if (text(row, "protocol").equals("MCP")
                    && text(row, "kind").equals("TASK")
                    && !text(row, "outcome").equals("LATE")) {
                tools.computeIfAbsent(text(row, "name"), name -> new ArrayList<>())
                        .add(row);
            }
        }
        List<List<Object>> results = new ArrayList<>();
        tools.forEach((name, group) -> {
            long calls = sum(group, "items", outcome -> true);
            results.add(Arrays.asList(
                    name,
                    calls,
                    sum(group, "items", outcome -> !outcome.equals("RESULT")),
                    sum(group, "items", outcome -> outcome.equals("HUNG")),
                    sum(group, "totalMs", outcome -> true) / calls,
                    sum(group, "requestBytes", outcome -> true),
                    sum(group, "responseBytes", outcome -> true)));
        });
        return results;
    }

    private static long sum(List<GenericRecord> rows, String measure, Predicate<String> outcome) {
        return rows.stream()
                .filter(row -> outcome.test(text(row, "outcome")))
                .mapToLong(row -> (long) row.get(measure))
                .sum();
    }

    /** Protocol, kind, agent, items, and percentiles 50, 95 and 99 of the rows of the turnaround topic. */
    static List<List<Object>> turnaround(List<GenericRecord> rows) {
        Map<List<Object>, List<GenericRecord>> groups = rows.stream()
                .filter(row -> !Set.of("CANCELED", "HUNG").contains(text(row, "outcome")))
                .collect(Collectors.groupingBy(
                        row -> Arrays.asList(text(row, "protocol"), text(row, "kind"), text(row, "agent"))));
        List<List<Object>> results = new ArrayList<>();
        groups.forEach((key, group) -> {
            long items =
                    group.stream().mapToLong(row -> (long) row.get("items")).sum();
            List<Object> result = new ArrayList<>(key);
            result.add(items);
            for (int percent : new int[] {50, 95, 99}) {
                result.add(percentile(group, percent, items));
            }
            results.add(result);
        });
        return results;
    }

    /** The bound of the first bucket that has this share of the items; null if none has. */
    private static Integer percentile(List<GenericRecord> rows, int percent, long items) {
        for (Schema.Field field : rows.get(0).getSchema().getFields()) {
            Matcher bucket = BUCKET.matcher(field.name());
            if (bucket.matches()) {
                long closed = rows.stream()
                        .mapToLong(row -> (long) row.get(field.pos()))
                        .sum();
                if (closed * 100 >= items * percent) {
                    return Integer.parseInt(bucket.group(1)) * UNITS.get(bucket.group(2));
                }
            }
        }
        return null;
    }

    /** Chain, sequence of the first violation, its code, number of violations, sequence of the recovery. */
    List<List<Object>> recoveries() {
        Map<String, List<GenericRecord>> chains =
                audit.stream().collect(Collectors.groupingBy(record -> text(record, "chain")));
        List<List<Object>> rows = new ArrayList<>();
        chains.forEach((chain, records) -> {
            records.sort(Comparator.comparing(record -> (long) record.get("sequence")));
            GenericRecord first = null;
            long violations = 0;
            for (GenericRecord record : records) {
                String verdict = text(record, "verdict");
                if (verdict.equals("REJECTED") || verdict.equals("FLAGGED")) {
                    first = first == null ? record : first;
                    violations++;
                    continue;
                }
                if (first != null && verdict.equals("ACCEPTED")) {
                    rows.add(Arrays.asList(
                            chain, first.get("sequence"), text(first, "code"), violations, record.get("sequence")));
                }
                first = null;
                violations = 0;
            }
        });
        return rows;
    }

    /** Namespace, sender, hour, errors and messages of that hour, errors and messages of the hour before. */
    List<List<Object>> doubled() {
        Map<List<Object>, long[]> hours = audit.stream()
                .filter(record -> record.get("message") != null)
                .filter(record -> ((GenericRecord) record.get("message")).get("sender") != null)
                .collect(Collectors.toMap(
                        record -> {
                            GenericRecord message = (GenericRecord) record.get("message");
                            return Arrays.asList(text(message, "namespace"), text(message, "sender"), hour(record));
                        },
                        record -> new long[] {text(record, "verdict").equals("ACCEPTED") ? 0 : 1, 1},
                        (one, other) -> new long[] {one[0] + other[0], one[1] + other[1]}));
        List<List<Object>> rows = new ArrayList<>();
        hours.forEach((key, now) -> {
            Instant hour = (Instant) key.get(2);
            long[] before = hours.get(Arrays.asList(key.get(0), key.get(1), hour.minus(1, ChronoUnit.HOURS)));
            if (before != null && now[0] > 0 && now[0] * before[1] >= 2 * before[0] * now[1]) {
                rows.add(Arrays.asList(key.get(0), key.get(1), hour, now[0], now[1], before[0], before[1]));
            }
        });
        return rows;
    }

    private static Instant hour(GenericRecord record) {
        return ((Instant) ((GenericRecord) record.get("source")).get("timestamp")).truncatedTo(ChronoUnit.HOURS);
    }

    private static String text(GenericRecord record, String field) {
        return record == null || record.get(field) == null ? null : Objects.toString(record.get(field));
    }
}
