package dev.parley.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.avro.Checkpoint;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.state.ChangeOrigin;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.EntryChange;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateEntry;
import dev.parley.state.StateKind;
import dev.parley.state.StatePoint;
import dev.parley.state.StateValue;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renders results of state queries as JSON, for HTTP API and command line. The members are public contract, described
 * by openapi.yaml.
 */
public final class StateJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ChangeOrigin.Patch UNKNOWN = new ChangeOrigin.Patch(null, null, null, null);

    private StateJson() {}

    /** Renders a result. */
    public static ObjectNode of(StateAnswer answer) {
        if (answer instanceof StateAnswer.State state) {
            return state(state);
        }
        if (answer instanceof StateAnswer.Point point) {
            ObjectNode node = head(point.conversation(), point.kind())
                    .put("at", point.at().toString());
            node.set("asOf", point(point.asOf()));
            return node.put("redacted", point.redacted());
        }
        if (answer instanceof StateAnswer.Blame blame) {
            return blame(blame);
        }
        if (answer instanceof StateAnswer.Difference difference) {
            return difference(difference);
        }
        if (answer instanceof StateAnswer.History history) {
            return history(history);
        }
        if (answer instanceof StateAnswer.Tree tree) {
            return tree(tree);
        }
        throw new IllegalArgumentException("Cannot write as JSON: " + answer.getClass());
    }

    /** Renders an item of a result with a list. */
    public static JsonNode of(QueryBudget.Item item) {
        if (item instanceof StateEntry entry) {
            ObjectNode node = NODES.objectNode().put("entry", entry.name()).put("value", entry.value());
            node.set("by", origin(entry.origin()));
            return node;
        }
        if (item instanceof EntryChange change) {
            ObjectNode node = NODES.objectNode().put("value", change.value().orElse(null));
            node.set("by", origin(change.origin()));
            return node.put("gloss", change.gloss().orElse(null));
        }
        if (item instanceof CheckpointSummary checkpoint) {
            return checkpoint(checkpoint);
        }
        if (item instanceof QueryBudget.Head head) {
            return TextNode.valueOf(head.id());
        }
        throw new IllegalArgumentException("Cannot write as JSON: " + item.getClass());
    }

    /** Renders a checkpoint with its operations. */
    public static ObjectNode of(CheckpointNode node) {
        Checkpoint checkpoint = node.checkpoint();
        ObjectNode answer = checkpoint(CheckpointSummary.of(node));
        answer.set("patchHash", hex(checkpoint.getPatchHash()));
        answer.put("stateBytes", checkpoint.getStateBytes())
                .put("deltaBytes", checkpoint.getDeltaBytes())
                .put("snapshot", checkpoint.getSnapshot() != null);
        answer.set("source", AvroJson.tree(checkpoint.getSource()));
        answer.set("operations", AvroJson.tree(checkpoint.getOperations()));
        return answer;
    }

    private static ObjectNode state(StateAnswer.State state) {
        ObjectNode answer =
                head(state.conversation(), state.kind()).put("at", state.at().toString());
        answer.set("asOf", point(state.asOf()));
        state.kind()
                .structure()
                .apply(state.entries())
                .values()
                .forEach((name, value) -> answer.set(name, value(value)));
        return answer.put("redacted", state.redacted());
    }

    private static ObjectNode blame(StateAnswer.Blame blame) {
        ObjectNode answer =
                head(blame.conversation(), blame.kind()).put("at", blame.at().toString());
        answer.set("asOf", point(blame.asOf()));
        answer.set("items", items(blame.entries()));
        return answer.put("next", blame.next().orElse(null)).put("redacted", blame.redacted());
    }

    private static ObjectNode difference(StateAnswer.Difference difference) {
        StateDiff diff = difference.diff();
        ObjectNode answer = head(difference.conversation(), difference.kind())
                .put("from", difference.from().toString())
                .put("to", difference.to().toString());
        answer.set("fromAsOf", point(difference.fromAsOf()));
        answer.set("toAsOf", point(difference.toAsOf()));
        answer.set("added", entries(diff.added()));
        ArrayNode changed = answer.putArray("changed");
        diff.changed()
                .forEach((name, change) -> changed.addObject()
                        .put("entry", name)
                        .put("old", change.before())
                        .put("new", change.after()));
        answer.set("removed", entries(diff.removed()));
        return answer.put("redacted", difference.redacted());
    }

    private static ObjectNode history(StateAnswer.History history) {
        ObjectNode answer = head(history.conversation(), history.kind())
                .put("entry", history.entry())
                .put("at", history.at().toString());
        answer.set("items", items(history.changes()));
        answer.put("next", history.next().orElse(null));
        answer.set(
                "pruned",
                history.pruned()
                        .<JsonNode>map(pruned -> NODES.objectNode()
                                .put("checkpoint", pruned.checkpoint())
                                .put("at", pruned.at().toString()))
                        .orElseGet(NullNode::getInstance));
        return answer.put("redacted", history.redacted());
    }

    private static ObjectNode tree(StateAnswer.Tree tree) {
        ObjectNode answer = conversation(tree.conversation());
        answer.set("items", items(tree.checkpoints()));
        ArrayNode heads = answer.putArray("heads");
        tree.heads().forEach(heads::add);
        return answer.put("next", tree.next().orElse(null));
    }

    private static ObjectNode conversation(ConversationKey conversation) {
        return NODES.objectNode()
                .put("namespace", conversation.namespace())
                .put("protocol", conversation.symbol().name())
                .put("conversation", conversation.nameInViews());
    }

    private static ObjectNode head(ConversationKey conversation, StateKind kind) {
        return conversation(conversation).put("kind", kind.name());
    }

    private static JsonNode point(StatePoint point) {
        if (point instanceof StatePoint.AfterMessage after) {
            return origin(after.message());
        }
        if (point instanceof StatePoint.AtCheckpoint at) {
            return checkpoint(at.checkpoint());
        }
        return NODES.nullNode();
    }

    private static ObjectNode origin(ChangeOrigin origin) {
        if (origin instanceof ChangeOrigin.Message message) {
            ObjectNode by =
                    NODES.objectNode().put("sequence", message.sequence()).put("sender", message.sender());
            by.set("source", AvroJson.tree(message.source()));
            return by;
        }
        ChangeOrigin.Patch patch = origin instanceof ChangeOrigin.Patch known ? known : UNKNOWN;
        ObjectNode by = NODES.objectNode()
                .put("checkpoint", patch.checkpoint())
                .put("patch", patch.patch())
                .put("sender", patch.sender());
        by.set("source", AvroJson.tree(patch.source()));
        return by;
    }

    private static ObjectNode checkpoint(CheckpointSummary checkpoint) {
        ObjectNode node = NODES.objectNode()
                .put("id", checkpoint.id())
                .put("parent", checkpoint.parent())
                .put("patch", checkpoint.patch())
                .put("sender", checkpoint.sender())
                .put("depth", checkpoint.depth())
                .put("ordinal", checkpoint.ordinal())
                .put("operationCount", checkpoint.operationCount())
                .put("time", text(checkpoint.time()))
                .put("prunedAt", text(checkpoint.prunedAt()));
        node.set("hash", hex(checkpoint.hash()));
        return node.put("head", checkpoint.head());
    }

    private static ArrayNode items(List<? extends QueryBudget.Item> items) {
        ArrayNode array = NODES.arrayNode(items.size());
        items.forEach(item -> array.add(of(item)));
        return array;
    }

    private static ArrayNode entries(Map<String, String> entries) {
        ArrayNode array = NODES.arrayNode(entries.size());
        entries.forEach((name, value) -> array.addObject().put("entry", name).put("value", value));
        return array;
    }

    private static JsonNode value(StateValue value) {
        if (value instanceof StateValue.Text text) {
            return NODES.textNode(text.text());
        }
        if (value instanceof StateValue.Whole whole) {
            return NODES.numberNode(whole.number());
        }
        if (value instanceof StateValue.Fields fields) {
            ObjectNode node = NODES.objectNode();
            fields.values().forEach((name, field) -> node.set(name, value(field)));
            return node;
        }
        if (value instanceof StateValue.Items items) {
            ArrayNode array = NODES.arrayNode(items.values().size());
            items.values().forEach(item -> array.add(value(item)));
            return array;
        }
        return NODES.nullNode();
    }

    private static String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse(null);
    }

    /** Lower-case hexadecimal digits; null for no bytes. */
    private static JsonNode hex(ByteBuffer bytes) {
        return bytes.hasRemaining() ? AvroJson.tree(bytes) : NODES.nullNode();
    }
}
