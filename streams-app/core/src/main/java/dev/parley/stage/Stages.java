package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.decode.RecordHeaders;
import dev.parley.dialogue.Judge;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The stages between decode and record, over the stores of one task: judge, then apply. Each task builds one. Not
 * thread-safe.
 */
public final class Stages {
    private final Judge judge;
    private final JudgeStage judgeStage;
    private final ApplyStage applyStage;

    /**
     * Creates the stages.
     *
     * @param conversations store of the states, which the record stage writes
     * @param checkpoints stores of checkpoints and parked patches
     */
    public Stages(StageSettings settings, ConversationStore conversations, Checkpoints checkpoints) {
        judge = settings.judge();
        judgeStage = new JudgeStage(settings.decoder(), judge, conversations, checkpoints.reader());
        applyStage = new ApplyStage(judgeStage, checkpoints, settings.dialogue().mode());
    }

    public Judge judge() {
        return judge;
    }

    /**
     * Judges an input record, and applies its patch.
     *
     * @param headers its headers
     * @param stored supplies its headers as they are stored if it is parked
     * @param next as in {@link ApplyStage#apply}
     */
    public void accept(
            Inbound inbound, RecordHeaders headers, Supplier<List<InboundHeader>> stored, Consumer<JudgedRecord> next) {
        applyStage.apply(judgeStage.judge(inbound, headers), stored, next);
    }

    /** Judges an input record by the headers that it contains, and applies its patch. */
    void accept(Inbound inbound, Consumer<JudgedRecord> next) {
        applyStage.apply(judgeStage.judge(inbound), inbound::getHeaders, next);
    }

    /** Continues stored cascades and expires parked patches; see {@link ApplyStage#resume}. */
    public boolean resume(long now, Consumer<JudgedRecord> next) {
        return applyStage.resume(now, next);
    }

    /** Whether {@link #accept} has stored a cascade that {@link #resume} must continue. */
    public boolean isSuspended() {
        return applyStage.isSuspended();
    }
}
