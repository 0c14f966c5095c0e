package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import dev.parley.protocol.Glosses;
import dev.parley.query.http.Json;
import dev.parley.query.http.ProblemException;
import dev.parley.query.http.ProblemHandler;
import dev.parley.query.http.ResponseBudget;
import dev.parley.query.read.MaskingPolicy;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;
import dev.parley.state.StateQueryException;
import dev.parley.topology.views.ViewKeys.ChainPosition;

/** Answers what became of a record of the input. */
final class InputPositionHandler {

    private final Views views;
    private final MaskingPolicy maskingPolicy;
    private final Glosses glosses;

    InputPositionHandler(Views views, MaskingPolicy maskingPolicy, Glosses glosses) {
        this.views = views;
        this.maskingPolicy = maskingPolicy;
        this.glosses = glosses;
    }

    ObjectNode one(ViewRequest request) {
        Parameters.of(request);
        ResponseBudget budget = request.budget();
        InputPosition position = new InputPosition(
                request.pathParam("topic"),
                (int) Parameters.number("partition", request.pathParam("partition"), 0, Integer.MAX_VALUE),
                Parameters.number("offset", request.pathParam("offset"), 0, Long.MAX_VALUE));
        ChainPosition place = views.linkOf(position)
                .orElseThrow(() -> ProblemException.of(
                        ProblemException.Code.UNKNOWN_POSITION,
                        "The views show no record that stands at " + position
                                + "; its verdict may not be final, or not here yet."));
        AuditRecord record = views.messages(place.chain(), place.sequence(), 1).stream()
                .findFirst()
                .filter(found -> found.getSequence() == place.sequence())
                .orElseThrow(() -> gone(position, place));
        MaskingPolicy shown = request.caller().role().seesPrivateMessages() ? MaskingPolicy.NONE : maskingPolicy;
        ObjectNode answer = Json.putPlace(Json.object(), position.topic(), position.partition(), position.offset())
                .put("chain", place.chain())
                .put("sequence", place.sequence())
                .put("verdict", record.getVerdict().name())
                .put("code", record.getCode())
                .put("gloss", new ShownGloss(glosses, shown).of(record));
        String conversation = conversation(place.chain());
        answer.putObject("links")
                .put("conversation", conversation)
                .put("messages", conversation + "/messages?limit=1&bodies=true&from=" + place.sequence());
        return budget.whole(answer);
    }

    private RuntimeException gone(InputPosition position, ChainPosition place) {
        return views.beginning(place.chain())
                .filter(beginning -> place.sequence() < beginning.first())
                .map(beginning -> ProblemHandler.of(StateQueryException.messagesPruned(beginning)))
                .orElseGet(
                        () -> new ViewsUnavailableException("The audit record of " + position + " is not here.", null));
    }

    private static String conversation(String chain) {
        try {
            ConversationKey key = ConversationKey.parse(chain);
            String namespace = key.namespace().isEmpty() ? Views.NO_NAMESPACE : key.namespace();
            return Paths.conversation(namespace, key.symbol().name(), key.nameInViews());
        } catch (IllegalArgumentException e) {
            return Paths.conversation(Views.NO_NAMESPACE, Protocol.UNKNOWN.name(), chain);
        }
    }
}
