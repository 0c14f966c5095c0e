package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.OpenItem;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.http.Json;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.read.Views.OpenItemFilter;

/** Answers which requests await their results. */
final class OpenItemHandler {

    private OpenItemHandler() {}

    static ViewAnswer.Page list(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(
                request, "namespace", "protocol", "agent", "requester", Parameters.LIMIT, Parameters.CURSOR);
        KeyedItems items = new KeyedItems(request.budget());
        return items.page(views.openItems(
                new OpenItemFilter(
                        parameters.text("namespace"),
                        parameters.protocol(),
                        parameters.text("agent"),
                        parameters.text("requester")),
                request.after(),
                request.limit(),
                (key, item) -> items.add(key, json(item))));
    }

    private static ObjectNode json(OpenItem item) {
        return Json.object()
                .put("namespace", item.getNamespace())
                .put("protocol", item.getProtocol())
                .put("conversation", item.getConversation())
                .put("sequence", item.getSequence())
                .put("kind", item.getKind())
                .put("item", item.getItem())
                .put("agent", item.getAgent())
                .put("requester", item.getRequester())
                .put("since", item.getSince().toString());
    }
}
