package dev.parley.stage;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.checkpoint.PatchRule;
import dev.parley.checkpoint.ReleasedPatchQueue;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.dialogue.DialogueSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The applying stage: patches that the rules let through go to the checkpoints. A new checkpoint releases the patches
 * that waited for it; each is judged again by the state of that moment.
 *
 * <p>One call releases a slice at most, so that a long cascade spans several transactions: {@link #apply} up to
 * {@link #SLICE_PATCHES} patches, or {@link #SLICE_BYTES} bytes. The rest is stored, and {@link #resume} continues with
 * it. For one thread.
 */
public final class ApplyStage {
    /** Maximum number of patches that one patch releases at once. */
    public static final int SLICE_PATCHES = 100;

    /** Maximum bytes of the patches that one patch releases at once, except that one patch may be larger. */
    public static final long SLICE_BYTES = 4L << 20;

    /** Maximum number of released or expired patches of one {@link #resume}. */
    public static final int RESUMED_PATCHES = 500;

    /** Maximum time of one {@link #resume}, which runs ten times a second: the rest is for the records that arrive. */
    private static final long RESUMED_NANOS = 30_000_000L;

    /**
     * Maximum time for the releases of {@link #apply} in each window. A stream thread takes dozens of records between
     * two commits, and all of them together must take less time than a transaction may.
     */
    private static final long RELEASE_NANOS = 2_000_000_000L;

    private static final long WINDOW_NANOS = 5_000_000_000L;

    private final JudgeStage judgeStage;
    private final Checkpoints checkpoints;
    private final Verdict failure;

    /** Whether cascades are stored; null when unknown, as after a restart. */
    private Boolean suspended;

    private long window = System.nanoTime();
    private long released;

    /**
     * An applying stage.
     *
     * @param judgeStage judges again what was parked
     * @param checkpoints the checkpoints
     * @param mode what becomes of a patch that cannot be applied
     */
    public ApplyStage(JudgeStage judgeStage, Checkpoints checkpoints, DialogueSettings.Mode mode) {
        this.judgeStage = judgeStage;
        this.checkpoints = checkpoints;
        this.failure = mode == DialogueSettings.Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED;
    }

    /**
     * Applies a patch that the rules accept, and releases the first slice of the patches that waited for it. Passes any
     * other record on.
     *
     * @param record the record
     * @param headers its headers, which it keeps if it is parked
     * @param next takes its outcome, then the final outcomes of the released patches; it must record each before it
     *     returns
     */
    public void apply(JudgedRecord record, Supplier<List<InboundHeader>> headers, Consumer<JudgedRecord> next) {
        Optional<JudgedMessage> patch = patch(record);
        if (patch.isEmpty()) {
            next.accept(record);
            return;
        }
        ReleasedPatchQueue releasedPatchQueue = new ReleasedPatchQueue(checkpoints);
        decide(record, patch.get(), () -> withHeaders(record.inbound(), headers.get()), null, releasedPatchQueue, next);
        long start = System.nanoTime();
        if (start - window > WINDOW_NANOS) {
            window = start;
            released = 0;
        }
        Slice slice = new Slice(SLICE_PATCHES, RELEASE_NANOS - released);
        if (slice.remains()) {
            release(releasedPatchQueue, slice, next);
        }
        released += slice.nanos();
        if (releasedPatchQueue.suspend()) {
            suspended = true;
        }
    }

    /**
     * Continues stored cascades, the oldest first; when none remains, gives up on patches that have waited too long.
     * Does one slice. Costs nothing while no patch is released or due.
     *
     * @param now record time, milliseconds since the epoch
     * @param next takes the final verdicts
     * @return whether more remains to be done now
     */
    public boolean resume(long now, Consumer<JudgedRecord> next) {
        Slice slice = new Slice(RESUMED_PATCHES, RESUMED_NANOS);
        if (suspended == null || suspended) {
            ReleasedPatchQueue releasedPatchQueue = new ReleasedPatchQueue(checkpoints);
            do {
                suspended = release(releasedPatchQueue, slice, next) || releasedPatchQueue.resume();
            } while (suspended && slice.remains());
            releasedPatchQueue.suspend();
        }
        return suspended || expire(now, slice, next);
    }

    /** Releases patches until none or no time remains, and returns whether a patch may remain. */
    private boolean release(ReleasedPatchQueue releasedPatchQueue, Slice slice, Consumer<JudgedRecord> next) {
        while (slice.remains()) {
            Optional<ParkedPatch> free = releasedPatchQueue.next();
            if (free.isEmpty()) {
                return false;
            }
            slice.count(Checkpoints.bytes(free.get()));
            JudgedRecord record = again(free.get().getInbound());
            patch(record)
                    .ifPresentOrElse(
                            patch -> decide(
                                    record,
                                    patch,
                                    record::inbound,
                                    releasedPatchQueue.cause(),
                                    releasedPatchQueue,
                                    next),
                            () -> next.accept(record));
        }
        return true;
    }

    private boolean expire(long now, Slice slice, Consumer<JudgedRecord> next) {
        List<String> due = checkpoints.due(now, RESUMED_PATCHES);
        int expired = 0;
        for (String slot : due) {
            if (!slice.remains()) {
                break;
            }
            ParkedPatch late = checkpoints.expire(slot);
            expired++;
            slice.count(Checkpoints.bytes(late));
            JudgedRecord record = again(late.getInbound());
            String detail = "base " + Excerpt.of(late.getBase()) + " did not arrive in time";
            next.accept(patch(record)
                    .map(patch -> patch.by(PatchRule.UNKNOWN_BASE, List.of())
                            .failed(failure, Stage.PATCH, Code.CSP_UNKNOWN_BASE, detail))
                    .map(record::with)
                    .orElse(record));
        }
        checkpoints.save();
        return expired < due.size() || due.size() == RESUMED_PATCHES;
    }

    private void decide(
            JudgedRecord record,
            JudgedMessage patch,
            Supplier<Inbound> parked,
            Source releasedBy,
            ReleasedPatchQueue releasedPatchQueue,
            Consumer<JudgedRecord> next) {
        AgentMessage message = patch.message();
        long received = message.getSource().getTimestamp().toEpochMilli();
        long now = releasedBy == null
                ? received
                : Math.max(received, releasedBy.getTimestamp().toEpochMilli());
        PatchOutcome patchOutcome = checkpoints.apply(message, now, parked, releasedBy);
        JudgedMessage decided = patch.by(patchOutcome.rule(), patchOutcome.warnings());
        if (patchOutcome instanceof PatchOutcome.Applied applied) {
            next.accept(record.with(decided.accepted(applied.written())));
            releasedPatchQueue.made(applied.checkpoint());
        } else if (patchOutcome instanceof PatchOutcome.Rejected rejected) {
            next.accept(record.with(decided.failed(failure, Stage.PATCH, rejected.code(), rejected.detail())));
        } else if (patchOutcome instanceof PatchOutcome.Parked) {
            next.accept(record.with(patch.parked()));
        } else {
            next.accept(record.with(decided.accepted(List.of())));
        }
    }

    /** The patch that the rules let through; empty for any other record, on which checkpoints have no say. */
    private static Optional<JudgedMessage> patch(JudgedRecord record) {
        return record.accepted().filter(judged -> Checkpoints.isPatch(judged.message()));
    }

    /** A copy that carries its headers, because Kafka does not keep them for a parked patch. */
    private static Inbound withHeaders(Inbound inbound, List<InboundHeader> headers) {
        return new Inbound(inbound.getSource(), inbound.getKey(), inbound.getValue(), headers, null, null);
    }

    private JudgedRecord again(Inbound parked) {
        return judgeStage.judge(parked).release();
    }

    /** Counts the work of one call. Its first patch is allowed whatever its size. */
    private static final class Slice {
        private final long start = System.nanoTime();
        private final long maxNanos;
        private int patches;
        private long bytes = SLICE_BYTES;

        Slice(int patches, long maxNanos) {
            this.patches = patches;
            this.maxNanos = maxNanos;
        }

        void count(long size) {
            patches--;
            bytes -= size;
        }

        boolean remains() {
            return patches > 0 && bytes > 0 && nanos() < maxNanos;
        }

        long nanos() {
            return System.nanoTime() - start;
        }
    }
}
