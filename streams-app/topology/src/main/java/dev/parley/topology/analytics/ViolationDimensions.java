package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.avro.ViolationCount;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * The dimensions of a count of decode errors, violations or warnings. Its counts are one number: the messages.
 *
 * @param sender null if unknown
 * @param code the name of a {@link Code}, or {@link #UNKNOWN_CODE}
 * @param isOther whether they count messages beyond the maximum number of rows
 */
record ViolationDimensions(String namespace, Protocol protocol, String sender, Kind kind, String code, boolean isOther)
        implements Dimensions {

    /** The code of text that is no code of this version. */
    static final String UNKNOWN_CODE = "UNKNOWN";

    private static final String TRUE = "1";
    private static final long[] ONE = {1};

    /** What a code means for its message. */
    enum Kind {
        /** The code of an undecodable record. */
        DECODE_ERROR,
        /** The deciding code of a decoded message. */
        VIOLATION,
        /** One of the warnings. */
        WARNING
    }

    /** Counts the deciding code of a record, and each of its warnings once. */
    static void count(AuditRecord audit, CountSink sink) {
        if (audit.getCode() != null) {
            boolean isUndecodable = Symbols.VERDICT.of(audit.getVerdict()) == Verdict.UNDECODABLE;
            Kind kind = isUndecodable ? Kind.DECODE_ERROR : Kind.VIOLATION;
            sink.add(of(audit.getMessage(), kind, known(audit.getCode())), ONE);
        }
        Set<String> warnings = new HashSet<>();
        for (String warning : audit.getWarnings()) {
            String code = known(warning);
            if (warnings.add(code)) {
                sink.add(of(audit.getMessage(), Kind.WARNING, code), ONE);
            }
        }
    }

    private static ViolationDimensions of(AgentMessage message, Kind kind, String code) {
        return message == null
                ? new ViolationDimensions("", protocolOf(code), null, kind, code, false)
                : new ViolationDimensions(
                        message.getNamespace(),
                        Symbols.PROTOCOL.of(message.getProtocol()),
                        message.getSender(),
                        kind,
                        code,
                        false);
    }

    static String known(String code) {
        return Code.isName(code) ? code : UNKNOWN_CODE;
    }

    private static Protocol protocolOf(String code) {
        return code.equals(UNKNOWN_CODE) ? Protocol.UNKNOWN : Code.of(code).protocol();
    }

    @Override
    public String toKey() {
        return KeyFields.join(
                CountKind.VIOLATION.prefix(),
                isOther ? TRUE : null,
                protocol.name(),
                kind.name(),
                code,
                namespace,
                sender);
    }

    static ViolationDimensions of(String key) {
        KeyFields fields = new KeyFields(key, CountKind.VIOLATION.prefix());
        boolean isOther = fields.next() != null;
        Protocol protocol = Protocol.valueOf(fields.next());
        Kind kind = Kind.valueOf(fields.next());
        String code = fields.next();
        String namespace = fields.next();
        return new ViolationDimensions(namespace, protocol, fields.next(), kind, code, isOther);
    }

    @Override
    public ViolationDimensions other() {
        return new ViolationDimensions(OTHER, protocol, OTHER, kind, code, true);
    }

    @Override
    public ViolationCount row(Instant start, long[] counts, boolean late) {
        return ViolationCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(namespace)
                .setProtocol(protocol.name())
                .setSender(sender)
                .setKind(kind.name())
                .setCode(code)
                .setMessages(counts[0])
                .setLate(late)
                .setOther(isOther)
                .build();
    }
}
