package dev.parley.topology.views;

import dev.parley.topology.views.store.ViewKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * A position in a list of conversations whose items may be split.
 *
 * @param conversation key of a conversation
 * @param entry the last entry of the conversation before the position; empty if it is after all of them
 */
public record ConversationPart(Bytes conversation, Optional<String> entry) {
    private static final int NAMES = 3;

    /** Reads what {@link #toKey} wrote; empty for another key. */
    public static Optional<ConversationPart> of(Bytes key) {
        byte[] bytes = key.get();
        int end = 1;
        for (int name = 0; name < NAMES && end > 0; name++) {
            end = endOfText(bytes, end);
        }
        if (end <= 0 || bytes[0] != ConversationView.CONVERSATION) {
            return Optional.empty();
        }
        Bytes conversation = Bytes.wrap(Arrays.copyOf(bytes, end));
        if (end == bytes.length) {
            return Optional.of(new ConversationPart(conversation, Optional.empty()));
        }
        return endOfText(bytes, end) == bytes.length
                ? Optional.of(new ConversationPart(conversation, Optional.of(text(bytes, end, bytes.length - 2))))
                : Optional.empty();
    }

    /** The position as a key. It sorts after the conversation, and before the next one. */
    public Bytes toKey() {
        ViewKeys.Builder builder = ViewKeys.of(conversation);
        entry.ifPresent(builder::text);
        return builder.build();
    }

    /** The position as the key after which a list of whole conversations continues. */
    public Bytes after() {
        byte[] bytes = conversation.get().clone();
        if (entry.isPresent()) {
            // Sorts directly before the conversation, because a text ends with 00 01.
            bytes[bytes.length - 1] = 0;
        }
        return Bytes.wrap(bytes);
    }

    /** Returns the end of the text that starts at an index; -1 if there is none. */
    private static int endOfText(byte[] bytes, int start) {
        for (int i = start; i + 1 < bytes.length; i++) {
            if (bytes[i] == 0) {
                if (bytes[i + 1] == 1) {
                    return i + 2;
                }
                i++;
            }
        }
        return -1;
    }

    private static String text(byte[] bytes, int start, int end) {
        byte[] utf8 = new byte[end - start];
        int size = 0;
        for (int i = start; i < end; i++) {
            utf8[size++] = bytes[i];
            i += bytes[i] == 0 ? 1 : 0;
        }
        return new String(utf8, 0, size, StandardCharsets.UTF_8);
    }
}
