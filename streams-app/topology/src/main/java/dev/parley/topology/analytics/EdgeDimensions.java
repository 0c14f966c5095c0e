package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.Protocol;
import dev.parley.codec.Symbols;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The dimensions of a count of messages from one agent to another. Its counts are the messages, and those that were
 * accepted, flagged and rejected.
 *
 * @param sender null if unknown
 * @param recipient null if the message names none
 * @param isOther whether they count messages beyond a maximum
 */
record EdgeDimensions(String namespace, Protocol protocol, String sender, String recipient, boolean isOther)
        implements Dimensions {

    /** Maximum recipients of one message that have rows of their own. */
    static final int MAX_RECIPIENTS = 100;

    private static final String TRUE = "1";

    /** Counts a decoded message once for each of its recipients, or once if it names none. */
    static void count(AuditRecord audit, CountSink sink) {
        AgentMessage message = audit.getMessage();
        if (message == null) {
            return;
        }
        long[] counts = counts(audit, 1);
        List<String> all = message.getRecipients();
        if (all.size() <= 1) {
            sink.add(of(message, all.isEmpty() ? null : all.get(0)), counts);
            return;
        }
        Set<String> recipients = new LinkedHashSet<>(all);
        recipients.stream().limit(MAX_RECIPIENTS).forEach(recipient -> sink.add(of(message, recipient), counts));
        if (recipients.size() > MAX_RECIPIENTS) {
            sink.add(of(message, null).other(), counts(audit, recipients.size() - MAX_RECIPIENTS));
        }
    }

    private static long[] counts(AuditRecord audit, int recipients) {
        long[] counts = {recipients, 0, 0, 0};
        switch (Symbols.VERDICT.of(audit.getVerdict())) {
            case ACCEPTED -> counts[1] = recipients;
            case FLAGGED -> counts[2] = recipients;
            case REJECTED -> counts[3] = recipients;
            case UNDECODABLE, UNSPECIFIED -> {
                // Counted as a message only.
            }
        }
        return counts;
    }

    private static EdgeDimensions of(AgentMessage message, String recipient) {
        return new EdgeDimensions(
                message.getNamespace(),
                Symbols.PROTOCOL.of(message.getProtocol()),
                message.getSender(),
                recipient,
                false);
    }

    @Override
    public String toKey() {
        return KeyFields.join(
                CountKind.EDGE.prefix(), isOther ? TRUE : null, protocol.name(), namespace, sender, recipient);
    }

    static EdgeDimensions of(String key) {
        KeyFields fields = new KeyFields(key, CountKind.EDGE.prefix());
        boolean isOther = fields.next() != null;
        Protocol protocol = Protocol.valueOf(fields.next());
        String namespace = fields.next();
        String sender = fields.next();
        return new EdgeDimensions(namespace, protocol, sender, fields.next(), isOther);
    }

    @Override
    public EdgeDimensions other() {
        return new EdgeDimensions(OTHER, protocol, OTHER, OTHER, true);
    }

    @Override
    public EdgeCount row(Instant start, long[] counts, boolean late) {
        return EdgeCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(namespace)
                .setProtocol(protocol.name())
                .setSender(sender)
                .setRecipient(recipient)
                .setMessages(counts[0])
                .setAccepted(counts[1])
                .setFlagged(counts[2])
                .setRejected(counts[3])
                .setLate(late)
                .setOther(isOther)
                .build();
    }
}
