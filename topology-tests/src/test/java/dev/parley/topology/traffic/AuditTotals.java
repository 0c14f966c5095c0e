package dev.parley.topology.traffic;

import dev.parley.avro.AuditRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** An independent count of audit records, in the form of {@link RowTotals}. Uses none of the classes that it checks. */
final class AuditTotals {
    private final Duration grace;
    private final SortedMap<String, Long> totals = new TreeMap<>();
    private Instant latest = Instant.EPOCH;

    AuditTotals(Duration grace) {
        this.grace = grace;
    }

    SortedMap<String, Long> totals() {
        return totals;
    }

    void add(AuditRecord audit) {
        Instant minute = audit.getSource().getTimestamp().truncatedTo(ChronoUnit.MINUTES);
        if (minute.isAfter(latest)) {
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
        }
        count(1, "traffic", window, namespace, protocol, performative, sender, audit.getVerdict());
        addViolations(audit, window, namespace, protocol, sender);
        addEdges(audit, window);
    }

    private void addViolations(AuditRecord audit, String window, String namespace, String protocol, String sender) {
        if (audit.getCode() != null) {
            boolean undecodable = audit.getVerdict().equals("UNDECODABLE");
            String prefix = audit.getCode().substring(0, audit.getCode().indexOf('_'));
            boolean isProtocol =
                    List.of("SLIP", "SUBIT", "CSP", "LAMBDA", "EXTENSION").contains(prefix);
            String of = !undecodable ? protocol : isProtocol ? prefix : "UNKNOWN";
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
        totals.merge(String.join(" / ", names), number, Long::sum);
    }
}
