package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;

/**
 * The result of a redrive of one dead letter.
 *
 * @param deadLetter position of the dead letter
 * @param sent input position of its message; null if it did not enter
 * @param attempt number of times that the message has reached the pipeline, with this redrive; 0 if unknown
 * @param detail a sentence; null if the outcome suffices
 */
public record RedriveResult(InputPosition deadLetter, Outcome outcome, InputPosition sent, int attempt, String detail) {

    /** Outcomes. The names are a public contract. */
    public enum Outcome {
        /** Dry run: a redrive would send the message. */
        WOULD_ENTER,
        /** The redrive sent the message. */
        ENTERED,
        /** An earlier redrive sent the message; nothing was sent. */
        ALREADY_ENTERED,
        /** The dead letter is closed. */
        CLOSED,
        /** The dead letter is open again. */
        REOPENED,
        /** The dead letter cannot be redriven, closed or reopened; nothing was sent or changed. */
        REFUSED
    }

    /** A dead letter next to another one of the same message. */
    public static RedriveResult twice(InputPosition deadLetter) {
        return refused(deadLetter, 0, "Another dead letter of the same message is in the selection.");
    }

    /** A dead letter that cannot be redriven or changed. */
    public static RedriveResult refused(InputPosition deadLetter, int attempt, String detail) {
        return new RedriveResult(deadLetter, Outcome.REFUSED, null, attempt, detail);
    }
}
