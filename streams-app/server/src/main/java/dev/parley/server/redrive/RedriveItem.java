package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import org.apache.kafka.common.header.Headers;

/**
 * A dead letter to redrive.
 *
 * @param edit what to send instead of its parts; parts that change nothing are dropped
 * @param redacted whether the message was redacted, so that its original must not enter again
 */
public record RedriveItem(DeadLetterRecord letter, RedriveEdit edit, boolean redacted) {

    /** Drops the parts of the edit that change nothing. */
    public RedriveItem {
        edit = edit.changesOf(letter);
    }

    /** Position of the dead letter. */
    public InputPosition id() {
        return letter.id();
    }

    /**
     * Input position of the failed record.
     *
     * @throws java.util.NoSuchElementException if the headers of the dead letter name none; such an item does not enter
     */
    public InputPosition source() {
        return letter.source().orElseThrow();
    }

    /** The value to send; null if the record had none. */
    public byte[] value() {
        return edit.value().orElse(letter.value());
    }

    /** The key to send; null for none. */
    public byte[] key() {
        return edit.key().orElseGet(() -> new RedriveEdit.Key(letter.key())).bytes();
    }

    /** The headers to send, except the number of the attempt. */
    public Headers headers() {
        return edit.headers().orElseGet(letter::inputHeaders);
    }
}
