package dev.parley.server.api;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.json.model.InputRecord;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.state.StateQueryException;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewsUnavailableException;

/** Answers requests for audit records by their input positions. */
record InputPositionHandler(Glosses glosses, ResponseLinks links) {

    InputRecord one(ViewRequest request, Views views) {
        Parameters.of(request);
        InputPosition position = position(request);
        ChainPosition found = views.messages()
                .position(position)
                .orElseThrow(
                        () -> Code.UNKNOWN_POSITION.problem("No visible audit record for the input position " + position
                                + "; the position may have no record, or its verdict may not be final"
                                + " (/v1/parked lists parked patches) or not visible yet."));
        AuditRecord record =
                views.message(found.chain(), found.sequence()).orElseThrow(() -> missing(views, position, found));
        return request.budget().addAnswer(result(record, request));
    }

    /** The record of a message, by its sequence. */
    InputRecord recorded(ViewRequest request, Views views) {
        return request.budget().addAnswer(result(ConversationHandler.record(request, views), request));
    }

    private InputRecord result(AuditRecord record, ViewRequest request) {
        Source source = record.getSource();
        return new InputRecord(
                source.getTopic(),
                source.getPartition(),
                source.getOffset(),
                record.getChain(),
                record.getSequence(),
                Verdicts.of(record, request.masking()),
                new MaskedGloss(glosses, request.masking()).of(record),
                record.getRedacted() != null,
                links.messages(record));
    }

    /** The input position in the path of a request. */
    static InputPosition position(ViewRequest request) {
        return new InputPosition(
                request.pathParam("topic"),
                (int) Parameters.number("partition", request.pathParam("partition"), 0, Integer.MAX_VALUE),
                Parameters.number("offset", request.pathParam("offset"), 0, Long.MAX_VALUE));
    }

    private static RuntimeException missing(Views views, InputPosition position, ChainPosition found) {
        return views.beginning(found.chain())
                .filter(beginning -> found.sequence() < beginning.first())
                .<RuntimeException>map(StateQueryException::messagesPruned)
                .orElseGet(() -> new ViewsUnavailableException(
                        "The audit record of " + position + " is not visible on its owner yet."));
    }
}
