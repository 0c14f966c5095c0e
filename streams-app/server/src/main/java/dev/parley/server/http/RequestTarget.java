package dev.parley.server.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.eclipse.jetty.util.UrlEncoded;

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
        StringBuilder out = new StringBuilder(target.length());
        for (byte b : target.getBytes(StandardCharsets.UTF_8)) {
            if (LEGAL.indexOf(b) >= 0) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.toHexDigits(b));
            }
        }
        return out.toString();
    }

    /** Whether every percent sign starts an encoded byte, and the decoded bytes are valid UTF-8. */
    static boolean isDecodable(String target) {
        try {
            return UrlEncoded.decodeUtf8To(target, 0, target.length(), (name, value) -> {});
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
