package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.query.Views.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A CSP context in the views. */
record Place(StateViews views, String namespace, String context) {

    private static final String ROOT = CheckpointKey.ROOT;

    /** Cursor of the page after one that had nothing but a root which the store does not have. */
    private static final String AFTER_ROOT = "root";

    boolean known() {
        return views.conversation(namespace, Protocol.CSP, context).isPresent()
                || !views.heads(namespace, context, 1).isEmpty();
    }

    Node node(String id) {
        return find(id).orElseThrow(() -> unknown(id));
    }

    Optional<Node> find(String id) {
        Optional<Node> node = views.checkpoint(namespace, context, id);
        return node.isEmpty() && id.equals(ROOT) ? Optional.of(root()) : node;
    }

    Node root() {
        Checkpoint root = reader().checkpoint(key(ROOT)).orElseThrow();
        return new Node(root, views.heads(namespace, context, 1).isEmpty());
    }

    /** A page of the checkpoints in the order of application, the root first, and the heads: as many as fit into half of the response. */
    ObjectNode tree(Optional<String> cursor, int limit, ResponseBudget budget) {
        boolean root =
                cursor.isEmpty() && views.checkpoint(namespace, context, ROOT).isEmpty();
        ObjectNode answer = Json.object().put("namespace", namespace).put("context", context);
        ItemList items = new ItemList(answer.putArray("items"), budget);
        addHeads(answer.putArray("heads"), budget);
        if (root) {
            items.add(Contexts.line(root()));
        }
        Optional<String> next;
        if (root && limit == 1) {
            next = Optional.of(AFTER_ROOT);
        } else {
            Optional<String> after = cursor.filter(text -> !text.equals(AFTER_ROOT));
            int rest = root ? limit - 1 : limit;
            next = views.checkpoints(
                    namespace,
                    context,
                    after,
                    rest,
                    node -> items.add(Contexts.line(node), items.size() == (root ? 1 : 0)));
        }
        return answer.put("next", next.orElse(null));
    }

    private void addHeads(ArrayNode heads, ResponseBudget budget) {
        long half = budget.left() / 2;
        List<String> found = views.heads(namespace, context, Parameters.MAX_LIMIT);
        for (String head : found) {
            TextNode node = TextNode.valueOf(head);
            if (budget.left() - ResponseBudget.Size.of(node).tree() < half) {
                return;
            }
            budget.add(node);
            heads.add(node);
        }
        if (found.isEmpty()) {
            heads.add(ROOT);
        }
    }

    /**
     * A reader for one request: it is for one thread, and what it keeps is worth nothing to the next request. What it reads of the root
     * never comes from the store.
     */
    CheckpointReader reader() {
        return new CheckpointReader(
                text -> {
                    CheckpointKey key = CheckpointKey.parse(text);
                    return views.checkpoint(key.namespace(), key.context(), key.id())
                            .map(Node::checkpoint);
                },
                0);
    }

    /** Bytes of names and values of a state; 0 when there is no such checkpoint. */
    long stateBytes(String id) {
        return find(id).map(node -> node.checkpoint().getStateBytes()).orElse(0L);
    }

    /** Ordered by name. */
    Map<String, String> state(CheckpointReader reader, String id) {
        return whole(id, () -> reader.state(key(id))).orElseThrow(() -> unknown(id));
    }

    /** What is read from the way between the root and a checkpoint. */
    <T> T whole(String id, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalStateException e) {
            // Checkpoints of one context may stand in several partitions, which the view does not follow in step.
            throw new ViewsUnavailable("The view lacks a checkpoint between C0 and " + id + " as yet.", e);
        }
    }

    CheckpointKey key(String id) {
        return new CheckpointKey(namespace, context, id);
    }

    /** Why there is no state of that id. */
    Problem unknown(String id) {
        return find(id).map(node -> node.checkpoint().getPrunedAt())
                .map(
                        time -> Problem.of(
                                Problem.Code.CHECKPOINT_PRUNED,
                                "Checkpoint " + id + " of context " + context
                                        + " was superseded longer ago than csp.retention.ms, and pruned at " + time
                                        + ". Its place in the tree and its hash are left; its patch stands in the audit topic as long as that keeps it."))
                .orElseGet(() -> Problem.of(
                        Problem.Code.UNKNOWN_CHECKPOINT,
                        "Context " + context + " of namespace " + namespace + " has no checkpoint " + id + "."));
    }
}
