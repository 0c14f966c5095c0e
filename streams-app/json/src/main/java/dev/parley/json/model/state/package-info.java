/**
 * Renderings of states and checkpoints that differ from the answers of {@code dev.parley.state}: a state in the
 * structure of its protocol, a difference as lists, pages of both, and a checkpoint with its operations. The API writes
 * the other answers as they are.
 */
package dev.parley.json.model.state;
