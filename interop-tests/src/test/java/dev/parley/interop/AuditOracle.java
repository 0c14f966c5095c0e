package dev.parley.interop;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;

/** Answers of the documented queries, computed from the audit records without SQL. */
final class AuditOracle {
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

    /** Namespace, context and name of each definition, and the number of patches that changed it. */
    List<List<Object>> definitions() {
        Map<List<Object>, Set<Object>> patches = new HashMap<>();
        for (GenericRecord record : audit) {
            GenericRecord message = (GenericRecord) record.get("message");
            GenericRecord csp = message == null ? null : (GenericRecord) message.get("csp");
            if (csp == null
                    || !text(record, "verdict").equals("ACCEPTED")
                    || !text(csp, "intent").equals("PATCH")
                    || record.get("warnings").toString().contains("CSP_DUPLICATE")) {
                continue;
            }
            for (Object operation : (Collection<?>) csp.get("operations")) {
                List<Object> key = Arrays.asList(
                        text(message, "namespace"),
                        text(message, "conversation"),
                        text((GenericRecord) operation, "name"));
                patches.computeIfAbsent(key, any -> new HashSet<>()).add(csp.get("target"));
            }
        }
        List<List<Object>> rows = new ArrayList<>();
        patches.forEach((key, targets) -> {
            List<Object> row = new ArrayList<>(key);
            row.add((long) targets.size());
            rows.add(row);
        });
        return rows;
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
