package dev.parley.log.tlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Cosigns tree heads of logs that only grow (C2SP tlog-witness, "add-checkpoint" and "Monitor Retrieval Mechanism").
 * Never cosigns two histories of one log: a request is compared with the last cosigned tree head, which is replaced on
 * disk before the answer. Thread-safe.
 */
public final class Witness {
    private static final String OLD = "old ";

    private final NoteSigner cosigner;
    private final Function<String, List<VerifierKey>> trusted;
    private final WitnessState state;
    private final Clock clock;
    private final Consumer<SplitView> splitViews;
    private final Set<String> reported = new HashSet<>();

    /**
     * Creates a witness.
     *
     * @param cosigner key of the witness, see {@link NoteSigner#cosigner}
     * @param trusted trusted keys of a log by its origin; none for an unknown origin
     * @param state its state, which no other witness uses
     * @param splitViews receives the first split view of each log
     */
    public Witness(
            NoteSigner cosigner,
            Function<String, List<VerifierKey>> trusted,
            WitnessState state,
            Clock clock,
            Consumer<SplitView> splitViews) {
        this.cosigner = cosigner;
        this.trusted = trusted;
        this.state = state;
        this.clock = clock;
        this.splitViews = splitViews;
    }

    /**
     * Evidence that a log has two histories: both notes have valid signatures of its keys and one size, but different
     * roots.
     *
     * @param cosigned the note that this witness cosigned
     * @param refused the note that it refused
     */
    public record SplitView(SignedNote cosigned, SignedNote refused) {}

    /** The answer to a request, which an HTTP server writes and a client reads. */
    public sealed interface Answer permits Cosigned, Conflict, Refused {}

    /**
     * 200: the tree head is cosigned.
     *
     * @param signature signature of the witness
     */
    public record Cosigned(NoteSignature signature) implements Answer {}

    /**
     * 409: the old size is not that of the last cosigned tree head.
     *
     * @param size its size
     */
    public record Conflict(long size) implements Answer {}

    /**
     * The tree head is not cosigned.
     *
     * @param status HTTP status; 400, 403, 404 or 422 by a witness of the format
     * @param detail one sentence
     */
    public record Refused(int status, String detail) implements Answer {}

    /**
     * Answers a request to cosign a tree head.
     *
     * @param request body of the request
     * @throws IOException if the state cannot be read or written; nothing is cosigned
     */
    public Answer addCheckpoint(byte[] request) throws IOException {
        long oldSize;
        List<byte[]> hashes;
        SignedNote note;
        TreeHead treeHead;
        try {
            Lines lines = new Lines(Lines.decode(request), 1);
            String old = lines.next("the old size");
            oldSize = old.startsWith(OLD) ? Lines.number(old.substring(OLD.length()), MerkleHasher.MAX_SIZE) : -1;
            if (oldSize < 0) {
                throw lines.error("the line must be 'old' and a size, but was " + Lines.quoted(old));
            }
            hashes = lines.hashes();
            note = SignedNote.parse(lines.rest(), lines.line() + 1);
            treeHead = TreeHead.parse(new Lines(note.text(), lines.line() + 1));
        } catch (TlogFormatException e) {
            return new Refused(400, e.getMessage());
        }
        List<VerifierKey> keys = trusted.apply(treeHead.origin());
        if (keys.isEmpty()) {
            return new Refused(404, "the origin is unknown");
        }
        NoteVerification verification = note.verify(keys);
        if (!verification.isSigned()) {
            return new Refused(403, "no trusted key of the origin signed the tree head, or a signature is invalid");
        }
        if (oldSize > treeHead.size()) {
            return new Refused(400, "the old size exceeds the size of the tree head");
        }
        SignedNote verified = SignedNote.of(note.text());
        Set<VerifierKey> signers = new HashSet<>();
        for (NoteVerification.Signed signed : verification.valid()) {
            // One signature of each key, and room for the cosignature.
            if (signers.size() < NoteSignature.MAX_COUNT - 1 && signers.add(signed.key())) {
                verified = verified.with(signed.signature());
            }
        }
        return cosign(new ConsistencyProof(oldSize, treeHead.size(), hashes), verified, treeHead);
    }

    /** Comparing and replacing are one step, so that no other request comes between them. */
    private synchronized Answer cosign(ConsistencyProof proof, SignedNote note, TreeHead treeHead) throws IOException {
        Optional<WitnessState.Last> cosigned = state.last(treeHead.origin());
        TreeHead last = cosigned.map(WitnessState.Last::treeHead)
                .orElseGet(() -> new TreeHead(treeHead.origin(), 0, MerkleHasher.emptyRoot()));
        if (cosigned.isPresent()
                && treeHead.size() == last.size()
                && !Arrays.equals(treeHead.root(), last.root())
                && reported.add(treeHead.origin())) {
            splitViews.accept(new SplitView(cosigned.get().note(), note));
        }
        if (proof.oldSize() != last.size()) {
            return new Conflict(last.size());
        }
        boolean isTree = treeHead.size() > 0 || Arrays.equals(treeHead.root(), MerkleHasher.emptyRoot());
        if (!isTree || !proof.verify(last.root(), treeHead.root())) {
            return new Refused(
                    422,
                    "the tree head of size " + treeHead.size() + " is not consistent with the last one, of size "
                            + last.size());
        }
        NoteSignature cosignature = cosigner.cosign(note.text(), clock.instant().getEpochSecond());
        state.replace(treeHead.origin(), note.with(cosignature));
        return new Cosigned(cosignature);
    }

    /**
     * Returns the last cosigned tree head of a log, with the signatures of its log and the cosignature.
     *
     * @param originHash SHA-256 of its origin in lowercase hexadecimal
     * @return empty if there is none, or the text is not such a hash
     * @throws IOException if the state cannot be read
     */
    public synchronized Optional<SignedNote> treeHead(String originHash) throws IOException {
        return state.read(originHash).map(WitnessState.Last::note);
    }

    /** The body of a request, which a log sends. */
    public static byte[] request(ConsistencyProof proof, SignedNote note) {
        StringBuilder body = new StringBuilder(OLD).append(proof.oldSize()).append('\n');
        proof.hashes().forEach(hash -> body.append(Lines.base64(hash)).append('\n'));
        return body.append('\n').append(note).toString().getBytes(StandardCharsets.UTF_8);
    }
}
