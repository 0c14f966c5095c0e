package dev.parley.benchmarks;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.checkpoint.ReleasedPatchQueue;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.protocol.Protocols;
import dev.parley.stage.KnownCheckpoints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Judges decoded messages, each in the dialogue of its conversation, and applies their patches: the work of the stages
 * judge and apply over stores in memory, without decoding and recording.
 */
final class DecodedDialogue {
    private final Judge judge = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);
    private final List<RecordDecodeResult.Message> messages;
    private final int[] conversations;
    private final ConversationState[] states;

    /** Creates a dialogue of these messages; the offset of each is its index. */
    DecodedDialogue(List<RecordDecodeResult.Message> messages) {
        this.messages = messages;
        this.conversations = new int[messages.size()];
        Map<String, Integer> known = new HashMap<>();
        for (int i = 0; i < conversations.length; i++) {
            AgentMessage message = messages.get(i).message();
            String name = message.getNamespace() + "|" + message.getConversation();
            conversations[i] = known.computeIfAbsent(name, any -> known.size());
        }
        this.states = new ConversationState[known.size()];
    }

    /**
     * Processes all messages in order, every conversation from its beginning.
     *
     * @param verdicts consumer of a {@link Judgement} or an {@link PatchOutcome} per message
     */
    void play(Consumer<Object> verdicts) {
        Arrays.fill(states, ConversationState.NEW);
        Checkpoints checkpoints = new Checkpoints(
                new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), CheckpointSettings.DEFAULT);
        for (int i = 0; i < conversations.length; i++) {
            if (judge(i, checkpoints, verdicts)) {
                apply(i, checkpoints, verdicts);
            }
        }
    }

    /** Judges one message. Returns whether the checkpoints must decide. */
    private boolean judge(int at, Checkpoints checkpoints, Consumer<Object> verdicts) {
        RecordDecodeResult.Message decoded = messages.get(at);
        AgentMessage message = decoded.message();
        ContextView context =
                new KnownCheckpoints(checkpoints.reader(), message.getNamespace(), message.getConversation());
        Judgement judgement =
                judge.judge(states[conversations[at]], message, decoded.warnings(), decoded.violations(), context);
        states[conversations[at]] = judgement.next();
        verdicts.accept(judgement);
        return judgement.verdict() == Verdict.ACCEPTED && Checkpoints.isPatch(message);
    }

    private void apply(int at, Checkpoints checkpoints, Consumer<Object> verdicts) {
        ReleasedPatchQueue queue = new ReleasedPatchQueue(checkpoints);
        applyOne(at, checkpoints, queue, verdicts);
        for (Optional<ParkedPatch> free = queue.next(); free.isPresent(); free = queue.next()) {
            int waited = (int) free.get().getInbound().getSource().getOffset();
            if (judge(waited, checkpoints, verdicts)) {
                applyOne(waited, checkpoints, queue, verdicts);
            }
        }
    }

    private void applyOne(int at, Checkpoints checkpoints, ReleasedPatchQueue queue, Consumer<Object> verdicts) {
        AgentMessage message = messages.get(at).message();
        Supplier<Inbound> inbound =
                () -> new Inbound(message.getSource(), null, message.getRaw(), new ArrayList<>(), null, null);
        PatchOutcome outcome =
                checkpoints.apply(message, message.getSource().getTimestamp().toEpochMilli(), inbound);
        verdicts.accept(outcome);
        if (outcome instanceof PatchOutcome.Applied applied) {
            queue.add(applied.checkpoint());
        }
    }
}
