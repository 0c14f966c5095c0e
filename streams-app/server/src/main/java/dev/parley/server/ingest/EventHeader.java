package dev.parley.server.ingest;

import dev.parley.codec.Utf8;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Decodes HTTP headers that are attributes of a CloudEvent in binary mode. */
final class EventHeader {
    private static final int ESCAPE_LENGTH = 3;

    private EventHeader() {}

    /**
     * The value of an attribute: the header without quotes, then without percent-encoding, each once, as the HTTP
     * binding requires.
     *
     * @param header the value of the header, in ASCII
     * @throws ProblemException if a quote or an escape is incomplete, or the bytes are not UTF-8; it names the header
     */
    static String value(String name, String header) {
        String text = header.startsWith("\"") ? unquoted(name, header) : header;
        byte[] bytes = new byte[text.length()];
        int length = 0;
        int at = 0;
        while (at < text.length()) {
            boolean escaped = text.charAt(at) == '%';
            bytes[length++] = (byte) (escaped ? escaped(name, text, at) : text.charAt(at));
            at += escaped ? ESCAPE_LENGTH : 1;
        }
        if (Utf8.firstInvalid(bytes, 0, length) >= 0) {
            throw invalid(name, "must be percent-encoded UTF-8, as CloudEvents require, but its bytes are not UTF-8.");
        }
        return new String(Arrays.copyOf(bytes, length), StandardCharsets.UTF_8);
    }

    private static String unquoted(String name, String header) {
        StringBuilder text = new StringBuilder(header.length());
        int at = 1;
        while (at < header.length() && header.charAt(at) != '"') {
            at += header.charAt(at) == '\\' ? 1 : 0;
            if (at < header.length()) {
                text.append(header.charAt(at++));
            }
        }
        if (at != header.length() - 1) {
            throw invalid(name, "starts with a quote, so it must end with the closing quote.");
        }
        return text.toString();
    }

    /** The byte of an escape at a percent sign. */
    private static int escaped(String name, String text, int at) {
        if (at + ESCAPE_LENGTH <= text.length()) {
            int high = Character.digit(text.charAt(at + 1), 16);
            int low = Character.digit(text.charAt(at + 2), 16);
            if (high >= 0 && low >= 0) {
                return high << 4 | low;
            }
        }
        throw invalid(
                name,
                "must be percent-encoded UTF-8, as CloudEvents require, but two hexadecimal digits must follow the %"
                        + " at character " + at + ".");
    }

    private static ProblemException invalid(String name, String detail) {
        return ProblemException.of(Code.INVALID_REQUEST, "The header " + name + " " + detail);
    }
}
