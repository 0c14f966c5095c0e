package dev.parley.server.api;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.codec.Symbols;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/**
 * The part of a record in rows, search hits and events of a tail, except its gloss.
 *
 * @param sender null without a message
 * @param recipients empty without a message
 * @param performative null without a message
 * @param bytes size of the message; null if it is redacted
 */
public record MessageOutline(
        Instant time, String sender, List<String> recipients, String performative, String verdict, Integer bytes) {

    public static MessageOutline of(AuditRecord record) {
        AgentMessage message = record.getMessage();
        ByteBuffer raw = message == null ? record.getRaw() : message.getRaw();
        Integer omitted =
                record.getOmitted() == null ? null : record.getOmitted().getValueBytes();
        return new MessageOutline(
                record.getSource().getTimestamp(),
                message == null ? null : message.getSender(),
                message == null ? List.of() : message.getRecipients(),
                message == null
                        ? null
                        : Symbols.PERFORMATIVE.of(message.getPerformative()).name(),
                Symbols.VERDICT.of(record.getVerdict()).name(),
                raw == null ? omitted : (Integer) raw.remaining());
    }
}
