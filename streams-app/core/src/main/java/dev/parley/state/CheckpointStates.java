package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.checkpoint.CheckpointReader.Walk;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.Definition;
import dev.parley.gloss.CspGlosser;
import dev.parley.state.StateAnswer.Pruned;
import dev.parley.state.StateSource.Beginning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the states of a CSP context from its checkpoints. */
final class CheckpointStates implements StateReader {
    /** Values of definitions by name. */
    static final StateKind DEFINITIONS =
            new StateKind("definitions", entries -> Map.of("definitions", Collections.unmodifiableSortedMap(entries)));

    private static final int MESSAGES_PER_READ = 50;
    /** Maximum reads of messages in search of the last patch up to a sequence. */
    static final int MAX_READS = 200;

    private static final int CHECKPOINTS_PER_READ = 1_000;
    /** Maximum reads of checkpoints in search of those of redacted patches. */
    static final int MAX_CHECKPOINT_READS = 20;

    private final StateSource source;
    private final CspContextReader context;
    private final QueryBudget budget;
    private int reads;
    private final Map<Source, String> madeBySource = new HashMap<>();
    private Optional<String> nextCheckpoints = Optional.empty();
    private int checkpointReads;

    CheckpointStates(StateSource source, CspContextReader context, QueryBudget budget) {
        this.source = source;
        this.context = context;
        this.budget = budget;
    }

    @Override
    public StateAsOf at(PointInTime moment) {
        CheckpointNode node = context.node(resolve(moment));
        budget.reserve(node.checkpoint().getStateBytes());
        SortedMap<String, Definition> definitions =
                context.definitions(node.checkpoint().getId());
        SortedMap<String, String> values = new TreeMap<>();
        definitions.forEach((name, definition) -> values.put(name, definition.value()));
        Map<Long, ChangeOrigin> origins = new HashMap<>();
        return new StateAsOf(
                CheckpointSummary.of(node),
                values,
                name -> origins.computeIfAbsent(definitions.get(name).setter(), this::origin));
    }

    @Override
    public StatePoint point(PointInTime moment) {
        return CheckpointSummary.of(context.node(resolve(moment)));
    }

    @Override
    public List<String> otherHeads(PointInTime moment, StatePoint asOf) {
        if (!(moment instanceof PointInTime.Latest)) {
            return List.of();
        }
        String own = ((CheckpointSummary) asOf).id();
        List<String> heads =
                source.heads(context.namespace(), context.context(), StateAnswer.State.MAX_OTHER_HEADS + 1);
        // A single other head is a child that was applied since.
        return heads.size() == 1
                ? List.of()
                : heads.stream()
                        .filter(head -> !head.equals(own))
                        .limit(StateAnswer.State.MAX_OTHER_HEADS)
                        .toList();
    }

    @Override
    public StateAnswer.History history(String entry, PointInTime at, Optional<String> cursor, int limit) {
        String from = cursor.orElseGet(() -> resolve(at));
        if (cursor.isPresent() && context.find(from).isEmpty()) {
            throw StateQueryException.invalidCursor("it names no checkpoint");
        }
        context.node(from);
        List<EntryChange> changes = new ArrayList<>();
        Walk walk = context.walk(from, entry, limit, checkpoint -> {
            EntryChange change = new EntryChange(
                    value(checkpoint, entry), ChangeOrigin.Patch.of(checkpoint), CspGlosser.patch(checkpoint));
            return budget.add(change, changes.isEmpty()) && changes.add(change);
        });
        return new StateAnswer.History(
                StateAnswer.Subject.of(context.key(), DEFINITIONS),
                entry,
                at.toString(),
                changes,
                walk.next().orElse(null),
                walk.pruned()
                        .map(pruned -> new Pruned(pruned.getId(), pruned.getPrunedAt()))
                        .orElse(null),
                redacted());
    }

    /** CSP messages cannot be private. */
    @Override
    public boolean redacted() {
        return false;
    }

    private String resolve(PointInTime moment) {
        Optional<String> id;
        if (moment instanceof PointInTime.AtCheckpoint at) {
            id = Optional.of(at.id());
        } else if (moment instanceof PointInTime.OfInputs at) {
            id = source.latestAt(context.namespace(), context.context(), at);
        } else if (moment instanceof PointInTime.AtSequence at) {
            id = madeUpTo(at.sequence());
        } else {
            throw new IllegalArgumentException(moment + " must be a point in time of a CSP context");
        }
        return id.orElse(CheckpointKey.ROOT);
    }

    /** Returns the checkpoint that the last patch up to a sequence made. */
    private Optional<String> madeUpTo(long sequence) {
        String chain = context.key().toString();
        long last = source.conversation(context.namespace(), Protocol.CSP, context.context())
                .map(summary -> Math.min(sequence, summary.getLastSequence()))
                .orElse(-1L);
        long first = source.beginning(chain).map(Beginning::first).orElse(0L);
        for (long to = last; to >= first; to -= MESSAGES_PER_READ) {
            long from = Math.max(first, to - MESSAGES_PER_READ + 1);
            Optional<String> made = madeLast(chain, from, to);
            if (made.isPresent()) {
                return made;
            }
        }
        // Checked again, because messages may have been pruned meanwhile.
        source.beginning(chain).ifPresent(beginning -> {
            throw StateQueryException.messagesPruned(beginning);
        });
        return Optional.empty();
    }

    /** Returns the checkpoint that the last patch in a range made. */
    private Optional<String> madeLast(String chain, long from, long to) {
        Optional<String> made = Optional.empty();
        List<AuditRecord> slice = read(chain, from, to);
        while (!slice.isEmpty()) {
            for (AuditRecord record : slice) {
                Optional<String> madeHere = madeBy(record);
                made = madeHere.isPresent() ? madeHere : made;
            }
            long read = slice.get(slice.size() - 1).getSequence();
            slice = read >= to ? List.of() : read(chain, read + 1, to);
        }
        return made;
    }

    private List<AuditRecord> read(String chain, long from, long to) {
        if (++reads > MAX_READS) {
            throw StateQueryException.tooFarBack(context.namespace(), context.context());
        }
        return source.messages(chain, from, (int) (to - from + 1));
    }

    private Optional<String> madeBy(AuditRecord record) {
        if (record.getRedacted() != null) {
            return madeFrom(record.getSource());
        }
        return Fold.counts(record) && Checkpoints.isPatch(record.getMessage())
                ? Optional.of(record.getMessage().getCsp().getTarget())
                : Optional.empty();
    }

    /** Returns the checkpoint of a redacted record, whose message no longer names it. */
    private Optional<String> madeFrom(Source record) {
        while (!madeBySource.containsKey(record) && (checkpointReads == 0 || nextCheckpoints.isPresent())) {
            if (++checkpointReads > MAX_CHECKPOINT_READS) {
                throw StateQueryException.tooFarBack(context.namespace(), context.context());
            }
            nextCheckpoints = source.checkpoints(
                    context.namespace(), context.context(), nextCheckpoints, CHECKPOINTS_PER_READ, node -> {
                        madeBySource.put(
                                node.checkpoint().getSource(), node.checkpoint().getId());
                        return true;
                    });
        }
        return Optional.ofNullable(madeBySource.get(record));
    }

    private ChangeOrigin origin(long ordinal) {
        return source.checkpoint(context.namespace(), context.context(), ordinal)
                .map(node -> ChangeOrigin.Patch.of(node.checkpoint()))
                .orElseThrow(() -> StateQueryException.incomplete(
                        "The view lacks the checkpoint of ordinal " + ordinal + " so far."));
    }

    private static String value(Checkpoint checkpoint, String name) {
        return checkpoint.getOperations().stream()
                .filter(operation -> operation.getName().equals(name))
                .findFirst()
                .map(CspOperation::getValue)
                .orElse(null);
    }
}
