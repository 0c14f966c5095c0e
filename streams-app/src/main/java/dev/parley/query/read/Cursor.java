package dev.parley.query.read;

import java.util.Base64;
import org.apache.kafka.common.utils.Bytes;

/** Cursors of lists: the store key after which the next page starts, in base64. */
public final class Cursor {

    private Cursor() {}

    /** The cursor of the page after a key. */
    public static String of(Bytes key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.get());
    }

    /**
     * The key after which the page of a cursor starts.
     *
     * @throws InvalidCursorException if it is not a cursor
     */
    public static Bytes key(String cursor) {
        try {
            return Bytes.wrap(Base64.getUrlDecoder().decode(cursor));
        } catch (IllegalArgumentException e) {
            throw new InvalidCursorException("it was not made by this API");
        }
    }
}
