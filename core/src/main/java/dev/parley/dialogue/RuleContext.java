package dev.parley.dialogue;

/**
 * What rules may read besides message and dialogue.
 *
 * @param sequence sequence of the message's audit record
 * @param afterIncomplete whether the conversation's last dialogue was closed by time before it had come to an end
 * @param checkpoints the conversation's checkpoints; empty for protocols without them
 */
public record RuleContext(long sequence, boolean afterIncomplete, ContextView checkpoints) {}
