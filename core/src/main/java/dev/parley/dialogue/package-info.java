/**
 * Dialogue rules: from the state of a conversation and a message to a verdict and the next state, for each protocol. It
 * depends on codecs and Avro records only; the package {@code stage} calls it. Start reading at {@link
 * dev.parley.dialogue.Judge}.
 */
package dev.parley.dialogue;
