package dev.parley.server.api;

import dev.parley.decode.ConversationKey;
import dev.parley.json.ResultSize;
import dev.parley.json.model.state.CheckpointDetail;
import dev.parley.json.model.state.Diff;
import dev.parley.json.model.state.DiffResult;
import dev.parley.json.model.state.State;
import dev.parley.json.model.state.StateResult;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.stage.StageSettings;
import dev.parley.state.PointInTime;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateQueries;
import dev.parley.topology.views.Views;
import java.time.Clock;

/** Answers requests about states and checkpoints by {@link StateQueries}. */
final class StateHandler {
    private final Glosses glosses;
    private final StageSettings settings;

    /** @param settings settings of the pipeline, with which its messages were judged */
    StateHandler(Glosses glosses, StageSettings settings) {
        this.glosses = glosses;
        this.settings = settings;
    }

    StateResult state(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, "at", Parameters.CURSOR, Parameters.LIMIT);
        ConversationKey conversation = conversation(request);
        StateAnswer.State state = queries(request, views).state(conversation, moment(parameters, "at", conversation));
        if (StatePages.isRequested(parameters)) {
            return StatePages.of(state, parameters, request.budget());
        }
        request.budget().requireFits(ResultSize.of(state.entries()).json());
        return request.budget().addAnswer(State.of(state));
    }

    StateAnswer.Blame blame(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, "at", "entry", "limit", "cursor");
        ConversationKey conversation = conversation(request);
        PointInTime at = moment(parameters, "at", conversation);
        return queries(request, views)
                .blame(conversation, at, parameters.text("entry"), parameters.cursor(), parameters.limit());
    }

    DiffResult diff(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, Parameters.CURSOR, "from", Parameters.LIMIT, "to");
        parameters.required("from", "a moment, for example sequence:3");
        ConversationKey conversation = conversation(request);
        PointInTime from = moment(parameters, "from", conversation);
        PointInTime to = moment(parameters, "to", conversation);
        StateAnswer.Difference difference = queries(request, views).diff(conversation, from, to);
        if (StatePages.isRequested(parameters)) {
            return StatePages.of(difference, parameters, request.budget());
        }
        request.budget().requireFits(ResultSize.of(difference.diff()).json());
        return request.budget().addAnswer(Diff.of(difference));
    }

    StateAnswer.History history(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, "entry", "at", "limit", "cursor");
        String entry = parameters.required("entry", "the name of an entry of the state");
        ConversationKey conversation = conversation(request);
        PointInTime at = moment(parameters, "at", conversation);
        return queries(request, views).history(conversation, entry, at, parameters.cursor(), parameters.limit());
    }

    StateAnswer.Tree checkpoints(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, "limit", "cursor");
        return queries(request, views).tree(conversation(request), parameters.cursor(), parameters.limit());
    }

    CheckpointDetail checkpoint(ViewRequest request, Views views) {
        Parameters.of(request);
        return request.budget()
                .addAnswer(CheckpointDetail.of(
                        queries(request, views).checkpoint(conversation(request), request.pathParam("id"))));
    }

    private StateQueries queries(ViewRequest request, Views views) {
        return new StateQueries(
                views, settings::stateModel, request.masking()::masks, request.budget(), glosses::gloss);
    }

    static ConversationKey conversation(ViewRequest request) {
        return ConversationKey.ofView(
                request.pathParam("namespace"), Parameters.protocol(request), request.pathParam("conversation"));
    }

    private static PointInTime moment(Parameters parameters, String name, ConversationKey conversation) {
        return parameters.parsed(
                name,
                parameters.text(name).orElse("latest"),
                text -> PointInTime.parse(text, conversation.symbol(), Clock.systemUTC()));
    }
}
