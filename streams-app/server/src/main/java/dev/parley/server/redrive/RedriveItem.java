package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import java.util.Arrays;
import java.util.Optional;

/**
 * A dead letter to redrive.
 *
 * @param edit the value to send instead of the original; empty to send the original
 * @param redacted whether the message was redacted, so that its original must not enter again
 */
public record RedriveItem(DeadLetter letter, Optional<byte[]> edit, boolean redacted) {

    /** Drops an edit that changes nothing. */
    public RedriveItem {
        byte[] original = letter.value();
        edit = edit.filter(value -> !Arrays.equals(value, original));
    }

    /** Position of the dead letter. */
    public InputPosition id() {
        return letter.id();
    }

    /** The value to send; null if the record had none. */
    public byte[] value() {
        return edit.orElse(letter.value());
    }
}
