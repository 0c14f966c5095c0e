package dev.parley.server.witness;

import dev.parley.avro.AuditHead;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The head of a log that its witnesses get, and their valid cosignatures. Thread-safe. */
final class HeadCandidate {
    private final AuditHead head;
    private final SignedNote note;
    private final TreeHead treeHead;
    private final Set<Endpoint> cosigners = ConcurrentHashMap.newKeySet();
    private volatile SignedNote cosigned;
    private volatile int written;

    /**
     * Creates a candidate without cosignatures.
     *
     * @throws TlogFormatException if the note is not a tree head
     * @throws IllegalArgumentException if the note is not text
     */
    HeadCandidate(AuditHead head) throws TlogFormatException {
        this.head = head;
        note = LogNotes.parse(head.getNote());
        treeHead = TreeHead.parse(note);
        cosigned = note;
    }

    SignedNote note() {
        return note;
    }

    /** Whether the log signed it. No witness cosigns another one. */
    boolean isSigned() {
        return !note.signatures().isEmpty();
    }

    TreeHead treeHead() {
        return treeHead;
    }

    int partition() {
        return head.getPartition();
    }

    long size() {
        return treeHead.size();
    }

    int cosignatures() {
        return cosigners.size();
    }

    /** Whether it has cosignatures that were not written. */
    boolean hasNews() {
        return cosigners.size() > written;
    }

    boolean isCosignedBy(Endpoint witness) {
        return cosigners.contains(witness);
    }

    /** Adds a cosignature, which the caller has verified. */
    synchronized void add(Endpoint witness, NoteSignature cosignature) {
        if (!isCosignedBy(witness)) {
            cosigned = cosigned.with(cosignature);
            cosigners.add(witness);
        }
    }

    /** Writes the head with its cosignatures, unless all were written. */
    void write(Consumer<AuditHead> writer) {
        int count = cosigners.size();
        if (count > written) {
            writer.accept(
                    AuditHead.newBuilder(head).setNote(cosigned.toString()).build());
            written = count;
        }
    }

    /**
     * Takes over the cosignatures of the same head from before a restart.
     *
     * @throws TlogFormatException if the other note is not one
     */
    void restore(AuditHead before, List<Endpoint> witnesses) throws TlogFormatException {
        SignedNote known = LogNotes.parse(before.getNote());
        if (known.text().equals(note.text())) {
            known.signatures()
                    .forEach(signature -> witnesses.stream()
                            .filter(witness -> witness.key().verifies(note.text(), signature))
                            .findFirst()
                            .ifPresent(witness -> add(witness, signature)));
            written = cosigners.size();
        }
    }
}
