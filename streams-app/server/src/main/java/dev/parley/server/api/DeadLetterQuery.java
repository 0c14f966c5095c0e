package dev.parley.server.api;

import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.Parameters;
import dev.parley.topology.views.DeadLetterView;
import java.util.List;

/** Reads filters of dead letters: the same for their list, their counts, and redrives. */
public final class DeadLetterQuery {

    /** Names of the filters. */
    public static final List<String> NAMES =
            List.of("stage", "code", "namespace", "protocol", "conversation", "sender", "from", "to", "state");

    private DeadLetterQuery() {}

    /** Reads the filters among some parameters. */
    public static DeadLetterView.Filter of(Parameters parameters) {
        return new DeadLetterView.Filter(
                parameters.symbol("stage", TopicNames.DEAD_LETTER_STAGES),
                parameters.code(),
                parameters.text("namespace"),
                parameters.protocol(),
                parameters.text("conversation"),
                parameters.text("sender"),
                parameters.time("from"),
                parameters.time("to"),
                parameters.symbol("state", List.of(DeadLetterView.State.values())));
    }
}
