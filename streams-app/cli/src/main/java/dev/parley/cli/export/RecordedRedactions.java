package dev.parley.cli.export;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Redaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * The redactions that chains record, by target; the first in a chain counts. A record of the redaction topic is only a
 * request: deleting it restores nothing, because the audit trail decides. Memory grows with the number of redactions.
 */
public final class RecordedRedactions {
    private final Map<String, Map<Long, List<Recorded>>> byRecord = new HashMap<>();

    /**
     * A redaction.
     *
     * @param position position of the record that contains it in the log
     */
    record Recorded(Redaction redaction, LogPosition position) {}

    /**
     * Whether a record of the audit topic may record a redaction, judged by the input position in its CloudEvents
     * headers; the others need no deserialization. A record without that header may.
     *
     * @param prefix name of the redaction topic, and a hyphen
     */
    static boolean mayTell(ConsumerRecord<byte[], byte[]> record, byte[] prefix) {
        Header id = record.headers().lastHeader("ce_id");
        if (id == null || id.value() == null) {
            return true;
        }
        byte[] value = id.value();
        return value.length > prefix.length && Arrays.equals(value, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** Adds the next record of any chain; those of one chain in order. */
    public void add(AuditRecord auditRecord) {
        if (Redactions.isEvent(auditRecord)) {
            byRecord.computeIfAbsent(auditRecord.getChain(), chain -> new HashMap<>())
                    .computeIfAbsent(auditRecord.getRedaction().getSequence(), sequence -> new ArrayList<>(1))
                    .add(new Recorded(auditRecord.getRedaction(), auditRecord.getLog()));
        }
    }

    boolean isEmpty() {
        return byRecord.isEmpty();
    }

    /** The redaction of a record; empty if it is not redacted. */
    Optional<Recorded> of(AuditRecord auditRecord) {
        Map<Long, List<Recorded>> ofChain = byRecord.get(auditRecord.getChain());
        return ofChain == null
                ? Optional.empty()
                : ofChain.getOrDefault(auditRecord.getSequence(), List.of()).stream()
                        .filter(recorded -> Redactions.concerns(recorded.redaction(), auditRecord))
                        .findFirst();
    }

    /** The record, or its redacted copy if it is redacted. */
    public AuditRecord redacted(AuditRecord auditRecord) {
        return of(auditRecord)
                .map(recorded -> Redactions.redact(auditRecord, recorded.redaction()))
                .orElse(auditRecord);
    }
}
