package dev.parley.server.api.view;

import dev.parley.server.auth.Seal;
import dev.parley.topology.views.read.InvalidCursorException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/** Seals store keys in cursors, so that a client can neither read nor forge them. Thread-safe. */
public final class CursorSeal {

    /** The length of a sealed key is a multiple of this, so that it tells little about names in the key. */
    private static final int PADDING = 64;

    private final Seal seal;

    private CursorSeal(Seal seal) {
        this.seal = seal;
    }

    /**
     * A seal that all instances of a deployment have.
     *
     * @param secrets keys of 32 bytes, the current one first; if there are none, a random one
     */
    public static CursorSeal of(List<byte[]> secrets) {
        return new CursorSeal(Seal.of(secrets));
    }

    /** Returns the cursor of a store key. */
    String close(Bytes key) {
        int length = Integer.BYTES + key.get().length;
        return seal.close(ByteBuffer.allocate((length + PADDING - 1) / PADDING * PADDING)
                .putInt(key.get().length)
                .put(key.get())
                .array());
    }

    /**
     * Returns the store key of a cursor.
     *
     * @throws InvalidCursorException if none of the keys sealed it
     */
    Bytes open(String cursor) {
        ByteBuffer padded = ByteBuffer.wrap(
                seal.open(cursor).orElseThrow(() -> new InvalidCursorException("it is not a cursor of this caller")));
        byte[] found = new byte[padded.getInt()];
        padded.get(found);
        return Bytes.wrap(found);
    }
}
