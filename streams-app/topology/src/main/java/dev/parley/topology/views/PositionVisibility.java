package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import dev.parley.topology.views.store.ViewStores;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Checks which input positions are visible in views, for queries that require some ({@code at-least}). */
public final class PositionVisibility {

    private PositionVisibility() {}

    public static Set<InputPosition> visible(String store, Views views, Set<InputPosition> positions) {
        Set<InputPosition> visible = new LinkedHashSet<>();
        for (InputPosition position : positions) {
            boolean isVisible = switch (store) {
                case ViewStores.DEAD_LETTERS -> isDeadLetterVisible(views, position);
                case ViewStores.CHECKPOINTS ->
                    views.parked().at(position).isPresent() || isMessageVisible(views, position);
                default -> isMessageVisible(views, position);
            };
            if (isVisible) {
                visible.add(position);
            }
        }
        return visible;
    }

    /**
     * Whether the verdict is visible, and the checkpoint too if the message created one. Audit and checkpoints are two
     * topics, and the views read them independently.
     */
    private static boolean isMessageVisible(Views views, InputPosition position) {
        return record(views, position)
                .filter(audit -> !createdCheckpoint(audit) || isCheckpointVisible(views, audit.getMessage()))
                .isPresent();
    }

    private static boolean isCheckpointVisible(Views views, AgentMessage patch) {
        return views.checkpoint(
                        patch.getNamespace(),
                        patch.getConversation(),
                        patch.getCsp().getTarget())
                .isPresent();
    }

    private static boolean createdCheckpoint(AuditRecord audit) {
        return Symbols.VERDICT.of(audit.getVerdict()) == Verdict.ACCEPTED
                && audit.getMessage() != null
                && Checkpoints.isPatch(audit.getMessage())
                && !audit.getWarnings().contains(Code.CSP_DUPLICATE.name());
    }

    private static boolean isDeadLetterVisible(Views views, InputPosition position) {
        return views.deadLetters().has(position)
                || record(views, position)
                        .map(audit -> Symbols.VERDICT.of(audit.getVerdict()))
                        .filter(verdict -> verdict == Verdict.ACCEPTED || verdict == Verdict.FLAGGED)
                        .isPresent();
    }

    private static Optional<AuditRecord> record(Views views, InputPosition position) {
        return views.messages()
                .position(position)
                .flatMap(found -> views.messages(found.chain(), found.sequence(), 1).stream()
                        .findFirst());
    }
}
