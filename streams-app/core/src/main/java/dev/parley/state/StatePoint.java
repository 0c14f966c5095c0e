package dev.parley.state;

/** The point of a conversation that a state is as of: its last message, or a checkpoint. */
public sealed interface StatePoint permits CheckpointSummary, ChangeOrigin.Message {

    /** Sender of the message, or of the patch; null if there is none. */
    String sender();
}
