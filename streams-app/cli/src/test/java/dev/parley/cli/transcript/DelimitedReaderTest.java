package dev.parley.cli.transcript;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages off a stream. */
class DelimitedReaderTest {
    private static final int ROUNDS = 3_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';''",
                "a;a",
                "a~;a",
                "a~b;a,b",
                "a~b~;a,b",
                "a~~b;a,,b",
                "~;''",
                "~~;','",
                "a^~b;a,b",
                "a^;a",
                "a^b~;a^b",
                "a^^~;a^",
                "^~;''"
            })
    void aLineEndsAtTheLineFeedAndACarriageReturnBeforeItGoes(String in, String lines) throws IOException {
        List<String> expected =
                in.isEmpty() ? List.of() : List.of(lines.replace('^', '\r').split(",", -1));
        assertThat(all(stream(in), false, 100)).isEqualTo(expected);
    }

    @Test
    void withNulsLineBreaksArePartOfTheMessage() throws IOException {
        InputStream in = new ByteArrayInputStream("a\nb\r\0\0c\r\n".getBytes(ISO_8859_1));
        DelimitedReader lines = new DelimitedReader(in, true, 100);
        assertThat(lines.next()).asString(ISO_8859_1).isEqualTo("a\nb\r");
        assertThat(lines.next()).isEmpty();
        assertThat(lines.next()).asString(ISO_8859_1).isEqualTo("c\r\n");
        assertThat(lines.next()).isNull();
        assertThat(lines.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcd", "abcd^", "abc^", "abc"})
    void aMessageOfTheLimitIsWhole(String in) throws IOException {
        assertThat(all(stream(in + "~x"), false, 4)).containsExactly(in.replace("^", ""), "x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcde", "abcd^x", "abcd^^", "abcde^", "abcde^f", "abcdefghijk", "^^^^^^^^"})
    void aMessageBeyondTheLimitIsStillSeenToBeAndTheNextIsUntouched(String in) throws IOException {
        DelimitedReader lines = new DelimitedReader(stream(in + "~next~"), false, 4);
        assertThat(lines.next().length).isBetween(5, 6);
        assertThat(lines.next()).asString(ISO_8859_1).isEqualTo("next");
        assertThat(lines.next()).isNull();
    }

    @Test
    void readingGivesWhatASplitOfTheWholeGives() throws IOException {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) "ab\r\n\0".charAt(random.nextInt(5));
            }
            boolean nul = random.nextBoolean();
            int limit = 1 + random.nextInt(12);
            List<String> expected = split(new String(bytes, ISO_8859_1), nul ? '\0' : '\n');
            List<String> actual = all(new Dribble(bytes, random), nul, limit);
            String what = "parley.seed=" + seed + " round " + round;
            assertThat(actual).as(what).hasSameSizeAs(expected);
            for (int i = 0; i < expected.size(); i++) {
                String whole = expected.get(i);
                if (whole.length() <= limit) {
                    assertThat(actual.get(i)).as(what).isEqualTo(whole);
                } else {
                    assertThat(actual.get(i).length()).as(what).isGreaterThan(limit);
                    assertThat(whole).as(what).startsWith(actual.get(i));
                }
            }
        }
    }

    @Test
    void messagesLargerThanTheBufferAreWhole() throws IOException {
        String large = "x".repeat(200_000);
        InputStream in = new ByteArrayInputStream((large + "\n" + large + "y\r\nz").getBytes(ISO_8859_1));
        assertThat(all(in, false, 1 << 20)).containsExactly(large, large + "y", "z");
    }

    @Test
    void aReaderIsDrainedExactlyWhenNothingIsLeftOfWhatCame() throws IOException {
        DelimitedReader lines = new DelimitedReader(stream("a~b~"), false, 10);
        lines.next();
        assertThat(lines.isDrained()).isFalse();
        lines.next();
        assertThat(lines.isDrained()).isTrue();
    }

    private static List<String> split(String whole, char delimiter) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (from < whole.length()) {
            int end = whole.indexOf(delimiter, from);
            String part = whole.substring(from, end < 0 ? whole.length() : end);
            parts.add(delimiter == '\n' && part.endsWith("\r") ? part.substring(0, part.length() - 1) : part);
            from = end < 0 ? whole.length() : end + 1;
        }
        return parts;
    }

    private static List<String> all(InputStream in, boolean nul, int limit) throws IOException {
        DelimitedReader lines = new DelimitedReader(in, nul, limit);
        List<String> all = new ArrayList<>();
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            all.add(new String(line, ISO_8859_1));
        }
        return all;
    }

    /** A stream in which ~ stands for a line feed and ^ for a carriage return. */
    private static InputStream stream(String text) {
        return new ByteArrayInputStream(
                text.replace('~', '\n').replace('^', '\r').getBytes(ISO_8859_1));
    }

    /** Gives its bytes in pieces of one to five. */
    private static final class Dribble extends InputStream {
        private final InputStream bytes;
        private final Random random;

        Dribble(byte[] bytes, Random random) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.random = random;
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return bytes.read(into, offset, Math.min(length, 1 + random.nextInt(5)));
        }
    }
}
