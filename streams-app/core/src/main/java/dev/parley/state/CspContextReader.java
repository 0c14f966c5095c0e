package dev.parley.state;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.CheckpointReader.Walk;
import dev.parley.checkpoint.Definition;
import dev.parley.decode.ConversationKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Reads the checkpoints of one CSP context for one query. Not thread-safe.
 *
 * @param reader has no cache, because no later query uses it; never reads the root from the source
 */
record CspContextReader(StateSource source, ConversationKey key, CheckpointReader reader) {
    private static final String ROOT = CheckpointKey.ROOT;
    private static final int MAX_HEADS = 1_000;

    /** Cursor after a page that contains only a root that the source lacks. */
    private static final String AFTER_ROOT = "root";

    CspContextReader(StateSource source, ConversationKey key) {
        this(
                source,
                key,
                new CheckpointReader(
                        text -> source.checkpoint(
                                        key.namespace(),
                                        key.conversation(),
                                        CheckpointKey.parse(text).id())
                                .map(CheckpointNode::checkpoint),
                        0));
    }

    String namespace() {
        return key.namespace();
    }

    String context() {
        return key.conversation();
    }

    /** Whether the context has a message or a checkpoint. */
    boolean exists() {
        return source.conversation(namespace(), Protocol.CSP, context()).isPresent()
                || !source.heads(namespace(), context(), 1).isEmpty();
    }

    CheckpointNode node(String id) {
        return find(id).orElseThrow(() -> unknown(id));
    }

    Optional<CheckpointNode> find(String id) {
        Optional<CheckpointNode> node = source.checkpoint(namespace(), context(), id);
        return node.isEmpty() && id.equals(ROOT) ? Optional.of(root()) : node;
    }

    private CheckpointNode root() {
        Checkpoint root = reader.checkpoint(checkpoint(ROOT)).orElseThrow();
        return new CheckpointNode(root, source.heads(namespace(), context(), 1).isEmpty());
    }

    SortedMap<String, Definition> definitions(String id) {
        return state(id).orElseThrow(() -> unknown(id));
    }

    /** The definitions at a checkpoint; empty if it does not exist or was pruned. */
    Optional<SortedMap<String, Definition>> state(String id) {
        return complete(id, () -> reader.definitions(checkpoint(id)));
    }

    /** As {@link CheckpointReader#walk}. */
    Walk walk(String from, String name, int limit, Predicate<Checkpoint> changes) {
        return complete(from, () -> reader.walk(checkpoint(from), name, limit, changes));
    }

    /** Returns a page of the tree; branch heads take at most half of it. */
    StateAnswer.Tree tree(Optional<String> cursor, int limit, QueryBudget budget) {
        boolean root = cursor.isEmpty()
                && source.checkpoint(namespace(), context(), ROOT).isEmpty();
        List<String> heads = heads(budget);
        List<CheckpointSummary> page = new ArrayList<>();
        if (root) {
            add(page, root(), budget, true);
        }
        Optional<String> next;
        if (root && limit == 1) {
            next = Optional.of(AFTER_ROOT);
        } else {
            int before = page.size();
            next = source.checkpoints(
                    namespace(),
                    context(),
                    cursor.filter(text -> !text.equals(AFTER_ROOT)),
                    limit - before,
                    node -> add(page, node, budget, page.size() == before));
        }
        return new StateAnswer.Tree(
                key.namespace(), key.symbol().name(), key.nameInViews(), page, heads, next.orElse(null));
    }

    private static boolean add(List<CheckpointSummary> page, CheckpointNode node, QueryBudget budget, boolean first) {
        CheckpointSummary summary = CheckpointSummary.of(node);
        return budget.add(summary, first) && page.add(summary);
    }

    private List<String> heads(QueryBudget budget) {
        List<String> found = source.heads(namespace(), context(), MAX_HEADS);
        if (found.isEmpty()) {
            return List.of(ROOT);
        }
        long half = budget.left() / 2;
        List<String> heads = new ArrayList<>();
        for (String head : found) {
            if (budget.left() <= half || !budget.add(head, false)) {
                break;
            }
            heads.add(head);
        }
        return heads;
    }

    /** Runs a walk from a checkpoint to the root. */
    private <T> T complete(String id, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalStateException e) {
            // Checkpoints of one context may be in several partitions, which the views read independently.
            throw StateQueryException.incomplete("The view lacks a checkpoint between C0 and " + id + " so far.");
        }
    }

    private CheckpointKey checkpoint(String id) {
        return new CheckpointKey(namespace(), context(), id);
    }

    private StateQueryException unknown(String id) {
        return find(id).map(node -> node.checkpoint().getPrunedAt())
                .map(time -> StateQueryException.pruned(key, id, time))
                .orElseGet(() -> StateQueryException.unknownCheckpoint(key, id));
    }
}
