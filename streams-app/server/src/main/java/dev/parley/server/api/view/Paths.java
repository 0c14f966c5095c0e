package dev.parley.server.api.view;

import dev.parley.codec.Utf8;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Builds paths of the API, with percent-encoded parameters, and reads the parameters. */
public final class Paths {

    /** Starts a segment that is the Base64 of a name. */
    private static final char ENCODED = '~';

    /** Separators, and what is decoded twice or removed somewhere. */
    private static final String FRAGILE = "/\\%;";

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private Paths() {}

    public static String conversation(String namespace, String protocol, String conversation) {
        return "/v1/conversations/" + name(namespace) + '/' + segment(protocol) + '/' + name(conversation);
    }

    /** Path of what its conversations had shown an agent. */
    public static String agentState(String namespace, String agent) {
        return "/v1/agents/" + name(namespace) + '/' + name(agent) + "/state";
    }

    /**
     * A path segment for a name: percent-encoded; or, as {@code ~} and Base64 for URLs, a name that a proxy or browser
     * could change when it decodes or normalizes the path.
     */
    public static String name(String name) {
        boolean fragile = name.isEmpty()
                || name.charAt(0) == ENCODED
                || name.equals(".")
                || name.equals("..")
                || name.chars().anyMatch(c -> FRAGILE.indexOf(c) >= 0);
        return fragile ? encoded(name) : segment(name);
    }

    /** A name as {@code ~} and Base64 for URLs. */
    public static String encoded(String name) {
        return ENCODED + BASE64.encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The names of path segments, without their percent-encoding.
     *
     * @throws ProblemException if what follows a {@code ~} is not the Base64 of a name
     */
    public static Map<String, String> names(Map<String, String> segments) {
        Map<String, String> names = new TreeMap<>();
        segments.forEach((parameter, segment) -> names.put(parameter, decoded(parameter, segment)));
        return Collections.unmodifiableMap(names);
    }

    /**
     * A name, which may be {@link #encoded}.
     *
     * @throws ProblemException as {@link #names}
     */
    public static String decoded(String parameter, String segment) {
        if (segment.isEmpty() || segment.charAt(0) != ENCODED) {
            return segment;
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(segment.substring(1));
            if (Utf8.firstInvalid(bytes, 0, bytes.length) < 0) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        throw Code.INVALID_REQUEST.problem("The path parameter " + parameter
                + " starts with ~, so the Base64 for URLs of a name in UTF-8 must follow.");
    }

    /** Percent-encodes a path segment, all but unreserved characters (RFC 3986 section 2.3). */
    public static String segment(String text) {
        if (text.equals(".") || text.equals("..")) {
            // They are relative path segments.
            return text.replace(".", "%2E");
        }
        // Three characters differ from the encoding of forms.
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
