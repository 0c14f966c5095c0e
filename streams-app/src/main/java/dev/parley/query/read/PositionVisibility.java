package dev.parley.query.read;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspMessage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.codec.Code;
import dev.parley.topology.views.ViewKeys.ChainPosition;
import dev.parley.topology.views.ViewStores;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What some views show of records of the input that an answer must show. */
public final class PositionVisibility {

    private PositionVisibility() {}

    /** Those that a store shows. */
    public static Set<InputPosition> in(String store, Views views, Set<InputPosition> demanded) {
        Set<InputPosition> shown = new LinkedHashSet<>();
        for (InputPosition position : demanded) {
            if (store.equals(ViewStores.DEAD_LETTERS) ? asDeadLetter(views, position) : asMessage(views, position)) {
                shown.add(position);
            }
        }
        return shown;
    }

    /**
     * Its verdict, and where it made a checkpoint that too: audit and checkpoints are two topics, which the views
     * follow side by side.
     */
    private static boolean asMessage(Views views, InputPosition position) {
        Optional<AuditRecord> record = record(views, position);
        if (record.isEmpty()) {
            return false;
        }
        AuditRecord audit = record.get();
        if (!madeCheckpoint(audit)) {
            return true;
        }
        CspMessage patch = audit.getMessage().getCsp();
        return views.checkpoint(
                        audit.getMessage().getNamespace(), audit.getMessage().getConversation(), patch.getTarget())
                .isPresent();
    }

    private static boolean madeCheckpoint(AuditRecord audit) {
        return audit.getVerdict() == Verdict.ACCEPTED
                && audit.getMessage() != null
                && Checkpoints.isPatch(audit.getMessage())
                && !audit.getWarnings().contains(Code.CSP_DUPLICATE.name());
    }

    private static boolean asDeadLetter(Views views, InputPosition position) {
        return views.hasDeadLetterOf(position)
                || record(views, position)
                        .filter(audit ->
                                audit.getVerdict() == Verdict.ACCEPTED || audit.getVerdict() == Verdict.FLAGGED)
                        .isPresent();
    }

    private static Optional<AuditRecord> record(Views views, InputPosition position) {
        Optional<ChainPosition> place = views.linkOf(position);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        List<AuditRecord> records =
                views.messages(place.get().chain(), place.get().sequence(), 1);
        return records.stream().findFirst();
    }
}
