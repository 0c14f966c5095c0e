package dev.parley.dialogue;

/**
 * Inputs of dialogue rules other than message and dialogue.
 *
 * @param sequence sequence of the message's audit record
 * @param afterIncomplete whether the idle time closed the conversation's last dialogue while it was incomplete
 * @param checkpoints checkpoints of the conversation; none for protocols without them
 * @param olderItems tasks or definitions that the dialogue does not contain, because others were active later
 */
public record RuleContext(long sequence, boolean afterIncomplete, ContextView checkpoints, OlderItems olderItems) {}
