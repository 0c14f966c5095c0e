package dev.parley.server.api;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AuditRecord;
import dev.parley.json.AvroJson;
import dev.parley.json.model.MessageDetail.Integrity;
import dev.parley.log.CheckedRecord;
import dev.parley.log.LogNotes;
import dev.parley.log.RecordVerifier;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.views.Views;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The chain status of one audit record, computed from the views when it is asked for: its hashes and its links to both
 * neighbors.
 */
record ChainStatus(AuditRecord record, Views views) {

    /** How a record is linked to a neighbor. */
    private enum Link {
        /** The hashes match. */
        LINKED,
        /** The hashes differ: one of the records was changed. */
        BROKEN,
        /** There is no such neighbor: the record is the first, or the last so far. */
        NONE,
        /** The views no longer have the neighbor. */
        UNAVAILABLE
    }

    /**
     * Computes the status.
     *
     * @param lastSequence last sequence of the chain
     * @param proof path of the proof of the record
     */
    Integrity status(long lastSequence, String proof) {
        CheckedRecord checked = new RecordVerifier().check(record);
        Link previous = previous();
        Link next = next(lastSequence);
        boolean signed = views.log().heads().stream()
                .anyMatch(head -> !LogNotes.signersOf(head).isEmpty());
        boolean sound = checked.faults().isEmpty() && previous != Link.BROKEN && next != Link.BROKEN;
        return new Integrity(
                AvroJson.hex(record.getHash()),
                AvroJson.hex(record.getPreviousHash()),
                AvroJson.hex(record.getContentHash()),
                checked.faults().stream().map(Enum::name).toList(),
                content(checked),
                previous.name(),
                next.name(),
                record.getLog(),
                sound ? "NEIGHBORS" : "NONE",
                proves(sound, signed),
                signed ? new Integrity.Links(proof) : null,
                commands(signed));
    }

    /**
     * Checks the proof of the record, and then its chain from an export. File names differ between records. BROKERS and
     * REGISTRY are for the reader to replace: without them, the export would read from localhost.
     */
    private List<String> commands(boolean signed) {
        String name = "parley-" + AvroJson.hex(record.getHash()).substring(0, 12);
        String export = "parley export --chain=" + ShellWord.of(record.getChain()) + " --set "
                + ParleyConfig.BOOTSTRAP_SERVERS + "=BROKERS --set " + ParleyConfig.REGISTRY_URL + "=REGISTRY --out "
                + name + ".jsonl";
        String verify = "parley verify " + name + ".jsonl";
        return signed
                ? List.of(
                        "parley prove --check " + name + ".proof --key audit.vkey",
                        export,
                        verify + " --key audit.vkey --accept-open-end")
                : List.of(export, verify);
    }

    private static String proves(boolean sound, boolean signed) {
        if (!sound) {
            return "Nothing: a hash is wrong, so this record or one near it was changed. Run parley verify.";
        }
        return "The record has correct hashes and is linked to its neighbors. "
                + (signed
                        ? "Its proof shows that a signed head of the audit log contains it."
                        : "The heads of the audit log are not signed, so a writer of all topics could replace it. Set"
                                + " audit.heads.key.files.");
    }

    private String content(CheckedRecord checked) {
        if (record.getRedacted() != null) {
            return "REDACTED";
        }
        return checked.payloadElsewhere() ? "OMITTED" : checked.whole() ? "VERIFIED" : "UNVERIFIED";
    }

    private Link previous() {
        if (record.getSequence() == 0) {
            return record.getPreviousHash().equals(AuditChain.genesis()) ? Link.NONE : Link.BROKEN;
        }
        return views.message(record.getChain(), record.getSequence() - 1)
                .map(before -> link(before.getHash(), record.getPreviousHash()))
                .orElse(Link.UNAVAILABLE);
    }

    private Link next(long lastSequence) {
        return views.message(record.getChain(), record.getSequence() + 1)
                .map(after -> link(record.getHash(), after.getPreviousHash()))
                .orElse(record.getSequence() >= lastSequence ? Link.NONE : Link.UNAVAILABLE);
    }

    private static Link link(ByteBuffer hash, ByteBuffer previousHash) {
        return hash.equals(previousHash) ? Link.LINKED : Link.BROKEN;
    }
}
