package dev.parley.query.api;

import dev.parley.audit.InputPosition;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Paths of the API with names in them. */
public final class Paths {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Paths() {}

    /** Path of a conversation. */
    public static String conversation(String namespace, String protocol, String conversation) {
        return "/v1/conversations/" + segment(namespace) + '/' + segment(protocol) + '/' + segment(conversation);
    }

    static String position(InputPosition position) {
        return "/v1/positions/" + segment(position.topic()) + '/' + position.partition() + '/' + position.offset();
    }

    /** One path segment, everything but unreserved characters percent-encoded (RFC 3986 §2). */
    static String segment(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        // "." and ".." would be taken as steps in the path; their last dot is encoded.
        boolean dots = text.equals(".") || text.equals("..");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0 && UNRESERVED.indexOf(b) >= 0 && !dots) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.toHexDigits(b));
            }
        }
        return out.toString();
    }
}
