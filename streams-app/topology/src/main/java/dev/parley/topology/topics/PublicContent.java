package dev.parley.topology.topics;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.codec.json.MaskRules;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import dev.parley.decode.WireProtocol;
import dev.parley.encoding.ByteBuffers;
import dev.parley.protocol.Protocols;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The content that every reader may see: all but {@link PrivateContent} and the values that rules mask. Rules concern
 * messages that are JSON, and bytes that are not decoded. They concern no names outside of the body: namespace,
 * conversation, agents, claims, and what other topics have of a message, such as the ID of an open item.
 *
 * @param rules what to mask in addition to private content
 */
public record PublicContent(MaskRules rules) {
    /** All but private content. */
    public static final PublicContent WITHOUT_RULES = new PublicContent(MaskRules.NONE);

    /** What readers see in place of a value. Without a hash of the value, which would confirm a guess. */
    public static final String MARKER = "[masked]";

    private static final UnaryOperator<String> TO_MARKER = value -> MARKER;

    /**
     * The part of an audited record that readers may see.
     *
     * @return the record itself; a copy with a marker for each masked value, without hashes of the bytes and texts that
     *     may quote a value; or null if the whole body, and all texts that may quote it, are hidden
     */
    public AuditRecord of(AuditRecord record) {
        if (PrivateContent.isPrivate(record)) {
            return null;
        }
        ByteBuffer raw = AuditChain.raw(record);
        AgentMessage message = record.getMessage();
        WireProtocol<?> protocol =
                message == null ? null : Protocols.STANDARD.wire().of(message);
        boolean isText = protocol != null && !protocol.codec().isJson();
        if (rules.isEmpty() || raw == null || isText || record.getRedaction() != null) {
            return record;
        }
        byte[] bytes = ByteBuffers.of(raw);
        byte[] masked = rules.mask(bytes, TO_MARKER);
        Map<String, String> headers = protocol == null ? Map.of() : protocol.headers(message);
        Map<String, String> shown = new LinkedHashMap<>();
        headers.forEach((name, value) -> shown.put(name, header(name, value, masked != bytes)));
        if (masked == bytes && shown.equals(headers)) {
            return record;
        }
        AgentMessage reread = masked == null || protocol == null ? null : protocol.reread(message, masked, shown);
        if (reread == null) {
            return null;
        }
        // The hashes of the bytes would confirm a guess of the few that are masked.
        reread.setSha256(ByteBuffer.allocate(0));
        AuditRecord copy = new AuditRecord();
        record.getSchema().getFields().forEach(field -> copy.put(field.pos(), record.get(field.pos())));
        copy.setMessage(reread);
        copy.setPayloadHash(null);
        copy.setDetail(null);
        copy.setInnerMessages(List.of());
        return copy;
    }

    private String header(String name, String value, boolean isBodyMasked) {
        String parameter = CaptureHeaders.parameter(name);
        return isBodyMasked && parameter != null
                ? MARKER
                : rules.mask(parameter == null ? name : parameter, value, TO_MARKER);
    }

    /** Whether the value of a dead letter, and every text that may quote it, is hidden. */
    public boolean hides(DeadLetterSummary deadLetter) {
        boolean isDecoded = deadLetter.getStage() == Stage.JUDGE || deadLetter.getStage() == Stage.APPLY;
        boolean isPrivate = PrivateContent.isPrivate(deadLetter);
        if (isPrivate || rules.isEmpty() || isDecoded && isText(deadLetter.getProtocol())) {
            return isPrivate;
        }
        // The rest of a longer value may contain a masked value, which a text quotes.
        byte[] preview = ByteBuffers.of(deadLetter.getPreview());
        Integer size = deadLetter.getValueSize();
        return size != null && size > preview.length || rules.mask(preview, TO_MARKER) != preview;
    }

    /** Whether messages of a protocol are not JSON; false for one without a symbol of its own. */
    private static boolean isText(Protocol symbol) {
        return Protocols.STANDARD.wire().all().stream()
                .anyMatch(protocol ->
                        protocol.symbol() == symbol && !protocol.codec().isJson());
    }
}
