package dev.parley.topology.views;

import dev.parley.config.ParleyConfig;
import dev.parley.config.RetentionKeys;

/**
 * How long the views show what they are shown, in milliseconds of record time; {@link #FOREVER} keeps all.
 *
 * @param conversations a conversation that has been silent for longer loses its messages; its summary is kept
 * @param deadLetters an older dead letter goes
 */
public record ViewRetention(long conversations, long deadLetters) {
    /** Value of a part that does not expire. */
    public static final long FOREVER = -1;

    /** Keeps all. */
    public static final ViewRetention NONE = new ViewRetention(FOREVER, FOREVER);

    /** As configured by {@link RetentionKeys#VIEWS_CONVERSATIONS} and {@link RetentionKeys#VIEWS_DEAD_LETTERS}. */
    public static ViewRetention of(ParleyConfig config) {
        return new ViewRetention(
                config.getLong(RetentionKeys.VIEWS_CONVERSATIONS), config.getLong(RetentionKeys.VIEWS_DEAD_LETTERS));
    }
}
