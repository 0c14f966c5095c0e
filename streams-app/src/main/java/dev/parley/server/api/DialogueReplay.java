package dev.parley.server.api;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.json.model.MessageDetail.Position;
import dev.parley.protocol.Protocols;
import dev.parley.server.access.MaskingPolicy;
import dev.parley.topology.views.read.Views;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Replays the dialogue rules over the messages of a conversation, to name the dialogue state before and after one of
 * them. The rules of this build run with default settings over what the views have, so the result is exact only if
 * every verdict on the way is the recorded one.
 */
final class DialogueReplay {
    private static final int MESSAGES_PER_READ = 50;

    private final Judge judge = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);
    private final Views views;
    private final MaskingPolicy masking;
    private ConversationState state = ConversationState.NEW;
    private boolean exact = true;

    DialogueReplay(Views views, MaskingPolicy masking) {
        this.views = views;
        this.masking = masking;
    }

    /** Returns the states around a message; empty if its protocol has no rules, or if earlier messages are missing. */
    Optional<Position> around(AuditRecord record) {
        AgentMessage message = record.getMessage();
        if (message == null || Protocols.STANDARD.wire().of(message) == null) {
            return Optional.empty();
        }
        long next = 0;
        while (next < record.getSequence()) {
            int rest = (int) Math.min(MESSAGES_PER_READ, record.getSequence() - next);
            List<AuditRecord> slice = views.messages(record.getChain(), next, rest);
            if (slice.isEmpty() || slice.get(0).getSequence() != next) {
                return Optional.empty();
            }
            slice.forEach(this::judge);
            next = slice.get(slice.size() - 1).getSequence() + 1;
        }
        ConversationState before =
                judge.expire(state, message.getSource().getTimestamp().toEpochMilli());
        String name = judge.positionOf(before, message);
        judge(record);
        return Optional.of(new Position(name, judge.positionOf(state, message), exact));
    }

    private void judge(AuditRecord record) {
        AgentMessage message = record.getMessage();
        if (record.getRedaction() != null) {
            return;
        }
        if (message == null
                || masking.masks(record)
                || Protocols.STANDARD.wire().of(message) == null) {
            exact = false;
            return;
        }
        Judgement judgement = judge.judge(state, message, List.of(), List.of(), new StoredCheckpoints(views, message));
        String code = judgement.code() == null ? null : judgement.code().name();
        if (code == null && record.getCode() != null && Symbols.STAGE.of(record.getStage()) == Stage.DIALOGUE) {
            // The decoder found this violation.
            Optional<Code> found = Arrays.stream(Code.values())
                    .filter(known -> known.name().equals(record.getCode()))
                    .findFirst();
            if (found.isPresent()) {
                judgement = judge.judge(
                        state, message, List.of(), List.of(found.get()), new StoredCheckpoints(views, message));
                code = record.getCode();
            }
        }
        boolean isPatch = Symbols.STAGE.of(record.getStage()) == Stage.PATCH;
        exact &= isPatch || (code == null ? record.getCode() == null : code.equals(record.getCode()));
        state = judgement.next();
    }

    /** The checkpoints that a context has now, some of which a message may have preceded. */
    private record StoredCheckpoints(Views views, AgentMessage message) implements ContextView {

        @Override
        public boolean knows(String checkpoint) {
            return views.checkpoint(message.getNamespace(), message.getConversation(), checkpoint)
                    .isPresent();
        }

        @Override
        public Predicate<String> names(String checkpoint) {
            return name -> knows(checkpoint);
        }
    }
}
