package dev.parley.server.api;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.json.model.ParkedItem;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.stage.StageSettings;
import dev.parley.topology.views.Views;
import java.time.Instant;

/**
 * Answers which patches wait for their bases. No CSP message is private, so nothing is masked; and only a recorded
 * message can be redacted, which a parked patch is not yet.
 *
 * @param settings settings of the pipeline, which decide when a patch expires
 */
record ParkedItemHandler(StageSettings settings, ResponseLinks links) {

    KeyedItems list(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "namespace", "conversation");
        KeyedItems items = new KeyedItems(request.budget());
        return items.endAt(views.parked()
                .list(
                        parameters.text("namespace"),
                        parameters.text("conversation"),
                        request.after(),
                        request.limit(),
                        (key, item) -> items.add(key, result(item, views))));
    }

    /** The parked patch at an input position. */
    ParkedItem one(ViewRequest request, Views views) {
        InputPosition position = InputPositionHandler.position(request);
        return request.budget()
                .addAnswer(views.parked()
                        .at(position)
                        .map(item -> result(item, views))
                        .orElseThrow(() -> Code.UNKNOWN_POSITION.problem(
                                "No visible parked patch at the input position " + position)));
    }

    private ParkedItem result(dev.parley.avro.ParkedItem item, Views views) {
        InputPosition position = InputPosition.of(item.getSource());
        Instant since = item.getSource().getTimestamp();
        boolean exists = views.conversation(item.getNamespace(), Protocol.CSP, item.getContext())
                .isPresent();
        return new ParkedItem(
                item.getNamespace(),
                item.getContext(),
                item.getPatch(),
                item.getBase(),
                item.getTarget(),
                item.getSender(),
                position.toString(),
                since,
                since.plusMillis(settings.checkpoints().parkingMillis()),
                new ParkedItem.Links(
                        links.position(position),
                        exists ? links.conversation(item.getNamespace(), Protocol.CSP, item.getContext()) : null));
    }
}
