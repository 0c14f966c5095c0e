package dev.parley.json.model.state;

import dev.parley.checkpoint.CheckpointNode;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.json.AvroJson;
import dev.parley.state.ChangeOrigin;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.EntryChange;
import dev.parley.state.QueryBudget;
import dev.parley.state.ShownEntry;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateEntry;
import dev.parley.state.StatePoint;
import dev.parley.state.StateValue;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Converts results of state queries to the records of the HTTP API, which the command line uses too. */
public final class StateResults {

    private StateResults() {}

    /** The whole state. */
    public static State of(StateAnswer.State state) {
        return state(
                new StateAnswer.Point(state.conversation(), state.kind(), state.at(), state.asOf(), state.redacted()),
                state.otherHeads(),
                state.kind().structure().apply(state.entries()).values());
    }

    /** A state without its entries. */
    public static State of(StateAnswer.Point point) {
        return state(point, List.of(), Map.of());
    }

    private static State state(StateAnswer.Point point, List<String> otherHeads, Map<String, StateValue> members) {
        ConversationKey conversation = point.conversation();
        return new State(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                point.kind().name(),
                point.at().toString(),
                asOf(point.asOf()),
                otherHeads,
                members,
                point.redacted());
    }

    /** A page of the entries of a state. */
    public static StatePage page(StateAnswer.State state, List<StatePage.Entry> entries, String next) {
        ConversationKey conversation = state.conversation();
        return new StatePage(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                state.kind().name(),
                state.at().toString(),
                asOf(state.asOf()),
                state.otherHeads(),
                state.redacted(),
                state.entries().size(),
                entries,
                next);
    }

    public static Blame of(StateAnswer.Blame blame) {
        ConversationKey conversation = blame.conversation();
        return new Blame(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                blame.kind().name(),
                blame.at().toString(),
                asOf(blame.asOf()),
                blame.entries().stream().map(StateResults::entry).toList(),
                blame.next().orElse(null),
                blame.redacted());
    }

    public static Diff of(StateAnswer.Difference difference) {
        ConversationKey conversation = difference.conversation();
        StateDiff diff = difference.diff();
        return new Diff(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                difference.kind().name(),
                difference.from().toString(),
                difference.to().toString(),
                asOf(difference.fromAsOf()),
                asOf(difference.toAsOf()),
                entries(diff.added()),
                diff.changed().entrySet().stream()
                        .map(change -> new Diff.Changed(
                                change.getKey(),
                                change.getValue().before(),
                                change.getValue().after()))
                        .toList(),
                entries(diff.removed()),
                difference.redacted());
    }

    /** A page of the changes of a difference. */
    public static DiffPage page(StateAnswer.Difference difference, List<DiffPage.Change> changes, String next) {
        ConversationKey conversation = difference.conversation();
        StateDiff diff = difference.diff();
        return new DiffPage(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                difference.kind().name(),
                difference.from().toString(),
                difference.to().toString(),
                asOf(difference.fromAsOf()),
                asOf(difference.toAsOf()),
                difference.redacted(),
                new DiffPage.Counts(
                        diff.added().size(),
                        diff.changed().size(),
                        diff.removed().size()),
                changes,
                next);
    }

    public static History of(StateAnswer.History history) {
        ConversationKey conversation = history.conversation();
        return new History(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                history.kind().name(),
                history.entry(),
                history.at().toString(),
                history.changes().stream().map(StateResults::change).toList(),
                history.next().orElse(null),
                history.pruned()
                        .map(pruned -> new History.Pruned(pruned.checkpoint(), pruned.at()))
                        .orElse(null),
                history.redacted());
    }

    public static CheckpointTree of(StateAnswer.Tree tree) {
        ConversationKey conversation = tree.conversation();
        return new CheckpointTree(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                tree.checkpoints().stream().map(StateResults::checkpoint).toList(),
                tree.heads(),
                tree.next().orElse(null));
    }

    /** Some of the entries that a conversation had shown an agent. */
    public static Knowledge of(StateAnswer.Knowledge knowledge, Collection<ShownEntry> entries) {
        ConversationKey conversation = knowledge.conversation();
        return new Knowledge(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                entries.stream().map(StateResults::of).toList(),
                knowledge.redacted(),
                knowledge.partial());
    }

    public static Knowledge.Entry of(ShownEntry entry) {
        ChangeOrigin.Message message = entry.shownBy();
        return new Knowledge.Entry(
                entry.name(),
                entry.value(),
                entry.checkpoint(),
                new Knowledge.Message(message.sequence(), message.sender(), message.source()));
    }

    /** A checkpoint with its operations. */
    public static CheckpointDetail of(CheckpointNode node) {
        dev.parley.avro.Checkpoint checkpoint = node.checkpoint();
        return new CheckpointDetail(
                checkpoint(CheckpointSummary.of(node)),
                hash(checkpoint.getPatchHash()),
                checkpoint.getStateBytes(),
                checkpoint.getDeltaBytes(),
                checkpoint.getSnapshot() != null,
                checkpoint.getSource(),
                checkpoint.getOperations());
    }

    /** An item of a result with a list: a record, or a string. */
    public static Object of(QueryBudget.Item item) {
        if (item instanceof StateEntry entry) {
            return entry(entry);
        }
        if (item instanceof EntryChange change) {
            return change(change);
        }
        if (item instanceof CheckpointSummary checkpoint) {
            return checkpoint(checkpoint);
        }
        return ((QueryBudget.Head) item).id();
    }

    private static Blame.Entry entry(StateEntry entry) {
        return new Blame.Entry(entry.name(), entry.value(), setter(entry.origin()));
    }

    private static History.Change change(EntryChange change) {
        return new History.Change(
                change.value().orElse(null),
                setter(change.origin()),
                change.gloss().orElse(null));
    }

    private static AsOf asOf(StatePoint point) {
        if (point instanceof StatePoint.AfterMessage after) {
            return setter(after.message());
        }
        return point instanceof StatePoint.AtCheckpoint at ? checkpoint(at.checkpoint()) : null;
    }

    private static Setter setter(ChangeOrigin origin) {
        if (origin instanceof ChangeOrigin.Message message) {
            return new Setter(message.sequence(), null, null, message.sender(), message.source());
        }
        ChangeOrigin.Patch patch = (ChangeOrigin.Patch) origin;
        return new Setter(null, patch.checkpoint(), patch.patch(), patch.sender(), patch.source());
    }

    private static Checkpoint checkpoint(CheckpointSummary checkpoint) {
        return new Checkpoint(
                checkpoint.id(),
                checkpoint.parent(),
                checkpoint.patch(),
                checkpoint.sender(),
                checkpoint.depth(),
                checkpoint.ordinal(),
                checkpoint.operationCount(),
                checkpoint.time().orElse(null),
                checkpoint.prunedAt().orElse(null),
                hash(checkpoint.hash()),
                checkpoint.head());
    }

    private static List<StatePage.Entry> entries(SortedMap<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry -> new StatePage.Entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Null for no bytes. */
    private static String hash(ByteBuffer bytes) {
        return bytes.hasRemaining() ? AvroJson.hex(bytes) : null;
    }
}
