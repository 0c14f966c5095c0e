package dev.parley.server.api;

import dev.parley.decode.ConversationKey;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.stage.StageSettings;
import dev.parley.state.CheckpointDetail;
import dev.parley.state.PointInTime;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateQueries;
import dev.parley.topology.views.Views;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Answers requests about states and checkpoints by {@link StateQueries}.
 *
 * @param settings settings of the pipeline, with which its messages were judged
 */
record StateHandler(Glosses glosses, StageSettings settings) {

    StateAnswer.StateResult state(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "at");
        ConversationKey conversation = conversation(request);
        PointInTime at = moment(parameters, "at", conversation);
        StateQueries queries = queries(request, views);
        return isPage(parameters)
                ? queries.state(conversation, at, parameters.cursor(), parameters.limit())
                : request.budget().addAnswer(queries.state(conversation, at));
    }

    /** Whether a request asks for a page of a large answer. Its cursor is the name of the last entry. */
    private static boolean isPage(Parameters parameters) {
        return parameters.text(Parameters.LIMIT).isPresent()
                || parameters.cursor().isPresent();
    }

    StateAnswer.Blame blame(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "at", "entry", "name");
        ConversationKey conversation = conversation(request);
        PointInTime at = moment(parameters, "at", conversation);
        Optional<String> entry = parameters.text("entry");
        Optional<String> part = parameters.text("name").map(StateHandler::caseless);
        Predicate<String> wanted = name -> entry.map(name::equals).orElse(true)
                && part.map(caseless(name)::contains).orElse(true);
        return queries(request, views).blame(conversation, at, wanted, parameters.cursor(), parameters.limit());
    }

    private static String caseless(String name) {
        return name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    StateAnswer.DiffResult diff(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "from", "to");
        parameters.required("from", "a moment, for example sequence:3");
        ConversationKey conversation = conversation(request);
        PointInTime from = moment(parameters, "from", conversation);
        PointInTime to = moment(parameters, "to", conversation);
        StateQueries queries = queries(request, views);
        return isPage(parameters)
                ? queries.diff(conversation, from, to, parameters.cursor(), parameters.limit())
                : request.budget().addAnswer(queries.diff(conversation, from, to));
    }

    StateAnswer.History history(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "entry", "at");
        String entry = parameters.required("entry", "the name of an entry of the state");
        ConversationKey conversation = conversation(request);
        PointInTime at = moment(parameters, "at", conversation);
        return queries(request, views).history(conversation, entry, at, parameters.cursor(), parameters.limit());
    }

    StateAnswer.Tree checkpoints(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request);
        return queries(request, views).tree(conversation(request), parameters.cursor(), parameters.limit());
    }

    CheckpointDetail checkpoint(ViewRequest request, Views views) {
        Parameters.of(request);
        return request.budget()
                .addAnswer(queries(request, views).checkpoint(conversation(request), request.pathParam("id")));
    }

    private StateQueries queries(ViewRequest request, Views views) {
        return new StateQueries(
                views, settings::stateModel, request.masking()::visible, request.budget(), glosses::gloss);
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
