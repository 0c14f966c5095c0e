package dev.parley.tlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Cosigns checkpoints of logs that only grow (C2SP tlog-witness, "add-checkpoint"). Never cosigns two histories of one
 * log: a request is compared with the last cosigned checkpoint, which is replaced on disk before the answer. Thread-safe.
 */
public final class Witness {
    private static final String OLD = "old ";

    private final NoteSigner cosigner;
    private final Function<String, List<VerifierKey>> trusted;
    private final WitnessState state;
    private final Clock clock;

    /**
     * Creates a witness.
     *
     * @param cosigner key of the witness, see {@link NoteSigner#cosigner}
     * @param trusted trusted keys of a log by its origin; none for an unknown origin
     * @param state its state, which no other witness uses
     */
    public Witness(NoteSigner cosigner, Function<String, List<VerifierKey>> trusted, WitnessState state, Clock clock) {
        this.cosigner = cosigner;
        this.trusted = trusted;
        this.state = state;
        this.clock = clock;
    }

    /** The answer to a request, which an HTTP server writes. */
    public sealed interface Answer permits Cosigned, Conflict, Refused {}

    /**
     * 200: the checkpoint is cosigned.
     *
     * @param line signature line
     */
    public record Cosigned(String line) implements Answer {}

    /**
     * 409: the old size is not that of the last cosigned checkpoint.
     *
     * @param size its size
     */
    public record Conflict(long size) implements Answer {}

    /**
     * The checkpoint is not cosigned.
     *
     * @param status HTTP status: 400, 403, 404 or 422
     * @param detail one sentence
     */
    public record Refused(int status, String detail) implements Answer {}

    /**
     * Answers a request to cosign a checkpoint.
     *
     * @param request body of the request
     * @throws IOException if the state cannot be read or written; nothing is cosigned
     */
    public Answer addCheckpoint(byte[] request) throws IOException {
        long oldSize;
        List<byte[]> hashes;
        SignedNote note;
        Checkpoint checkpoint;
        try {
            Lines lines = new Lines(Lines.decode(request), 1);
            String old = lines.next("the old size");
            oldSize = old.startsWith(OLD) ? Lines.number(old.substring(OLD.length()), MerkleHasher.MAX_SIZE) : -1;
            if (oldSize < 0) {
                throw lines.error("the line must be 'old' and a size, but was " + Lines.quoted(old));
            }
            hashes = lines.hashes();
            note = SignedNote.parse(lines.rest(), lines.line() + 1);
            checkpoint = Checkpoint.parse(new Lines(note.text(), lines.line() + 1));
        } catch (TlogFormatException e) {
            return new Refused(400, e.getMessage());
        }
        List<VerifierKey> keys = trusted.apply(checkpoint.origin());
        if (keys.isEmpty()) {
            return new Refused(404, "the origin is unknown");
        }
        if (note.verify(keys).outcome() != NoteVerification.Outcome.SIGNED) {
            return new Refused(403, "no trusted key of the origin signed the checkpoint, or a signature is invalid");
        }
        if (oldSize > checkpoint.size()) {
            return new Refused(400, "the old size exceeds the size of the checkpoint");
        }
        return cosign(new ConsistencyProof(oldSize, checkpoint.size(), hashes), note.text(), checkpoint);
    }

    /** Comparing and replacing are one step, so that no other request comes between them. */
    private synchronized Answer cosign(ConsistencyProof proof, String text, Checkpoint checkpoint) throws IOException {
        Checkpoint last = state.last(checkpoint.origin())
                .orElseGet(() -> new Checkpoint(checkpoint.origin(), 0, MerkleHasher.emptyRoot()));
        if (proof.oldSize() != last.size()) {
            return new Conflict(last.size());
        }
        boolean isTree = checkpoint.size() > 0 || Arrays.equals(checkpoint.root(), MerkleHasher.emptyRoot());
        if (!isTree || !proof.verify(last.root(), checkpoint.root())) {
            return new Refused(
                    422,
                    "the checkpoint of size " + checkpoint.size() + " is not consistent with the last one, of size "
                            + last.size());
        }
        state.replace(checkpoint);
        return new Cosigned(
                cosigner.cosign(text, clock.instant().getEpochSecond()).line());
    }

    /** The body of a request, which a log sends. */
    public static byte[] request(ConsistencyProof proof, SignedNote note) {
        StringBuilder body = new StringBuilder(OLD).append(proof.oldSize()).append('\n');
        proof.hashes().forEach(hash -> body.append(Lines.base64(hash)).append('\n'));
        return body.append('\n').append(note).toString().getBytes(StandardCharsets.UTF_8);
    }
}
