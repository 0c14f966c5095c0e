package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.Definition;
import dev.parley.query.Views.Node;
import dev.parley.state.Fold;
import dev.parley.state.Moment;
import dev.parley.topology.ViewKeys.Beginning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The states of a CSP context: its checkpoints. */
final class CheckpointStates implements StateReader {
    private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE);
    private static final int PAGE = 50;

    private final StateViews views;
    private final Place place;
    private final ResponseBudget budget;

    CheckpointStates(StateViews views, Place place, ResponseBudget budget) {
        this.views = views;
        this.place = place;
        this.budget = budget;
    }

    @Override
    public String kind() {
        return "definitions";
    }

    @Override
    public Stand at(String parameter, Moment moment) {
        Node node = place.node(resolve(parameter, moment));
        String id = node.checkpoint().getId();
        budget.reserve(node.checkpoint().getStateBytes());
        CheckpointReader reader = place.reader();
        SortedMap<String, Definition> definitions =
                place.whole(id, () -> reader.definitions(place.key(id))).orElseThrow(() -> place.unknown(id));
        SortedMap<String, String> values = new TreeMap<>();
        definitions.forEach((name, definition) -> values.put(name, definition.value()));
        Map<Long, ObjectNode> setters = new HashMap<>();
        return new Stand(
                Optional.of(Contexts.line(node)),
                values,
                name -> setters.computeIfAbsent(definitions.get(name).setter(), this::setter)
                        .deepCopy());
    }

    @Override
    public Steps history(String entry, Moment at, Optional<String> cursor, int limit, Predicate<Step> page) {
        String from = cursor.orElseGet(() -> resolve("at", at));
        if (cursor.isPresent() && place.find(from).isEmpty()) {
            throw new InvalidCursor("it names no checkpoint");
        }
        place.node(from);
        CheckpointReader reader = place.reader();
        CheckpointReader.Walk walk = place.whole(
                from,
                () -> reader.walk(
                        place.key(from), entry, limit, node -> page.test(new Step(value(node, entry), by(node)))));
        return new Steps(
                walk.next(),
                walk.pruned()
                        .map(stub -> Json.object()
                                .put("checkpoint", stub.getId())
                                .put("at", stub.getPrunedAt().toString())));
    }

    @Override
    public void show(ObjectNode answer, Map<String, String> entries) {
        ObjectNode definitions = answer.putObject("definitions");
        entries.forEach(definitions::put);
    }

    /** The protocol has no mark for what is private. */
    @Override
    public boolean redacted() {
        return false;
    }

    private String resolve(String parameter, Moment moment) {
        Optional<String> id;
        if (moment instanceof Moment.AtCheckpoint at) {
            id = Optional.of(at.id());
        } else if (moment instanceof Moment.AtTime at) {
            id = views.latestAt(place.namespace(), place.context(), at.time());
        } else if (moment instanceof Moment.AtOffset at) {
            id = views.latestAt(place.namespace(), place.context(), at.topic(), at.partition(), at.offset());
        } else if (moment instanceof Moment.AtSequence at) {
            id = madeUpTo(at.sequence());
        } else if (moment instanceof Moment.Latest) {
            id = views.latestAt(place.namespace(), place.context(), END);
        } else {
            throw Parameters.invalid(
                    parameter, "is a turn, and CSP has none; a checkpoint: or sequence: is what it has");
        }
        return id.orElse(CheckpointKey.ROOT);
    }

    /** What the last patch up to a sequence made. */
    private Optional<String> madeUpTo(long sequence) {
        String chain = CheckpointKey.chain(place.namespace(), place.context()).toString();
        long last = views.conversation(place.namespace(), Protocol.CSP, place.context())
                .map(summary -> Math.min(sequence, summary.getLastSequence()))
                .orElse(-1L);
        long first = views.beginning(chain).map(Beginning::first).orElse(0L);
        for (long to = last; to >= first; to -= PAGE) {
            long from = Math.max(first, to - PAGE + 1);
            Optional<String> made = madeLast(chain, from, to);
            if (made.isPresent()) {
                return made;
            }
        }
        // Asked once more: it may have been pruned meanwhile.
        views.beginning(chain).ifPresent(beginning -> {
            throw Problem.messagesPruned(beginning);
        });
        return Optional.empty();
    }

    /** What the last patch among some messages made. */
    private Optional<String> madeLast(String chain, long from, long to) {
        Optional<String> made = Optional.empty();
        List<AuditRecord> slice = views.messages(chain, from, (int) (to - from + 1));
        while (!slice.isEmpty()) {
            for (AuditRecord record : slice) {
                Optional<String> madeHere = madeBy(record);
                made = madeHere.isPresent() ? madeHere : made;
            }
            long read = slice.get(slice.size() - 1).getSequence();
            slice = read >= to ? List.of() : views.messages(chain, read + 1, (int) (to - read));
        }
        return made;
    }

    private Optional<String> madeBy(AuditRecord record) {
        if (record.getRedacted() != null) {
            return madeFrom(record.getSource());
        }
        return Fold.counts(record) && Checkpoints.isPatch(record.getMessage())
                ? Optional.of(record.getMessage().getCsp().getTarget())
                : Optional.empty();
    }

    /** The checkpoint that says it came of a record: the message of one that was redacted does not say any more what it made. */
    private Optional<String> madeFrom(Source source) {
        List<String> made = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            cursor = views.checkpoints(place.namespace(), place.context(), cursor, Parameters.MAX_LIMIT, node -> {
                if (source.equals(node.checkpoint().getSource())) {
                    made.add(node.checkpoint().getId());
                }
                return true;
            });
        } while (made.isEmpty() && cursor.isPresent());
        return made.stream().findFirst();
    }

    private ObjectNode setter(long ordinal) {
        if (ordinal == Definition.UNKNOWN) {
            // A snapshot from before setters were kept, and the way above it pruned.
            return Json.object()
                    .putNull("checkpoint")
                    .putNull("patch")
                    .putNull("sender")
                    .putNull("source");
        }
        return by(views.checkpoint(place.namespace(), place.context(), ordinal)
                .orElseThrow(() ->
                        new ViewsUnavailable("The view lacks the checkpoint of ordinal " + ordinal + " as yet.", null))
                .checkpoint());
    }

    private static ObjectNode by(Checkpoint node) {
        ObjectNode by = Json.object()
                .put("checkpoint", node.getId())
                .put("patch", node.getPatch())
                .put("sender", node.getSender());
        by.set("source", Json.of(node.getSource()));
        return by;
    }

    private static Optional<String> value(Checkpoint node, String name) {
        return node.getOperations().stream()
                .filter(operation -> operation.getName().equals(name))
                .findFirst()
                .map(CspOperation::getValue);
    }
}
