package dev.parley.diagnosis;

import static dev.parley.codec.Code.MCP_NOT_JSON;

import dev.parley.codec.Ascii;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.decode.WireProtocols;
import java.util.List;

/** Near misses of MCP: messages with the framing of their transport, and those of a log. */
final class McpNearMisses implements NearMisses {
    private static final List<NearMiss<Text>> ROWS = List.of(
            row(
                    "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n",
                    "This is a stream of events. Send the data of each event as a record.",
                    List.of("event:", "data:", "id:")),
            row(
                    "Content-Length: 40\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                    "MCP has no header before a message. Send the JSON alone.",
                    List.of("Content-Length:")),
            row(
                    "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}",
                    "JSON strings must be in double quotes (\"), but this one is in single quotes.",
                    List.of("'")));

    /** A text and the index of its error. */
    private record Text(byte[] wire, int wrong, boolean isNotJson) {}

    private static NearMiss<Text> row(String example, String detail, List<String> starts) {
        return NearMiss.of(
                example,
                MCP_NOT_JSON,
                detail,
                text -> text.isNotJson
                                && starts.stream().anyMatch(start -> Ascii.startsWith(text.wire, text.wrong, start))
                        ? text.wrong
                        : -1);
    }

    @Override
    public List<String> examples() {
        return NearMiss.examples(ROWS);
    }

    @Override
    public boolean resembles(byte[] wire, int from) {
        return Ascii.startsWith(wire, from, "{'jsonrpc'");
    }

    @Override
    public Malformed<?> cause(byte[] wire, Malformed<?> error) {
        Malformed<?> found = NearMiss.first(ROWS, new Text(wire, error.offset(), error.code() == MCP_NOT_JSON));
        return found == null ? ForeignSpelling.cause(wire, error, WireProtocols.MCP) : found;
    }
}
