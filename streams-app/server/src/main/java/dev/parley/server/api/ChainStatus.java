package dev.parley.server.api;

import dev.parley.audit.AuditChain;
import dev.parley.audit.CheckedRecord;
import dev.parley.audit.RecordVerifier;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.json.AvroJson;
import dev.parley.json.model.MessageDetail.Head;
import dev.parley.json.model.MessageDetail.Integrity;
import dev.parley.topology.views.read.Views;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The chain status of one audit record, computed from the views when it is asked for: its hashes, its links to both
 * neighbors, and the way to the last published head of its chain. It reads at most {@link #MAX_PATH} records.
 */
final class ChainStatus {

    /** Maximum number of records between a record and the head of its chain that are verified for one answer. */
    static final int MAX_PATH = 200;

    private static final int MESSAGES_PER_READ = 50;

    private final AuditRecord record;
    private final Views views;
    private final AuditChain hashes = new AuditChain();

    private ChainStatus(AuditRecord record, Views views) {
        this.record = record;
        this.views = views;
    }

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

    /** What the status proves, most first. */
    private enum Proof {
        SIGNED_HEAD,
        PUBLISHED_HEAD,
        NEIGHBORS,
        NONE
    }

    /**
     * Computes the status.
     *
     * @param lastSequence last sequence of the chain
     */
    static Integrity of(AuditRecord record, long lastSequence, Views views) {
        return new ChainStatus(record, views).status(lastSequence);
    }

    private Integrity status(long lastSequence) {
        CheckedRecord checked = new RecordVerifier().check(record);
        Link previous = previous();
        Link next = next(lastSequence);
        Optional<AuditHead> head = views.head(record.getChain());
        Optional<Boolean> reached = head.flatMap(this::reaches);
        boolean sound = checked.faults().isEmpty() && previous != Link.BROKEN && next != Link.BROKEN;
        Proof proof = !sound || reached.filter(met -> !met).isPresent()
                ? Proof.NONE
                : reached.isEmpty()
                        ? Proof.NEIGHBORS
                        : head.orElseThrow().getSignature() == null ? Proof.PUBLISHED_HEAD : Proof.SIGNED_HEAD;
        return new Integrity(
                AvroJson.hex(record.getHash()),
                AvroJson.hex(record.getPreviousHash()),
                AvroJson.hex(record.getContentHash()),
                checked.faults().stream().map(Enum::name).toList(),
                content(checked),
                previous.name(),
                next.name(),
                head.map(published -> head(published, reached)).orElse(null),
                proof.name(),
                proves(proof, head),
                commands(head.filter(published -> published.getSignature() != null)
                        .isPresent()));
    }

    /** Verifies the chain from an export, whose name is free for each record. */
    private List<String> commands(boolean signed) {
        String file = "parley-" + AvroJson.hex(record.getHash()).substring(0, 12) + ".jsonl";
        return List.of(
                "parley export --chain=" + ShellWord.of(record.getChain()) + " --out " + file,
                "parley verify " + file + (signed ? " --key audit.pub" : ""));
    }

    private String content(CheckedRecord checked) {
        if (record.getRedacted() != null) {
            return "REDACTED";
        }
        return checked.payloadElsewhere() ? "OMITTED" : checked.whole() ? "VERIFIED" : "UNVERIFIED";
    }

    private static Head head(AuditHead head, Optional<Boolean> reached) {
        return new Head(
                head.getSequence(),
                AvroJson.hex(head.getHash()),
                head.getTime(),
                head.getSignature() != null,
                head.getKeyId(),
                reached.orElse(null));
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

    /**
     * Whether the records from this one to a head have correct hashes and links, and the last one the hash of the head;
     * empty if the head is before this record, too far, or not in the views.
     */
    private Optional<Boolean> reaches(AuditHead head) {
        long distance = head.getSequence() - record.getSequence();
        if (distance < 0 || distance > MAX_PATH) {
            return Optional.empty();
        }
        ByteBuffer hash = record.getHash();
        long sequence = record.getSequence();
        while (sequence < head.getSequence()) {
            int rest = (int) Math.min(MESSAGES_PER_READ, head.getSequence() - sequence);
            List<AuditRecord> slice = views.messages(record.getChain(), sequence + 1, rest);
            if (slice.isEmpty()) {
                return Optional.empty();
            }
            for (AuditRecord after : slice) {
                if (after.getSequence() != sequence + 1
                        || !after.getPreviousHash().equals(hash)
                        || !hashes.hash(after).equals(after.getHash())) {
                    return Optional.of(false);
                }
                sequence = after.getSequence();
                hash = after.getHash();
            }
        }
        return Optional.of(hash.equals(head.getHash()));
    }

    private static String proves(Proof proof, Optional<AuditHead> head) {
        return switch (proof) {
            case SIGNED_HEAD ->
                "The record has not changed since "
                        + head.orElseThrow().getTime()
                        + ": its hashes are correct, and every record up to the chain head, which key "
                        + head.orElseThrow().getKeyId()
                        + " signed at that time, is linked. Check the signature with parley verify --key.";
            case PUBLISHED_HEAD ->
                "The record has not changed since " + head.orElseThrow().getTime()
                        + ": its hashes are correct, and every record up to the chain head published at that time is"
                        + " linked. The head is not signed, so a writer of all topics could replace both."
                        + " Set audit.heads.key.file.";
            case NEIGHBORS ->
                "The record has correct hashes and is linked to its neighbors. That it has not changed since it was"
                        + " written is not shown here: "
                        + head.map(known -> "its chain head is at sequence " + known.getSequence()
                                        + ", which is before it or more than " + MAX_PATH + " records away.")
                                .orElse("no head of its chain has been published yet.")
                        + " parley verify checks the whole chain.";
            case NONE -> "Nothing: a hash is wrong, so this record or one near it was changed. Run parley verify.";
        };
    }
}
