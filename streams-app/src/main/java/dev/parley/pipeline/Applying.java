package dev.parley.pipeline;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspIntent;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Protocol;
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
 * The applying stage: patches that the rules let through go to the checkpoints. What waited for a new checkpoint comes out behind it, judged again by the state of
 * that moment.
 */
public final class Applying {
    private final Judging judging;
    private final Checkpoints checkpoints;
    private final Verdict failure;

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
                && decoded.message().getProtocol() == Protocol.CSP
                && decoded.message().getCsp().getIntent() == CspIntent.PATCH;
    }

    /**
     * Applies a patch.
     *
     * @param patch a message of which {@link #isPatch} holds; its inbound record carries its headers
     * @param next takes its verdict, and behind it the final verdicts of the patches that waited for it; it must record each before it returns
     */
    public void apply(Judged patch, Consumer<Judged> next) {
        Cascade cascade = new Cascade(checkpoints);
        decide(patch, null, cascade, next);
        Source cause = patch.inbound().getSource();
        for (Optional<ParkedPatch> free = cascade.next(); free.isPresent(); free = cascade.next()) {
            Judged judged = again(free.get().getInbound());
            if (isPatch(judged)) {
                decide(judged, cause, cascade, next);
            } else {
                next.accept(judged);
            }
        }
    }

    /**
     * Gives up on patches that have waited too long.
     *
     * @param now record time, milliseconds since the epoch
     * @param next takes their final verdicts
     */
    public void timeOut(long now, Consumer<Judged> next) {
        for (ParkedPatch late : checkpoints.timeOut(now)) {
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
}
