package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.state.Nullable;
import java.util.List;

/**
 * What can be sent next in a conversation.
 *
 * @param expect sequence of the next audit record, for the header parley-expect
 * @param exact whether the verdicts depend on no message that the caller may not see, or that is gone
 * @param draft the verdict on the draft; null if the request has none
 * @param repair the messages that the remedy of the failed message names, in their order
 * @param templates one message for each act that is accepted now
 * @param omitted why there are no messages of a repair or no templates; null if there are
 * @param warning what a message that is sent now does to agents that count turns themselves; null without turns
 */
public record Composition(
        long expect,
        boolean exact,
        @Nullable Draft draft,
        List<Template> repair,
        List<Template> templates,
        @Nullable String omitted,
        @Nullable String warning) {

    /**
     * A message that was not sent.
     *
     * @param judged what its verdict would be, whose keys are keys of this object
     * @param freeTurn the message with the next free turn; in a protocol without turns, as it is; null if it does not
     *     decode, or no turn is free
     */
    public record Draft(
            @JsonUnwrapped VerdictDetail judged,
            @Nullable String sender,
            @Nullable String gloss,
            @Nullable String freeTurn) {}

    /**
     * A message to send, perhaps after changes.
     *
     * @param act its act; AGAIN is the failed message with a free turn, and NEW_ID with a free ID
     * @param code the violation that it would be after the messages before it; null if it would be accepted
     */
    public record Template(
            String act,
            @Nullable String sender,
            String wire,
            @Nullable String code) {}
}
