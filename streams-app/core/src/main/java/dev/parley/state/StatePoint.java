package dev.parley.state;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The point of a conversation that a state is as of: its last message, or a checkpoint. Its JSON keys tell which. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(CheckpointSummary.class), @JsonSubTypes.Type(ChangeOrigin.Message.class)})
public sealed interface StatePoint permits CheckpointSummary, ChangeOrigin.Message {

    /** Sender of the message, or of the patch; null if there is none. */
    String sender();
}
