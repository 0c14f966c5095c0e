package dev.parley.topology.views.read;

import java.util.Base64;
import org.apache.kafka.common.utils.Bytes;

/** Cursors of lists: the store key after which the next page starts, in base64. */
public final class Cursor {

    private Cursor() {}

    /** Encodes the key after which the next page starts. */
    public static String of(Bytes key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.get());
    }

    /**
     * Decodes a cursor.
     *
     * @throws InvalidCursorException if it is not base64
     */
    public static Bytes key(String cursor) {
        try {
            return Bytes.wrap(Base64.getUrlDecoder().decode(cursor));
        } catch (IllegalArgumentException e) {
            throw new InvalidCursorException("it is not a cursor of this API");
        }
    }
}
