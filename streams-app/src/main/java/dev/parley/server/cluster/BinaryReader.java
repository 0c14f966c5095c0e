package dev.parley.server.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the output of {@link BinaryWriter}. Strict: lengths and counts are bounded by the remaining bytes, text must be
 * UTF-8, and {@link #end} rejects trailing bytes.
 */
final class BinaryReader {

    private final ByteBuffer buffer;

    BinaryReader(byte[] bytes) {
        this.buffer = ByteBuffer.wrap(bytes);
    }

    /** Bytes that are not valid; the message says why. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Reads one element of a list. */
    interface Element {
        void read() throws MalformedException;
    }

    private void require(int bytes) throws MalformedException {
        if (bytes > buffer.remaining()) {
            throw new MalformedException("it ends too early");
        }
    }

    int int8() throws MalformedException {
        require(1);
        return buffer.get();
    }

    int int16() throws MalformedException {
        require(Short.BYTES);
        return Short.toUnsignedInt(buffer.getShort());
    }

    /** An integer that is not negative. */
    int int32() throws MalformedException {
        require(Integer.BYTES);
        int value = buffer.getInt();
        if (value < 0) {
            throw new MalformedException("it contains a negative number");
        }
        return value;
    }

    long int64() throws MalformedException {
        require(Long.BYTES);
        return buffer.getLong();
    }

    byte[] raw(int length) throws MalformedException {
        require(length);
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    byte[] bytes() throws MalformedException {
        return raw(int32());
    }

    String text() throws MalformedException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedException("it contains text that is not UTF-8");
        }
    }

    /** Reads a count and as many elements, each of at least one byte. */
    void list(Element element) throws MalformedException {
        int count = int32();
        require(count);
        for (; count > 0; count--) {
            element.read();
        }
    }

    void end() throws MalformedException {
        if (buffer.hasRemaining()) {
            throw new MalformedException("it has trailing bytes");
        }
    }
}
