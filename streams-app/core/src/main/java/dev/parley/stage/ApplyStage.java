package dev.parley.stage;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Rule;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.checkpoint.PatchRule;
import dev.parley.checkpoint.ReleasedPatchQueue;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.codec.RecordHeaders;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judgement;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Judges input records, and applies the patches that the rules accept. A new checkpoint releases the patches that wait
 * for it, and each of them is judged again in the current state.
 *
 * <p>One call releases a bounded slice, so that a long cascade spans several transactions: {@link #accept} up to {@link
 * #SLICE_PATCHES} patches or {@link #SLICE_BYTES} bytes. The rest is stored, and {@link #resume} continues with it. Not
 * thread-safe.
 */
public final class ApplyStage {
    /** Maximum number of patches that one patch releases immediately. */
    public static final int SLICE_PATCHES = 100;

    /** Maximum bytes of the patches that one patch releases immediately, unless the first alone is larger. */
    public static final long SLICE_BYTES = 4L << 20;

    /** Maximum number of released or expired patches of one {@link #resume}. */
    public static final int RESUMED_PATCHES = 500;

    /** Maximum time of one {@link #resume}, which runs ten times a second, so that arriving records are not delayed. */
    private static final long RESUMED_NANOS = 30_000_000L;

    /**
     * Maximum time for the releases of {@link #accept} per window. A stream thread processes dozens of records between
     * two commits, and together they must take less time than the transaction timeout.
     */
    private static final long RELEASE_NANOS = 2_000_000_000L;

    private static final long WINDOW_NANOS = 5_000_000_000L;

    private final JudgeStage judgeStage;
    private final Checkpoints checkpoints;
    private final Verdict failure;

    /** Whether cascades are stored; null if unknown, as after a restart. */
    private Boolean suspended;

    private long window = System.nanoTime();
    private long released;

    /**
     * Creates the stage with its judge stage over the stores of one task.
     *
     * @param conversations store of the states, which the record stage writes
     * @param checkpoints stores of checkpoints and parked patches
     */
    public ApplyStage(StageSettings settings, ConversationStore conversations, Checkpoints checkpoints) {
        this.judgeStage = new JudgeStage(settings.decoder(), settings.judge(), conversations, checkpoints.reader());
        this.checkpoints = checkpoints;
        this.failure = settings.dialogue().mode() == DialogueSettings.Mode.ENFORCE ? Verdict.REJECTED : Verdict.FLAGGED;
    }

    /**
     * Judges an input record. Applies a patch that the rules accept, and releases the first slice of the patches that
     * waited for it.
     *
     * @param headers its headers
     * @param stored supplies its headers as they are stored if it is parked
     * @param next consumer of its outcome, then of the final outcomes of the released patches; it must record each
     *     before it returns
     */
    public void accept(
            Inbound inbound, RecordHeaders headers, Supplier<List<InboundHeader>> stored, Consumer<JudgedRecord> next) {
        apply(judgeStage.judge(inbound, headers), stored, next);
    }

    /** Judges an input record by the headers that it contains, and applies its patch. */
    void accept(Inbound inbound, Consumer<JudgedRecord> next) {
        apply(judgeStage.judge(inbound), inbound::getHeaders, next);
    }

    private void apply(JudgedRecord record, Supplier<List<InboundHeader>> headers, Consumer<JudgedRecord> next) {
        if (!isPatch(record)) {
            next.accept(record);
            return;
        }
        ReleasedPatchQueue queue = new ReleasedPatchQueue(checkpoints);
        decide(record, () -> withHeaders(record.inbound(), headers.get()), null, queue, next);
        long start = System.nanoTime();
        if (start - window > WINDOW_NANOS) {
            window = start;
            released = 0;
        }
        Slice slice = new Slice(SLICE_PATCHES, RELEASE_NANOS - released);
        try {
            if (slice.remains()) {
                release(queue, slice, next);
            }
        } finally {
            released += slice.nanos();
            if (queue.suspend()) {
                suspended = true;
            }
        }
    }

    /**
     * Processes one slice: continues stored cascades, oldest first; if none remains, expires parked patches. Costs
     * nothing while no patch is released or due.
     *
     * @param now record time, milliseconds since the epoch
     * @param next consumer of the final verdicts
     * @return whether more work remains now
     * @throws UnreadableValueException if a released or expired patch cannot be judged, which names it; others remain
     */
    public boolean resume(long now, Consumer<JudgedRecord> next) {
        Slice slice = new Slice(RESUMED_PATCHES, RESUMED_NANOS);
        if (suspended == null || suspended) {
            ReleasedPatchQueue queue = new ReleasedPatchQueue(checkpoints);
            suspended = true;
            try {
                do {
                    suspended = release(queue, slice, next) || queue.resume();
                } while (suspended && slice.remains());
            } finally {
                queue.suspend();
            }
        }
        return suspended || expire(now, slice, next);
    }

    /** Whether {@link #accept} has stored a cascade that {@link #resume} must continue. */
    public boolean isSuspended() {
        return suspended != null && suspended;
    }

    /** Releases patches until none or no time remains. Returns whether a patch may remain. */
    private boolean release(ReleasedPatchQueue queue, Slice slice, Consumer<JudgedRecord> next) {
        while (slice.remains()) {
            Optional<ParkedPatch> free = queue.next();
            if (free.isEmpty()) {
                return false;
            }
            slice.count(Checkpoints.bytes(free.get()));
            try {
                JudgedRecord record = judgeAgain(free.get());
                if (isPatch(record)) {
                    decide(record, record::inbound, queue.cause(), queue, next);
                } else {
                    next.accept(record);
                }
            } catch (UnreadableValueException e) {
                throw e.of(free.get().getInbound());
            }
        }
        return true;
    }

    private boolean expire(long now, Slice slice, Consumer<JudgedRecord> next) {
        List<String> due = checkpoints.due(now, RESUMED_PATCHES);
        int expired = 0;
        try {
            for (String slot : due) {
                if (expired > 0 && !slice.remains()) {
                    break;
                }
                expired++;
                checkpoints.expire(slot).ifPresent(late -> {
                    slice.count(Checkpoints.bytes(late));
                    expire(late, next);
                });
            }
        } finally {
            checkpoints.save();
        }
        return expired < due.size() || due.size() == RESUMED_PATCHES;
    }

    private void expire(ParkedPatch late, Consumer<JudgedRecord> next) {
        try {
            JudgedRecord record = judgeAgain(late);
            CheckpointKey base = new CheckpointKey(late.getNamespace(), late.getContext(), late.getBase());
            if (checkpoints.reader().checkpoint(base).isPresent()) {
                throw new UnreadableValueException(
                        "Base " + Excerpt.of(late.getBase()) + " exists, but what released the patch is unreadable",
                        null);
            }
            String detail =
                    "base " + Excerpt.of(late.getBase()) + " did not arrive in time" + checkpoints.similar(base);
            next.accept(
                    isPatch(record)
                            ? failed(record, Code.CSP_UNKNOWN_BASE, detail, PatchRule.UNKNOWN_BASE, List.of())
                            : record);
        } catch (UnreadableValueException e) {
            throw e.of(late.getInbound());
        }
    }

    private void decide(
            JudgedRecord record,
            Supplier<Inbound> parked,
            Source releasedBy,
            ReleasedPatchQueue queue,
            Consumer<JudgedRecord> next) {
        AgentMessage message = record.message();
        Judgement judgement = record.judgement();
        long received = message.getSource().getTimestamp().toEpochMilli();
        long now = releasedBy == null
                ? received
                : Math.max(received, releasedBy.getTimestamp().toEpochMilli());
        PatchOutcome outcome = checkpoints.apply(message, now, parked, releasedBy);
        Rule rule = outcome.rule().rule();
        if (outcome instanceof PatchOutcome.Applied applied) {
            next.accept(record.with(judgement.accepted(rule, applied.warnings()), applied.written()));
            queue.add(applied.checkpoint());
        } else if (outcome instanceof PatchOutcome.Rejected rejected) {
            next.accept(failed(record, rejected.code(), rejected.detail(), rejected.rule(), rejected.warnings()));
        } else if (outcome instanceof PatchOutcome.Parked) {
            next.accept(record.with(judgement.parked(rule), List.of()));
        } else if (outcome instanceof PatchOutcome.Duplicate duplicate) {
            next.accept(record.with(judgement.accepted(rule, duplicate.warnings()), List.of()));
        } else {
            throw new IllegalStateException(
                    "decide has no case for the outcome " + outcome.getClass().getSimpleName() + "; add one");
        }
    }

    private JudgedRecord failed(JudgedRecord record, Code code, String detail, PatchRule rule, List<Code> warnings) {
        return record.with(
                record.judgement().failed(failure, Stage.APPLY, code, detail, rule.rule(), warnings), List.of());
    }

    /** Returns whether it is a patch that the rules accept. */
    private static boolean isPatch(JudgedRecord record) {
        return record.message() != null && record.isAccepted() && Checkpoints.isPatch(record.message());
    }

    /** Returns a copy with headers, because Kafka does not store them for a parked patch. */
    private static Inbound withHeaders(Inbound inbound, List<InboundHeader> headers) {
        return new Inbound(inbound.getSource(), inbound.getKey(), inbound.getValue(), headers, null, null);
    }

    private JudgedRecord judgeAgain(ParkedPatch parked) {
        return judgeStage
                .judge(parked.getInbound())
                .releasedFrom(CheckpointKey.chain(parked.getNamespace(), parked.getContext())
                        .toString());
    }

    /** Remaining work of one call. The first patch is allowed whatever its size. */
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
