package dev.parley.cli.export;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Reads Avro's binary encoding from an array. Unlike Avro's own decoder, it compares every length and count with the
 * bytes that remain before memory is allocated or a loop begins. Not thread-safe.
 */
final class ArrayDecoder extends Decoder {
    private static final int MAX_VARINT_BITS = 63;

    private final byte[] bytes;
    private final int end;
    private int at;

    /** Creates a decoder of some bytes of an array, which must not change. */
    ArrayDecoder(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Position of the next byte. */
    int position() {
        return at;
    }

    void position(int position) {
        at = position;
    }

    private int take(long count) throws IOException {
        if (count < 0 || count > end - at) {
            throw new EOFException("a value of " + count + " bytes exceeds the " + (end - at) + " bytes that remain");
        }
        int start = at;
        at += (int) count;
        return start;
    }

    @Override
    public void readNull() {
        // A null has no bytes.
    }

    @Override
    public boolean readBoolean() throws IOException {
        return bytes[take(1)] == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new IOException("the int " + value + " is out of range");
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long rest = 0;
        for (int shift = 0; shift <= MAX_VARINT_BITS; shift += 7) {
            byte next = bytes[take(1)];
            rest |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return rest >>> 1 ^ -(rest & 1);
            }
        }
        throw new IOException("a number has more than ten bytes");
    }

    @Override
    public float readFloat() throws IOException {
        return little(take(Float.BYTES), Float.BYTES).getFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return little(take(Double.BYTES), Double.BYTES).getDouble();
    }

    private ByteBuffer little(int from, int length) {
        return ByteBuffer.wrap(bytes, from, length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        return new Utf8(readString());
    }

    @Override
    public String readString() throws IOException {
        long length = readLong();
        int start = take(length);
        return new String(bytes, start, (int) length, StandardCharsets.UTF_8);
    }

    @Override
    public void skipString() throws IOException {
        take(readLong());
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        long length = readLong();
        int start = take(length);
        byte[] copy = new byte[(int) length];
        System.arraycopy(bytes, start, copy, 0, copy.length);
        return ByteBuffer.wrap(copy);
    }

    @Override
    public void skipBytes() throws IOException {
        take(readLong());
    }

    @Override
    public void readFixed(byte[] into, int start, int length) throws IOException {
        System.arraycopy(bytes, take(length), into, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        take(length);
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        return count();
    }

    @Override
    public long arrayNext() throws IOException {
        return count();
    }

    @Override
    public long skipArray() throws IOException {
        return skipBlocks();
    }

    @Override
    public long readMapStart() throws IOException {
        return count();
    }

    @Override
    public long mapNext() throws IOException {
        return count();
    }

    @Override
    public long skipMap() throws IOException {
        return skipBlocks();
    }

    /** Reads the number of items of a block; a negative one is followed by its size in bytes. */
    private long count() throws IOException {
        long count = readLong();
        if (count < 0) {
            count = -count;
            readLong();
        }
        return checked(count);
    }

    /** Skips blocks with a size; returns the number of items of one without, which the caller skips; 0 at the end. */
    private long skipBlocks() throws IOException {
        long count = readLong();
        while (count < 0) {
            take(readLong());
            count = readLong();
        }
        return checked(count);
    }

    /** Parley's items have at least one byte each. */
    private long checked(long count) {
        if (count < 0 || count > end - at) {
            throw new AvroRuntimeException(
                    "an array of " + count + " items exceeds the " + (end - at) + " bytes that remain");
        }
        return count;
    }
}
