package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Protocol;
import dev.parley.query.States.Talk;
import java.util.List;

/** The requests that {@link States} answers. */
final class StateRoutes {
    private static final String LATEST = "latest";

    private final StateViews views;
    private final Redaction redaction;

    StateRoutes(StateViews views, Redaction redaction) {
        this.views = views;
        this.redaction = redaction;
    }

    ObjectNode state(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "at");
        return states(request).state(talk(request), parameters.text("at").orElse(LATEST));
    }

    ObjectNode blame(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "at", "entry", "limit", "cursor");
        return states(request)
                .blame(
                        talk(request),
                        parameters.text("at").orElse(LATEST),
                        parameters.text("entry"),
                        parameters.cursor(),
                        parameters.limit());
    }

    ObjectNode diff(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "from", "to");
        return states(request)
                .diff(
                        talk(request),
                        parameters.required("from", "a moment, for example sequence:3"),
                        parameters.text("to").orElse(LATEST));
    }

    ObjectNode history(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "entry", "at", "limit", "cursor");
        return states(request)
                .history(
                        talk(request),
                        parameters.required("entry", "the name of an entry of the state"),
                        parameters.text("at").orElse(LATEST),
                        parameters.cursor(),
                        parameters.limit());
    }

    private States states(ViewRequest request) {
        return new States(views, request.budget());
    }

    private Talk talk(ViewRequest request) {
        return new Talk(
                request.pathParam("namespace"),
                Parameters.oneOf("protocol", request.pathParam("protocol"), List.of(Protocol.values())),
                request.pathParam("conversation"),
                request.caller().role().seesPrivateMessages() ? Redaction.NONE : redaction);
    }
}
