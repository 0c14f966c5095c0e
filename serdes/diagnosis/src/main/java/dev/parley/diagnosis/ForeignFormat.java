package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.codec.Ascii;
import dev.parley.decode.WireProtocols;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Formats that agents send and that are no protocol of Parley, recognized by the names of their first JSON keys. */
enum ForeignFormat {
    CLOUD_EVENT(
            "this is a CloudEvent in JSON: with the header content-type: application/cloudevents+json, its data is read",
            List.of("specversion", "id", "source")),
    JSON_RPC(
            "this is JSON-RPC 2.0: A2A and MCP are not read yet; send the text of its message alone",
            List.of("jsonrpc")),
    FIPA_ACL(
            "this is a message of FIPA ACL in JSON, which is not read; write its performative in a protocol",
            List.of("performative")),
    CHAT(
            "this is JSON of a chat API; send the text of its content alone",
            List.of("role", "content"),
            List.of("role", "parts"),
            List.of("messages"),
            List.of("choices")),
    TOOL_CALL(
            "this is a tool call in JSON; send a message of a protocol",
            List.of("name", "arguments"),
            List.of("tool_calls")),
    JSON("this is JSON of no protocol; send a message of a protocol", List.of()),
    UTF_32("the value is in UTF-32; send UTF-8"),
    UTF_16("the value is in UTF-16; send UTF-8");

    private static final int MAX_BYTES = 8 << 10;
    private static final int MAX_DEPTH = 2;

    private final String detail;

    @SuppressWarnings("ImmutableEnumChecker") // The lists are immutable.
    private final List<List<String>> keys;

    @SafeVarargs
    ForeignFormat(String detail, List<String>... keys) {
        this.detail = detail;
        this.keys = List.of(keys);
    }

    /** Describes the value and the remedy in a sentence without its end. */
    String detail() {
        return detail;
    }

    /** The format of a value by at most its first 8 KiB; null if none is recognized. */
    static ForeignFormat of(byte[] value) {
        if (Encoding.isUtf32(value)) {
            return UTF_32;
        }
        if (Encoding.of(value) == Encoding.UTF_16) {
            return UTF_16;
        }
        int start = WireProtocols.start(value);
        if (start == value.length || value[start] != '{' && value[start] != '[') {
            return null;
        }
        Set<String> found = keys(value, start);
        if (found.isEmpty()) {
            return null;
        }
        return Stream.of(values())
                .filter(format -> format.keys.stream().anyMatch(found::containsAll))
                .findFirst()
                .orElse(null);
    }

    /** The keys of the outermost object, or of the objects of the outermost array. */
    private static Set<String> keys(byte[] json, int start) {
        Set<String> keys = new HashSet<>();
        int maxDepth = json[start] == '[' ? MAX_DEPTH : 1;
        int end = Math.min(json.length, start + MAX_BYTES);
        int depth = 0;
        int at = start;
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
}
