package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Counts messages, their codes, and their senders and recipients. */
final class MessageCounts {
    /** Maximum recipients of one message that have rows of their own. */
    static final int MAX_RECIPIENTS = 100;
    /** The code of text that is no code of this version. */
    static final String UNKNOWN_CODE = "UNKNOWN";

    private static final long[] ONE = {1};

    private MessageCounts() {}

    /** What a code means for its message. */
    enum Kind {
        /** The code of an undecodable record. */
        DECODE_ERROR,
        /** The deciding code of a decoded message. */
        VIOLATION,
        /** One of the warnings. */
        WARNING
    }

    static void count(AuditRecord audit, CountSink sink) {
        Verdict verdict = Symbols.VERDICT.of(audit.getVerdict());
        sink.add(traffic(audit.getMessage(), verdict), ONE);
        countCodes(audit, verdict, sink);
        if (audit.getMessage() != null) {
            countRecipients(audit.getMessage(), verdict, sink);
        }
    }

    private static Dimensions traffic(AgentMessage message, Verdict verdict) {
        return message == null
                ? Dimensions.of(
                        CountKind.TRAFFIC,
                        "",
                        Protocol.UNKNOWN.name(),
                        Performative.UNSPECIFIED.name(),
                        null,
                        verdict.name())
                : Dimensions.of(
                        CountKind.TRAFFIC,
                        message.getNamespace(),
                        protocol(message),
                        Symbols.PERFORMATIVE.of(message.getPerformative()).name(),
                        message.getSender(),
                        verdict.name());
    }

    /** Counts the deciding code of a record, and each of its warnings once. */
    private static void countCodes(AuditRecord audit, Verdict verdict, CountSink sink) {
        if (audit.getCode() != null) {
            Kind kind = verdict == Verdict.UNDECODABLE ? Kind.DECODE_ERROR : Kind.VIOLATION;
            sink.add(violation(audit.getMessage(), kind, known(audit.getCode())), ONE);
        }
        Set<String> warnings = new HashSet<>();
        for (String warning : audit.getWarnings()) {
            String code = known(warning);
            if (warnings.add(code)) {
                sink.add(violation(audit.getMessage(), Kind.WARNING, code), ONE);
            }
        }
    }

    private static Dimensions violation(AgentMessage message, Kind kind, String code) {
        return message == null
                ? Dimensions.of(CountKind.VIOLATION, "", protocolOf(code).name(), null, kind.name(), code)
                : Dimensions.of(
                        CountKind.VIOLATION,
                        message.getNamespace(),
                        protocol(message),
                        message.getSender(),
                        kind.name(),
                        code);
    }

    static String known(String code) {
        return Code.isName(code) ? code : UNKNOWN_CODE;
    }

    private static Protocol protocolOf(String code) {
        return code.equals(UNKNOWN_CODE) ? Protocol.UNKNOWN : Code.of(code).protocol();
    }

    /** Counts a message once for each of its recipients, or once if it names none. */
    private static void countRecipients(AgentMessage message, Verdict verdict, CountSink sink) {
        long[] counts = edgeCounts(verdict, 1);
        List<String> all = message.getRecipients();
        if (all.size() <= 1) {
            sink.add(edge(message, all.isEmpty() ? null : all.get(0)), counts);
            return;
        }
        Set<String> recipients = new LinkedHashSet<>(all);
        recipients.stream().limit(MAX_RECIPIENTS).forEach(recipient -> sink.add(edge(message, recipient), counts));
        if (recipients.size() > MAX_RECIPIENTS) {
            sink.add(edge(message, null).other(), edgeCounts(verdict, recipients.size() - MAX_RECIPIENTS));
        }
    }

    /** Returns all messages, and those accepted, flagged and rejected. */
    private static long[] edgeCounts(Verdict verdict, int recipients) {
        long[] counts = {recipients, 0, 0, 0};
        switch (verdict) {
            case ACCEPTED -> counts[1] = recipients;
            case FLAGGED -> counts[2] = recipients;
            case REJECTED -> counts[3] = recipients;
            case UNDECODABLE, UNSPECIFIED -> {
                // Counted as a message only.
            }
        }
        return counts;
    }

    private static Dimensions edge(AgentMessage message, String recipient) {
        return Dimensions.of(CountKind.EDGE, message.getNamespace(), protocol(message), message.getSender(), recipient);
    }

    private static String protocol(AgentMessage message) {
        return Symbols.PROTOCOL.of(message.getProtocol()).name();
    }
}
