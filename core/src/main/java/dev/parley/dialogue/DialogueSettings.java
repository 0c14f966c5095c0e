package dev.parley.dialogue;

/**
 * How dialogues are judged.
 *
 * @param mode what becomes of a message that is illegal where it stands
 * @param idleMillis after how many milliseconds of record time without a message a dialogue or open task closes
 * @param maxEntries most tasks, lanes or definitions that are remembered of one conversation; beyond, the least
 *     recently active goes first
 */
public record DialogueSettings(Mode mode, long idleMillis, int maxEntries) {

    /** Enforce; one day; 1,000 entries. */
    public static final DialogueSettings DEFAULT = new DialogueSettings(Mode.ENFORCE, 86_400_000L, 1_000);

    /** What becomes of a message that is illegal where it stands. */
    public enum Mode {
        /** It is REJECTED and goes to the dead letters. */
        ENFORCE,
        /** It is FLAGGED and passes on; the dialogue's state still does not move. */
        OBSERVE
    }

    /** Checks that the bounds are positive. */
    public DialogueSettings {
        if (idleMillis < 1 || maxEntries < 1) {
            throw new IllegalArgumentException("idle time and number of entries are positive");
        }
    }
}
