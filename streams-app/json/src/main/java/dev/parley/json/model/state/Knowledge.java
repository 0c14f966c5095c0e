package dev.parley.json.model.state;

import dev.parley.avro.Source;
import dev.parley.json.Nullable;
import java.util.List;

/**
 * The entries that a conversation had shown an agent, or as many as fit on a page.
 *
 * @param redacted whether redacted messages, or private ones that the caller may not see, were omitted
 * @param partial whether entries may be missing, because messages or checkpoints were pruned or exceed the bounds
 */
public record Knowledge(
        String namespace,
        String protocol,
        String conversation,
        List<Entry> entries,
        boolean redacted,
        boolean partial) {

    /**
     * An entry.
     *
     * @param value the value shown last; null for a checkpoint
     * @param checkpoint the last shown checkpoint that defines the entry; null for other entries
     * @param shownBy the first message that showed the checkpoint, or this setting of the value
     */
    public record Entry(
            String entry, @Nullable String value, @Nullable String checkpoint, Message shownBy) {}

    /**
     * A message.
     *
     * @param sequence its sequence in the audit chain
     * @param source its input record
     */
    public record Message(long sequence, @Nullable String sender, Source source) {}
}
