package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspOperation;
import dev.parley.avro.OpenItem;
import dev.parley.topology.analytics.AuditLoad.Audited;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** An independent count of audit records, in the form of {@link RowTotals}. Uses none of the classes that it checks. */
final class AuditTotals {
    private final Duration grace;
    private final ItemOracle items = new ItemOracle();
    private final SortedMap<String, Long> totals = new TreeMap<>();
    private Instant latest = Instant.EPOCH;
    private boolean advanced;

    AuditTotals(Duration grace) {
        this.grace = grace;
    }

    SortedMap<String, Long> totals() {
        return totals;
    }

    /** Whether the last record began a minute. */
    boolean advanced() {
        return advanced;
    }

    /** The open items by key. */
    Map<String, OpenItem> open() {
        return items.open();
    }

    void add(Audited entry) {
        AuditRecord audit = entry.record();
        Instant minute = audit.getSource().getTimestamp().truncatedTo(ChronoUnit.MINUTES);
        advanced = minute.isAfter(latest);
        if (advanced) {
            latest = minute;
        }
        boolean late = !minute.plusSeconds(60).plus(grace).isAfter(latest);
        String window = (late ? latest + " late" : minute.toString());
        String namespace = "";
        String protocol = "UNKNOWN";
        String performative = "UNSPECIFIED";
        String sender = null;
        if (audit.getMessage() != null) {
            namespace = audit.getMessage().getNamespace();
            protocol = audit.getMessage().getProtocol();
            performative = audit.getMessage().getPerformative();
            sender = audit.getMessage().getSender();
        } else if (audit.getClaims() != null) {
            protocol = audit.getClaims().getProtocol();
            namespace = audit.getClaims().getNamespace();
            sender = audit.getClaims().getSender();
        }
        count(1, "traffic", window, namespace, protocol, performative, sender, audit.getVerdict());
        addViolations(audit, window, namespace, protocol, sender);
        addEdges(audit, window);
        addPatches(entry, window);
        items.add(audit).forEach(closed -> addTurnaround(closed, window));
    }

    private void addTurnaround(ItemOracle.Closed closed, String window) {
        OpenItem item = closed.item();
        String[] row = {
            "turnaround",
            window,
            item.getNamespace(),
            item.getProtocol(),
            closed.agent(),
            item.getKind(),
            item.getName(),
            closed.outcome()
        };
        long millis = closed.turnaround().toMillis();
        count(1, append(row, "items"));
        count(millis, append(row, "totalMs"));
        maximum(millis, append(row, "maxMs"));
        count(closed.requestBytes(), append(row, "requestBytes"));
        count(closed.responseBytes(), append(row, "responseBytes"));
        RowTotals.WITHIN.forEach((column, bound) -> {
            if (closed.turnaround().compareTo(bound) <= 0) {
                count(1, append(row, column));
            }
        });
    }

    /** Decides by codes and warnings, and by the time of the verdict. */
    private void addPatches(Audited entry, String window) {
        AgentMessage message = entry.record().getMessage();
        if (message == null || message.getCsp() == null || message.getCsp().getIntent() != CspIntent.PATCH) {
            return;
        }
        List<String> warnings = entry.record().getWarnings();
        String code = entry.record().getCode();
        boolean accepted = entry.record().getVerdict().equals("ACCEPTED");
        boolean duplicate = accepted && warnings.contains("CSP_DUPLICATE");
        String[] row = {
            "patch",
            window,
            message.getNamespace(),
            message.getConversation(),
            entry.record().getVerdict(),
            code
        };
        long parked = Duration.between(message.getSource().getTimestamp(), entry.decided())
                .toMillis();
        boolean expired = parked > 0 && "CSP_UNKNOWN_BASE".equals(code);
        count(1, append(row, "patches"));
        count(accepted && !duplicate ? 1 : 0, append(row, "applied"));
        count(duplicate ? 1 : 0, append(row, "duplicates"));
        count(accepted && warnings.contains("CSP_FORK") ? 1 : 0, append(row, "branches"));
        count(parked > 0 && !expired ? 1 : 0, append(row, "released"));
        count(expired ? 1 : 0, append(row, "expired"));
        count(parked, append(row, "totalParkedMs"));
        maximum(parked, append(row, "maxParkedMs"));
        if (accepted && !duplicate) {
            for (CspOperation operation : message.getCsp().getOperations()) {
                String[] definition = {
                    "definition", window, message.getNamespace(), message.getConversation(), operation.getName()
                };
                count(1, append(definition, "changes"));
                count(1, append(definition, operation.getOperator().name()));
            }
        }
    }

    private void addViolations(AuditRecord audit, String window, String namespace, String protocol, String sender) {
        if (audit.getCode() != null) {
            boolean undecodable = audit.getVerdict().equals("UNDECODABLE");
            String prefix = audit.getCode().substring(0, audit.getCode().indexOf('_'));
            boolean isProtocol =
                    List.of("SLIP", "SUBIT", "CSP", "LAMBDA", "EXTENSION").contains(prefix);
            String of = protocol.equals("UNKNOWN") && isProtocol ? prefix : protocol;
            String kind = undecodable ? "DECODE_ERROR" : "VIOLATION";
            count(1, "violation", window, namespace, of, sender, kind, audit.getCode());
        }
        for (String warning : new LinkedHashSet<>(audit.getWarnings())) {
            count(1, "violation", window, namespace, protocol, sender, "WARNING", warning);
        }
    }

    private void addEdges(AuditRecord audit, String window) {
        if (audit.getMessage() == null) {
            return;
        }
        Set<String> recipients = new LinkedHashSet<>(audit.getMessage().getRecipients());
        if (recipients.isEmpty()) {
            recipients.add(null);
        }
        for (String recipient : recipients) {
            String[] edge = {
                "edge",
                window,
                audit.getMessage().getNamespace(),
                audit.getMessage().getProtocol(),
                audit.getMessage().getSender(),
                recipient
            };
            count(1, append(edge, "messages"));
            count(1, append(edge, audit.getVerdict().toLowerCase(java.util.Locale.ROOT)));
        }
    }

    private static String[] append(String[] names, String last) {
        String[] all = Arrays.copyOf(names, names.length + 1);
        all[names.length] = last;
        return all;
    }

    private void count(long number, String... names) {
        if (number != 0) {
            totals.merge(String.join(" / ", names), number, Long::sum);
        }
    }

    private void maximum(long number, String... names) {
        if (number != 0) {
            totals.merge(String.join(" / ", names), number, Math::max);
        }
    }
}
