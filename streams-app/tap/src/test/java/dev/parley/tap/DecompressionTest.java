package dev.parley.tap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecompressionTest {
    /** Bytes after the data, at most. */
    private static final int TRAILER_BYTES = 8;

    private final ByteArrayOutputStream plain = new ByteArrayOutputStream();

    private static byte[] compress(String form, byte[] bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = form.contains("gzip")
                ? new GZIPOutputStream(compressed)
                : new DeflaterOutputStream(compressed, new Deflater(9, form.equals("raw")))) {
            out.write(bytes);
        }
        return compressed.toByteArray();
    }

    private Decompression start(String form) {
        return Decompression.of(List.of(form.equals("raw") ? "deflate" : form), plain::write);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "X-GZIP", "deflate", "raw"})
    void compressionIsUndoneInAnyChunks(String form) throws IOException {
        byte[] bytes = new byte[50_000];
        Random random = new Random(2);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(5));
        }
        byte[] compressed = compress(form.toLowerCase(java.util.Locale.ROOT), bytes);
        for (int size : new int[] {1, 7, 10, 1_000, compressed.length}) {
            plain.reset();
            Decompression decompression = start(form);
            for (int from = 0; from < compressed.length; from += size) {
                byte[] chunk = Arrays.copyOfRange(compressed, from, Math.min(compressed.length, from + size));
                assertThat(decompression.accept(chunk, chunk.length)).isTrue();
            }
            assertThat(decompression.isBroken()).isFalse();
            decompression.free();
            assertThat(plain.toByteArray()).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw"})
    void aBodyThatIsCutOffIsBroken(String form) throws IOException {
        byte[] compressed = compress(form, new byte[100]);
        for (int length = 1; length < compressed.length - TRAILER_BYTES; length++) {
            Decompression decompression = start(form);
            decompression.accept(compressed, length);

            assertThat(decompression.isBroken()).as(length + " bytes").isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw"})
    void aSecondStreamIsNotHiddenBehindTheFirstOneInSmallChunks(String form) throws IOException {
        byte[] first = compress(form, new byte[100]);
        Decompression decompression = start(form);
        decompression.accept(first, first.length);
        for (byte b : first) {
            decompression.accept(new byte[] {b}, 1);
        }

        assertThat(decompression.isBroken()).isTrue();
    }

    @Test
    void aBombIsNotDecompressedToItsEnd() throws IOException {
        byte[] bomb = compress("gzip", new byte[200 << 20]);

        assertThat(start("gzip").accept(bomb, bomb.length)).isFalse();
        assertThat(plain.size()).isLessThan(64 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void otherBytesCannotBeDecompressed(String form) {
        byte[] bytes = "{\"jsonrpc\":\"2.0\"} and no compression at all".getBytes();
        Decompression decompression = start(form);

        assertThat(decompression.accept(bytes, bytes.length)).isFalse();
        assertThat(decompression.accept(bytes, bytes.length)).isFalse();
    }

    @Test
    void anotherEncodingIsNotSupported() {
        assertThat(start("br").accept(new byte[10], 10)).isFalse();
        assertThat(start("gzip, gzip").accept(new byte[10], 10)).isFalse();
    }
}
