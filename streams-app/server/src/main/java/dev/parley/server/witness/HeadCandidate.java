package dev.parley.server.witness;

import dev.parley.avro.AuditHead;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The head of a log that its witnesses get, and their valid cosignatures. Not thread-safe. */
final class HeadCandidate {
    private final AuditHead head;
    private final SignedNote note;
    private final TreeHead treeHead;
    private final Map<Endpoint, NoteSignature> cosignatures = new LinkedHashMap<>();
    private int written;

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
        return cosignatures.size();
    }

    /** Whether it has cosignatures that were not written. */
    boolean hasNews() {
        return cosignatures.size() > written;
    }

    /** So many cosignatures were written. */
    void written(int count) {
        written = count;
    }

    boolean isCosignedBy(Endpoint witness) {
        return cosignatures.containsKey(witness);
    }

    /** Adds a cosignature, which the caller has verified. */
    void add(Endpoint witness, NoteSignature cosignature) {
        cosignatures.put(witness, cosignature);
    }

    /**
     * Takes over the cosignatures of the same head from before a restart.
     *
     * @throws TlogFormatException if the other note is not one
     */
    void restore(AuditHead cosigned, List<Endpoint> witnesses) throws TlogFormatException {
        SignedNote known = LogNotes.parse(cosigned.getNote());
        if (known.text().equals(note.text())) {
            known.signatures()
                    .forEach(signature -> witnesses.stream()
                            .filter(witness -> witness.key().verifies(note.text(), signature))
                            .findFirst()
                            .ifPresent(witness -> cosignatures.putIfAbsent(witness, signature)));
            written = cosignatures.size();
        }
    }

    /** The head with its cosignatures. */
    AuditHead cosigned() {
        SignedNote cosigned = note;
        for (NoteSignature signature : cosignatures.values()) {
            cosigned = cosigned.with(signature);
        }
        return AuditHead.newBuilder(head).setNote(cosigned.toString()).build();
    }
}
