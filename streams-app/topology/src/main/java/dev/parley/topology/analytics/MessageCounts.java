package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.topology.topics.PrivateContent;
import dev.parley.topology.topics.Statistic;
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

    /** The effect of a code on its message. */
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
        Origin origin = Origin.of(audit);
        AgentMessage message = audit.getMessage();
        sink.add(
                Dimensions.of(
                        Statistic.TRAFFIC,
                        origin.namespace(),
                        origin.protocol().name(),
                        (message == null
                                        ? Performative.UNSPECIFIED
                                        : Symbols.PERFORMATIVE.of(message.getPerformative()))
                                .name(),
                        origin.sender(),
                        verdict.name()),
                ONE);
        countCodes(audit, origin, verdict, sink);
        if (message != null) {
            countRecipients(message, verdict, sink);
        }
    }

    /**
     * Where a record comes from: what its message says, or what an undecodable record claims. Only undecodable records
     * have claims, so their verdict and kind of code tell claimed names from those of messages.
     */
    private record Origin(String namespace, Protocol protocol, String sender) {

        static Origin of(AuditRecord audit) {
            AgentMessage message = audit.getMessage();
            if (message != null) {
                return new Origin(
                        message.getNamespace(), Symbols.PROTOCOL.of(message.getProtocol()), message.getSender());
            }
            Claims claims = audit.getClaims();
            if (claims == null) {
                return new Origin("", Protocol.UNKNOWN, null);
            }
            Protocol protocol = ConversationKey.symbolOf(claims.getProtocol());
            // Rows have no masking, so names that may quote private content stay out of them.
            return claims.getNamespace() == null || PrivateContent.isPrivate(audit)
                    ? new Origin("", protocol, null)
                    : new Origin(claims.getNamespace(), protocol, claims.getSender());
        }
    }

    /** Counts the deciding code of a record, and each of its warnings once. */
    private static void countCodes(AuditRecord audit, Origin origin, Verdict verdict, CountSink sink) {
        if (audit.getCode() != null) {
            Kind kind = verdict == Verdict.UNDECODABLE ? Kind.DECODE_ERROR : Kind.VIOLATION;
            sink.add(violation(origin, kind, known(audit.getCode())), ONE);
        }
        Set<String> warnings = new HashSet<>();
        for (String warning : audit.getWarnings()) {
            String code = known(warning);
            if (warnings.add(code)) {
                sink.add(violation(origin, Kind.WARNING, code), ONE);
            }
        }
    }

    private static Dimensions violation(Origin origin, Kind kind, String code) {
        Protocol protocol = origin.protocol() == Protocol.UNKNOWN ? protocolOf(code) : origin.protocol();
        return Dimensions.of(
                Statistic.VIOLATIONS, origin.namespace(), protocol.name(), origin.sender(), kind.name(), code);
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
        return Dimensions.of(
                Statistic.EDGES, message.getNamespace(), protocol(message), message.getSender(), recipient);
    }

    private static String protocol(AgentMessage message) {
        return Symbols.PROTOCOL.of(message.getProtocol()).name();
    }
}
