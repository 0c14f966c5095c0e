package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.decode.WireProtocols;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Recognizes values that are no message because of their format: JSON of other systems by the names of its first keys,
 * and forms that their author probably does not see.
 */
final class ForeignFormat {
    private static final String CLOUD_EVENT =
            "this is a CloudEvent in JSON: with the header content-type: application/cloudevents+json, its data is read";
    private static final String CHAT = "this is JSON of a chat API; send the text of its content alone";
    private static final String TOOL_CALL = "this is a tool call in JSON; send a message of a protocol";

    /** What JSON is that has keys, each before the keys. The first row with keys of a value counts. */
    private static final String[][] JSON = {
        {CLOUD_EVENT, "specversion", "id", "source"},
        {"this is JSON-RPC 2.0, but no message of MCP; A2A is not read: send the text of its message alone", "jsonrpc"},
        {
            "this is a message of FIPA ACL in JSON, which is not read; write its performative in a protocol",
            "performative"
        },
        {CHAT, "role", "content"},
        {CHAT, "role", "parts"},
        {CHAT, "messages"},
        {CHAT, "choices"},
        {TOOL_CALL, "name", "arguments"},
        {TOOL_CALL, "tool_calls"},
        {"this is JSON of no protocol; send a message of a protocol"}
    };

    private static final String INVISIBLE = "\u200B\u200C\u200D\u200E\u200F\u2060\u00A0\u00AD";

    private static final int MAX_BYTES = 8 << 10;
    private static final int MAX_DEPTH = 2;

    private ForeignFormat() {}

    static boolean isCloudEvent(byte[] value) {
        return CLOUD_EVENT.equals(detail(value));
    }

    /** Describes the value and the remedy in a clause; null if at most its first 8 KiB have no such format. */
    static String detail(byte[] value) {
        if (Encoding.isUtf32(value)) {
            return "the value is in UTF-32; send UTF-8";
        }
        if (Encoding.of(value) == Encoding.UTF_16) {
            return "the value is in UTF-16; send UTF-8";
        }
        int start = WireProtocols.start(value);
        int end = Math.min(value.length, start + MAX_BYTES);
        Set<String> keys = keys(value, start, end);
        for (int i = 0; i < JSON.length && !keys.isEmpty(); i++) {
            List<String> row = List.of(JSON[i]);
            if (keys.containsAll(row.subList(1, row.size()))) {
                return row.get(0);
            }
        }
        String binary = BinaryFormat.detail(value);
        return binary == null ? text(value, start, end) : binary;
    }

    /** The keys of the outermost object, or of the objects of the outermost array; none of other text. */
    private static Set<String> keys(byte[] json, int start, int end) {
        Set<String> keys = new HashSet<>();
        int maxDepth = start < end && json[start] == '[' ? MAX_DEPTH : 1;
        int depth = 0;
        int at = start < end && (json[start] == '{' || json[start] == '[') ? start : end;
        while (at < end) {
            byte b = json[at];
            if (b == '"') {
                int after = Ascii.afterString(json, at, end);
                int colon = Ascii.skipSpaces(json, after);
                if (depth == maxDepth && colon < end && json[colon] == ':') {
                    keys.add(new String(json, at + 1, after - at - 2, ISO_8859_1));
                }
                at = after;
                continue;
            }
            depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
            at++;
        }
        return keys;
    }

    private static String text(byte[] value, int start, int end) {
        String first = new String(value, start, Math.min(3, value.length - start), UTF_8);
        if (!first.isEmpty() && INVISIBLE.indexOf(first.charAt(0)) >= 0) {
            return "an invisible character is at byte " + start + ", before the message; send the message without it";
        }
        for (int at = ForeignSpelling.find(value, start); at < end; at = ForeignSpelling.find(value, at + 1)) {
            if (value[at] == '&' || value[at] == '%') {
                return "byte " + at + " starts " + ForeignSpelling.at(value, at).kind() + "; send the character itself";
            }
        }
        if (isYaml(value, start, end)) {
            return "this is YAML or a list of keys and values; send a message of a protocol";
        }
        return start + 1 < value.length && value[start] == '<' && Ascii.isAlphanumeric(value[start + 1])
                ? "this is text with tags, such as XML; send the message alone"
                : null;
    }

    /** Whether a value starts with the line of a YAML document, or its first two lines are keys with values. */
    private static boolean isYaml(byte[] value, int start, int end) {
        int second = afterKeyLine(value, start, end);
        return Ascii.startsWith(value, start, "---\n")
                || second > start && second < end && afterKeyLine(value, second, end) > second;
    }

    /**
     * Index after a line that has a name of letters, digits and {@code _-}, and a colon; the same index if it has none.
     */
    private static int afterKeyLine(byte[] value, int from, int end) {
        int at = Ascii.skip(value, from, end, b -> Ascii.isAlphanumeric(b) || b == '_' || b == '-');
        boolean isKey = at > from && at < end && value[at] == ':' && (at + 1 == end || Ascii.isSpace(value[at + 1]));
        return isKey ? Math.min(Ascii.skip(value, at, end, b -> b != '\n') + 1, end) : from;
    }
}
