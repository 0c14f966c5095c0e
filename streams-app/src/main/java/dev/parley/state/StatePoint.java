package dev.parley.state;

/** The point of a conversation that a state is as of. */
public sealed interface StatePoint {

    /** Before the first message. */
    record Beginning() implements StatePoint {}

    /**
     * After a message of a SLIP, SUBIT or Λ conversation.
     *
     * @param message the last message that the state covers
     */
    record AfterMessage(ChangeOrigin.Message message) implements StatePoint {}

    /**
     * At a checkpoint of a CSP context.
     *
     * @param checkpoint the checkpoint
     */
    record AtCheckpoint(CheckpointSummary checkpoint) implements StatePoint {}
}
