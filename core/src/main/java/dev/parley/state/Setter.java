package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;

/**
 * The message that made a change.
 *
 * @param sequence its place in the audit chain
 * @param source its input record
 * @param sender who sent it; null when nobody knows
 */
public record Setter(long sequence, Source source, String sender) {

    /** The message of a record. */
    public static Setter of(AuditRecord record) {
        return new Setter(
                record.getSequence(), record.getSource(), record.getMessage().getSender());
    }
}
