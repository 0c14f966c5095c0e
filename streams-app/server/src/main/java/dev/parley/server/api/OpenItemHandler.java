package dev.parley.server.api;

import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.topology.views.OpenItemView;
import dev.parley.topology.views.Views;

/** Answers which requests await their results. */
final class OpenItemHandler {

    private OpenItemHandler() {}

    static KeyedItems list(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "namespace", "protocol", "agent", "requester");
        KeyedItems items = new KeyedItems(request.budget());
        return items.endAt(views.openItems()
                .list(
                        new OpenItemView.Filter(
                                parameters.text("namespace"),
                                parameters.protocol(),
                                parameters.text("agent"),
                                parameters.text("requester")),
                        request.after(),
                        request.limit(),
                        items::add));
    }
}
