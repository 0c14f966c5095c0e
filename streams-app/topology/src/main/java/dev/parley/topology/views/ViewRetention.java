package dev.parley.topology.views;

import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;

/**
 * Retention of the views, in milliseconds of record time; {@link #FOREVER} keeps all.
 *
 * @param conversations maximum idle time of a conversation before its messages are pruned; its summary is kept
 * @param deadLetters maximum age of dead letters
 * @param statistics maximum age of the rows of the analytics topics
 */
public record ViewRetention(long conversations, long deadLetters, long statistics) {
    /** Value for unlimited retention. */
    public static final long FOREVER = -1;

    public static final ViewRetention NONE = new ViewRetention(FOREVER, FOREVER, FOREVER);

    public static ViewRetention of(ParleyConfig config) {
        return new ViewRetention(
                config.getLong(RetentionKeys.VIEWS_CONVERSATIONS),
                config.getLong(RetentionKeys.VIEWS_DEAD_LETTERS),
                config.getLong(RetentionKeys.VIEWS_STATISTICS));
    }
}
