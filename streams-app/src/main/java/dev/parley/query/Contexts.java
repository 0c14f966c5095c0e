package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Checkpoint;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.StateDiff;
import dev.parley.query.Views.Node;
import java.time.Instant;
import java.util.Map;

/** Answers about CSP contexts: the tree of checkpoints, their states, and what changed between two. */
final class Contexts {

    private static final String ROOT = CheckpointKey.ROOT;

    private final Views views;

    Contexts(Views views) {
        this.views = views;
    }

    ObjectNode checkpoints(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "limit", "cursor");
        int limit = parameters.limit();
        return place(request).tree(parameters.cursor(), limit, request.budget());
    }

    ObjectNode checkpoint(ViewRequest request) {
        Parameters.of(request);
        Place place = place(request);
        Node node = place.node(request.pathParam("id"));
        Checkpoint checkpoint = node.checkpoint();
        ObjectNode answer = line(node);
        answer.put("patchHash", checkpoint.getPatchHash().hasRemaining() ? Json.hex(checkpoint.getPatchHash()) : null)
                .put("stateBytes", checkpoint.getStateBytes())
                .put("deltaBytes", checkpoint.getDeltaBytes())
                .put("snapshot", checkpoint.getSnapshot() != null);
        answer.set("source", Json.of(checkpoint.getSource()));
        answer.set("operations", Json.of(checkpoint.getOperations()));
        return request.budget().whole(answer);
    }

    ObjectNode state(ViewRequest request) {
        Parameters.of(request);
        Place place = place(request);
        String id = request.pathParam("id");
        ResponseBudget budget = request.budget();
        return budget.whole(stateOf(place, place.node(id), budget));
    }

    ObjectNode stateAt(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "at");
        Instant at = Parameters.instant(
                "at", parameters.required("at", "a time like 2026-01-31T12:00:00Z, or milliseconds since the epoch"));
        Place place = place(request);
        String id = views.latestAt(place.namespace(), place.context(), at).orElse(ROOT);
        ResponseBudget budget = request.budget();
        return budget.whole(stateOf(place, place.node(id), budget).put("at", at.toString()));
    }

    ObjectNode diff(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "from", "to");
        String from = parameters.required("from", "id of a checkpoint, for example C1");
        String to = parameters.required("to", "id of a checkpoint, for example C3");
        Place place = place(request);
        ResponseBudget budget = request.budget();
        budget.reserve(place.stateBytes(from) + place.stateBytes(to));
        CheckpointReader reader = place.reader();
        StateDiff diff = StateDiff.between(place.state(reader, from), place.state(reader, to));
        budget.require(StateShapes.size(diff));
        ObjectNode answer = Json.object()
                .put("namespace", place.namespace())
                .put("context", place.context())
                .put("from", from)
                .put("to", to);
        ArrayNode added = answer.putArray("added");
        diff.added()
                .forEach((name, value) -> added.addObject().put("name", name).put("value", value));
        ArrayNode changed = answer.putArray("changed");
        diff.changed()
                .forEach((name, change) -> changed.addObject()
                        .put("name", name)
                        .put("old", change.before())
                        .put("new", change.after()));
        ArrayNode removed = answer.putArray("removed");
        diff.removed()
                .forEach((name, value) -> removed.addObject().put("name", name).put("value", value));
        return budget.whole(answer);
    }

    private ObjectNode stateOf(Place place, Node node, ResponseBudget budget) {
        budget.reserve(node.checkpoint().getStateBytes());
        Map<String, String> state =
                place.state(place.reader(), node.checkpoint().getId());
        budget.require(StateShapes.size(state));
        ObjectNode answer = Json.object().put("namespace", place.namespace()).put("context", place.context());
        answer.set("checkpoint", line(node));
        ObjectNode definitions = answer.putObject("definitions");
        state.forEach(definitions::put);
        return answer;
    }

    static ObjectNode line(Node node) {
        Checkpoint checkpoint = node.checkpoint();
        String path = Paths.checkpoint(checkpoint.getNamespace(), checkpoint.getContext(), checkpoint.getId());
        ObjectNode line = Json.object()
                .put("id", checkpoint.getId())
                .put("parent", checkpoint.getParent())
                .put("patch", checkpoint.getPatch())
                .put("sender", checkpoint.getSender())
                .put("depth", checkpoint.getDepth())
                .put("ordinal", checkpoint.getOrdinal())
                .put("operationCount", checkpoint.getOperations().size())
                .put(
                        "time",
                        checkpoint.getSource() == null
                                ? null
                                : checkpoint.getSource().getTimestamp().toString())
                .put(
                        "prunedAt",
                        checkpoint.getPrunedAt() == null
                                ? null
                                : checkpoint.getPrunedAt().toString())
                .put("hash", checkpoint.getHash().hasRemaining() ? Json.hex(checkpoint.getHash()) : null)
                .put("head", node.head());
        line.putObject("links").put("self", path).put("state", path + "/state");
        return line;
    }

    /** The context that a request is about; it has a checkpoint or a message. */
    private Place place(ViewRequest request) {
        Place place = new Place(views, request.pathParam("namespace"), request.pathParam("context"));
        if (!place.known()) {
            throw Problem.of(
                    Problem.Code.UNKNOWN_CONTEXT,
                    "Namespace " + place.namespace() + " has no CSP context " + place.context() + ".");
        }
        return place;
    }
}
