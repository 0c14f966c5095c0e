package dev.parley.state;

/** The point of a conversation that a state is as of. */
public sealed interface StatePoint {

    /** Before the first message. */
    record Beginning() implements StatePoint {}

    /** After a message of a SLIP, SUBIT or Λ conversation. */
    record AfterMessage(ChangeOrigin.Message message) implements StatePoint {}

    /** At a checkpoint of a CSP context. */
    record AtCheckpoint(CheckpointSummary checkpoint) implements StatePoint {}
}
