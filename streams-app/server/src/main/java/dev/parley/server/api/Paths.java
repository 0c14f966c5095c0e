package dev.parley.server.api;

import dev.parley.audit.InputPosition;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Builds paths of the API, with percent-encoded parameters. */
public final class Paths {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Paths() {}

    public static String conversation(String namespace, String protocol, String conversation) {
        return "/v1/conversations/" + segment(namespace) + '/' + segment(protocol) + '/' + segment(conversation);
    }

    /** Path of the verdict on an input record. */
    static String position(InputPosition position) {
        return "/v1/positions/" + segment(position.topic()) + '/' + position.partition() + '/' + position.offset();
    }

    /** Path of what its conversations had shown an agent. */
    public static String agentState(String namespace, String agent) {
        return "/v1/agents/" + segment(namespace) + '/' + segment(agent) + "/state";
    }

    /** Percent-encodes a path segment, all but unreserved characters (RFC 3986 section 2.3). */
    public static String segment(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        // Encoded, because "." and ".." are relative path segments.
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
