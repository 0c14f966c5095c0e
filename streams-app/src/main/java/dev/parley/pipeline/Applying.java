package dev.parley.pipeline;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Cascade;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.Outcome;
import dev.parley.checkpoint.PatchRule;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.decode.Decoding;
import dev.parley.dialogue.DialogueSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The applying stage: patches that the rules let through go to the checkpoints. A new checkpoint releases the patches that waited for it; each is judged
 * again by the state of that moment.
 *
 * <p>One call releases a slice at most, so that a long cascade spans several transactions: {@link #apply} up to {@link #SLICE_PATCHES} patches, or
 * {@link #SLICE_BYTES} bytes. The rest is stored, and {@link #resume} continues with it. For one thread.
 */
public final class Applying {
    /** Maximum number of patches that one patch releases at once. */
    public static final int SLICE_PATCHES = 100;

    /** Maximum bytes of the patches that one patch releases at once, except that one patch may be larger. */
    public static final long SLICE_BYTES = 4L << 20;

    /** Maximum number of released or expired patches of one {@link #resume}. */
    public static final int RESUMED_PATCHES = 500;

    /** Maximum time of one {@link #resume}, which runs ten times a second: the rest is for the records that arrive. */
    private static final long RESUMED_NANOS = 30_000_000L;

    /**
     * Maximum time for the releases of {@link #apply} in each window. A stream thread takes dozens of records between two commits, and all of them
     * together must take less time than a transaction may.
     */
    private static final long RELEASE_NANOS = 2_000_000_000L;

    private static final long WINDOW_NANOS = 5_000_000_000L;

    private final Judging judging;
    private final Checkpoints checkpoints;
    private final Verdict failure;

    /** Whether cascades are stored; null when unknown, as after a restart. */
    private Boolean suspended;

    private long window = System.nanoTime();
    private long released;

    /**
     * An applying stage.
     *
     * @param judging judges again what was parked
     * @param checkpoints the checkpoints
     * @param mode what becomes of a patch that cannot be applied
     */
    public Applying(Judging judging, Checkpoints checkpoints, DialogueSettings.Mode mode) {
        this.judging = judging;
        this.checkpoints = checkpoints;
        this.failure = mode == DialogueSettings.Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED;
    }

    /** Whether the checkpoints have a say on this message: a patch that the rules let through. */
    public static boolean isPatch(Judged judged) {
        return judged.verdict() == Verdict.ACCEPTED
                && judged.decoding() instanceof Decoding.Message decoded
                && Checkpoints.isPatch(decoded.message());
    }

    /**
     * Applies a patch and releases the first slice of the patches that waited for it.
     *
     * @param patch a message of which {@link #isPatch} holds; its inbound record carries its headers
     * @param next takes its verdict, then the final verdicts of the released patches; it must record each before it returns
     */
    public void apply(Judged patch, Consumer<Judged> next) {
        Cascade cascade = new Cascade(checkpoints);
        decide(patch, null, cascade, next);
        long start = System.nanoTime();
        if (start - window > WINDOW_NANOS) {
            window = start;
            released = 0;
        }
        Slice slice = new Slice(SLICE_PATCHES, RELEASE_NANOS - released);
        if (slice.remains()) {
            release(cascade, slice, next);
        }
        released += slice.nanos();
        if (cascade.suspend()) {
            suspended = true;
        }
    }

    /**
     * Continues stored cascades, the oldest first; when none remains, gives up on patches that have waited too long. Does one slice. Costs nothing
     * while no patch is released or due.
     *
     * @param now record time, milliseconds since the epoch
     * @param next takes the final verdicts
     * @return whether more remains to be done now
     */
    public boolean resume(long now, Consumer<Judged> next) {
        Slice slice = new Slice(RESUMED_PATCHES, RESUMED_NANOS);
        if (suspended == null || suspended) {
            Cascade cascade = new Cascade(checkpoints);
            do {
                suspended = release(cascade, slice, next) || cascade.resume();
            } while (suspended && slice.remains());
            cascade.suspend();
        }
        return suspended || expire(now, slice, next);
    }

    /** Releases patches until none or no time remains, and returns whether a patch may remain. */
    private boolean release(Cascade cascade, Slice slice, Consumer<Judged> next) {
        while (slice.remains()) {
            Optional<ParkedPatch> free = cascade.next();
            if (free.isEmpty()) {
                return false;
            }
            slice.count(Checkpoints.bytes(free.get()));
            Judged judged = again(free.get().getInbound());
            if (isPatch(judged)) {
                decide(judged, cascade.cause(), cascade, next);
            } else {
                next.accept(judged);
            }
        }
        return true;
    }

    private boolean expire(long now, Slice slice, Consumer<Judged> next) {
        List<String> due = checkpoints.due(now, RESUMED_PATCHES);
        int expired = 0;
        for (String slot : due) {
            if (!slice.remains()) {
                break;
            }
            ParkedPatch late = checkpoints.expire(slot);
            expired++;
            slice.count(Checkpoints.bytes(late));
            Judged judged = again(late.getInbound());
            next.accept(
                    isPatch(judged)
                            ? judged.rejected(
                                    failure,
                                    Code.CSP_UNKNOWN_BASE,
                                    "base " + Excerpt.of(late.getBase()) + " did not arrive in time",
                                    List.of(),
                                    PatchRule.UNKNOWN_BASE)
                            : judged);
        }
        checkpoints.save();
        return expired < due.size() || due.size() == RESUMED_PATCHES;
    }

    private void decide(Judged patch, Source releasedBy, Cascade cascade, Consumer<Judged> next) {
        AgentMessage message = ((Decoding.Message) patch.decoding()).message();
        long received = message.getSource().getTimestamp().toEpochMilli();
        long now = releasedBy == null
                ? received
                : Math.max(received, releasedBy.getTimestamp().toEpochMilli());
        Outcome outcome = checkpoints.apply(message, now, patch::inbound, releasedBy);
        if (outcome instanceof Outcome.Applied applied) {
            next.accept(patch.applied(applied.written(), applied.warnings(), applied.rule()));
            cascade.made(applied.checkpoint());
        } else if (outcome instanceof Outcome.Rejected rejected) {
            next.accept(
                    patch.rejected(failure, rejected.code(), rejected.detail(), rejected.warnings(), rejected.rule()));
        } else if (outcome instanceof Outcome.Parked) {
            next.accept(patch.parked());
        } else {
            next.accept(patch.applied(List.of(), outcome.warnings(), outcome.rule()));
        }
    }

    private Judged again(Inbound parked) {
        return judging.judge(parked).released();
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
