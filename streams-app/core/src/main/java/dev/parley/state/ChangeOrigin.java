package dev.parley.state;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;

/** Origin of a change of an entry. Its JSON keys tell whether it is a message or a patch. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(ChangeOrigin.Message.class), @JsonSubTypes.Type(ChangeOrigin.Patch.class)})
public sealed interface ChangeOrigin {

    /** Sender of the message; null when unknown. */
    String sender();

    /** Input record of the message. */
    Source source();

    /**
     * A message of a SLIP, SUBIT or Λ conversation.
     *
     * @param sequence its sequence in the audit chain, from 0
     * @param sender its sender; null when unknown
     * @param source its input record
     */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    record Message(long sequence, @Nullable String sender, Source source) implements ChangeOrigin, StatePoint {

        /** Creates the origin from the audit record of a message. */
        public static Message of(AuditRecord record) {
            return new Message(record.getSequence(), record.getMessage().getSender(), record.getSource());
        }
    }

    /**
     * A patch of a CSP context.
     *
     * @param checkpoint ID of the checkpoint that it made
     * @param patch its ID
     * @param sender its sender; null when unknown
     * @param source its input record
     */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    record Patch(String checkpoint, String patch, @Nullable String sender, Source source) implements ChangeOrigin {

        /** Creates the origin from a checkpoint other than the root. */
        public static Patch of(Checkpoint checkpoint) {
            return new Patch(checkpoint.getId(), checkpoint.getPatch(), checkpoint.getSender(), checkpoint.getSource());
        }
    }
}
