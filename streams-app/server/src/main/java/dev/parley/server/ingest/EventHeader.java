package dev.parley.server.ingest;

import dev.parley.codec.Utf8;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes HTTP headers that are attributes of a CloudEvent in binary mode. */
final class EventHeader {
    private static final Pattern INCOMPLETE_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

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
        Matcher incomplete = INCOMPLETE_ESCAPE.matcher(text);
        if (incomplete.find()) {
            throw invalid(
                    name,
                    "must be percent-encoded UTF-8, as CloudEvents require, but two hexadecimal digits must follow the %"
                            + " at character " + incomplete.start() + ".");
        }
        // Latin-1 has a character for every byte, and a plus sign is no space here.
        byte[] bytes = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                .getBytes(StandardCharsets.ISO_8859_1);
        if (Utf8.firstInvalid(bytes, 0, bytes.length) >= 0) {
            throw invalid(name, "must be percent-encoded UTF-8, as CloudEvents require, but its bytes are not UTF-8.");
        }
        return new String(bytes, StandardCharsets.UTF_8);
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

    private static ProblemException invalid(String name, String detail) {
        return Code.INVALID_REQUEST.problem("The header " + name + " " + detail);
    }
}
