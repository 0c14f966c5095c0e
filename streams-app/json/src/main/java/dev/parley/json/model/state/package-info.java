/**
 * Results about states and checkpoints of a conversation, and their conversion from those of {@code dev.parley.state}.
 * The HTTP API and the command line return them, and a message with its dialogue contains them. Start at
 * {@link dev.parley.json.model.state.StateResults}.
 */
package dev.parley.json.model.state;
