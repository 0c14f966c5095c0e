package dev.parley.state;

/**
 * An entry that a conversation had shown an agent.
 *
 * @param entry its name in the state, with the prefix {@code definition/} for CSP; or {@code checkpoint/} and the ID of
 *     a checkpoint
 * @param value the value shown last; null for a checkpoint
 * @param checkpoint ID of the last shown checkpoint that defines the entry; null for other entries
 * @param shownBy the first message that showed the checkpoint, or this setting of the value
 */
public record ShownEntry(
        String entry, @Nullable String value, @Nullable String checkpoint, ChangeOrigin.Message shownBy) {}
