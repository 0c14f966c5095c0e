/**
 * Dialogue rules of each protocol: they map a conversation's state and a message to a verdict and the next state. The
 * package depends on codecs and Avro records only; {@code stage} calls it. Start reading at {@link
 * dev.parley.dialogue.Judge}.
 */
package dev.parley.dialogue;
