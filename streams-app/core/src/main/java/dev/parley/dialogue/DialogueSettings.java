package dev.parley.dialogue;

/**
 * Settings of the dialogue rules.
 *
 * @param mode handling of illegal messages
 * @param idleMillis idle time in record time, in milliseconds, after which a dialogue or open task closes
 * @param maxEntries maximum number of tasks, lanes, pending items, or definitions stored per conversation; beyond it,
 *     the least recently active is removed first
 */
public record DialogueSettings(Mode mode, long idleMillis, int maxEntries) {

    /** The message is REJECTED and goes to the dead letters. */
    public static final DialogueSettings DEFAULT = new DialogueSettings(Mode.ENFORCE, 86_400_000L, 1_000);

    /** Handling of illegal messages. */
    public enum Mode {
        /** It is REJECTED and goes to the dead letters. */
        ENFORCE,
        /** The message is FLAGGED and passes on. It does not change the dialogue state. */
        OBSERVE
    }

    /** Requires positive bounds. */
    public DialogueSettings {
        if (idleMillis < 1 || maxEntries < 1) {
            throw new IllegalArgumentException(
                    "idleMillis and maxEntries must be positive, but were " + idleMillis + " and " + maxEntries);
        }
    }
}
