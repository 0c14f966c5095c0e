package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a verifier knows of redactions: those that chains record, and the payloads that are left out because of one. */
public final class Redactions {
    private final Set<Redaction> recorded = new HashSet<>();
    private final Map<Redaction, Fault> awaited = new HashMap<>();
    private final List<Fault> unfit = new ArrayList<>();
    private long events;
    private long redacted;

    Redactions() {}

    /**
     * A record without its payload and without what was made of it.
     *
     * @param link a record
     * @param because the redaction
     */
    public static AuditRecord redact(AuditRecord link, Redaction because) {
        return new AuditRecord(
                link.getChain(),
                link.getSequence(),
                link.getHash(),
                link.getPreviousHash(),
                link.getSource(),
                link.getPayloadHash(),
                link.getVerdict(),
                link.getStage(),
                link.getCode(),
                link.getPosition(),
                null,
                link.getWarnings(),
                null,
                link.getProfile(),
                null,
                null,
                link.getContentHash(),
                link.getRedaction(),
                because);
    }

    /** Whether a redaction is about a record. */
    public static boolean concerns(Redaction redaction, AuditRecord link) {
        return withoutClaim(redaction.getSource()).equals(withoutClaim(link.getSource()))
                && redaction.getChain().equals(link.getChain())
                && redaction.getPayloadHash().equals(link.getPayloadHash());
    }

    /** What identifies the input record that a redaction is about: an instance of an earlier version copies no producerTime. */
    public static Source withoutClaim(Source source) {
        return new Source(source.getTopic(), source.getPartition(), source.getOffset(), source.getTimestamp(), null);
    }

    /** Number of redactions that the chains record. */
    public long events() {
        return events;
    }

    /** Number of records whose payload is left out because of one. */
    public long redacted() {
        return redacted;
    }

    void see(AuditRecord link, Place place) {
        if (link.getRedaction() != null) {
            events++;
            recorded.add(link.getRedaction());
            awaited.remove(link.getRedaction());
        }
        Redaction because = link.getRedacted();
        if (because != null) {
            redacted++;
            Fault unproven = Fault.of(FaultCode.REDACTION_UNPROVEN, place, link.getChain(), link.getSequence());
            if (!concerns(because, link)) {
                unfit.add(unproven);
            } else if (!recorded.contains(because)) {
                awaited.put(because, unproven);
            }
        }
    }

    List<Fault> unproven() {
        List<Fault> all = new ArrayList<>(unfit);
        all.addAll(awaited.values());
        return all;
    }
}
