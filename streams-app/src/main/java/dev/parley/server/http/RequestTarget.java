package dev.parley.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoding of request targets (path and query, RFC 3986). */
final class RequestTarget {

    private static final String LEGAL =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?%";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private RequestTarget() {}

    /**
     * Percent-encodes characters that RFC 3986 does not allow in a request target, such as {@code |}. Encoded
     * characters stay, so the decoded values are the same.
     */
    static String encode(String target) {
        int first = 0;
        while (first < target.length() && LEGAL.indexOf(target.charAt(first)) >= 0) {
            first++;
        }
        if (first == target.length()) {
            return target;
        }
        StringBuilder out = new StringBuilder(target.length() + 32).append(target, 0, first);
        for (byte b : target.substring(first).getBytes(StandardCharsets.UTF_8)) {
            if (b > 0 && LEGAL.indexOf(b) >= 0) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.toHexDigits(b));
            }
        }
        return out.toString();
    }

    /** Whether every percent sign starts an encoded byte, and the decoded bytes are valid UTF-8. */
    static boolean isDecodable(String text) {
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer decoded = ByteBuffer.allocate(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '%') {
                int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
                int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    return false;
                }
                decoded.put((byte) (high << 4 | low));
                i += 2;
            } else {
                decoded.put(raw[i]);
            }
        }
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(decoded.flip());
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
