package dev.parley.cli.transcript;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.cli.transcript.Transcript.BadLine;
import dev.parley.cli.transcript.Transcript.Line;
import dev.parley.codec.Decimal;
import dev.parley.codec.Excerpt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the lines of an mcpsnoop log (versions 0.1 to 0.18): JSON objects about a line of stdio or a message over HTTP,
 * which is in {@code raw}, or in {@code text} if it is not JSON. The record key is the {@code session_id}, which names
 * one run of mcpsnoop.
 *
 * <p>A run over stdio begins with a line {@code meta}, so its first message has {@code parley-capture: start}. A run
 * over HTTP has no start, because its lines do not tell clients and sessions apart. A jump of {@code seq} shows that
 * mcpsnoop dropped messages: the next one has a {@code gap}. mcpsnoop records a line of stdio after it has forwarded
 * it, so a response may precede its request. The rules have warnings for that, and no violation.
 */
final class SnoopLines {
    /** The highest number of the lines of each run. */
    private final Map<String, Long> numbers = new HashMap<>();

    /** The value of {@code parley-capture} of the next message of each run. */
    private final Map<String, String> marks = new HashMap<>();

    /**
     * Reads a line.
     *
     * @param maxBytes maximum bytes of a line
     * @return null for a line about the run or of standard error
     */
    Line parse(byte[] line, int maxBytes) throws BadLine {
        if (line.length > maxBytes) {
            throw new BadLine("the line must have at most " + maxBytes + " bytes");
        }
        Map<String, String> fields = fields(line);
        String id = fields.getOrDefault("session_id", "");
        String kind = fields.getOrDefault("direction", "");
        String direction = switch (kind) {
            case "c2s" -> "client-to-server";
            case "s2c" -> "server-to-client";
            case "meta", "stderr" -> null;
            default ->
                throw new BadLine("direction must be c2s, s2c, stderr or meta, but was '" + Excerpt.of(kind) + "'");
        };
        count(id, fields);
        if (direction == null) {
            return null;
        }
        boolean isCut = "true".equals(fields.get("truncated"));
        String text = isCut ? null : fields.getOrDefault("raw", fields.get("text"));
        byte[] wire = text == null ? null : text.getBytes(UTF_8);
        // A mark on an undecodable record has no effect, so it waits for the next message.
        String mark = wire == null || HarFile.isMessage(wire, any -> true) ? marks.remove(id) : null;
        Map<String, String> headers = HarFile.headers(direction, null, isCut ? "gap" : mark);
        HarFile.put(headers, "parley-http-status", fields.get("status"));
        for (String field : List.of("mcp_method", "mcp_name", "mcp_protocol_version")) {
            HarFile.put(headers, field.replace('_', '-'), fields.get(field));
        }
        Long time = fields.containsKey("ts") ? (Long) Transcript.millis("ts", fields.get("ts"), false) : null;
        return new Line(id.getBytes(UTF_8), headers, wire, null, time, Optional.empty());
    }

    /** Follows the numbers of a run. mcpsnoop may write two lines in the other order; the earlier one is no gap. */
    private void count(String id, Map<String, String> fields) throws BadLine {
        String seq = fields.getOrDefault("seq", "");
        long number = Decimal.parse(seq, Long.MAX_VALUE - 1);
        if (number == Decimal.NONE) {
            throw new BadLine("seq must be an integer >= 0, but was '" + Excerpt.of(seq) + "'");
        }
        if (fields.get("direction").equals("meta")) {
            numbers.put(id, number);
            marks.put(id, "stdio".equals(fields.get("transport")) ? "start" : null);
        } else if (number > numbers.getOrDefault(id, number) + 1) {
            marks.put(id, "gap");
        }
        numbers.merge(id, number, Math::max);
    }

    /** Returns the keys with scalar values, and the message in {@code raw} as it is in the line. */
    private static Map<String, String> fields(byte[] line) throws BadLine {
        CharBuffer chars;
        try {
            chars = UTF_8.newDecoder().decode(ByteBuffer.wrap(line));
        } catch (CharacterCodingException e) {
            throw new BadLine("the line must be UTF-8");
        }
        Map<String, String> fields = new HashMap<>();
        try (JsonParser json = Transcript.JSON.getFactory().createParser(chars.array(), 0, chars.limit())) {
            // Repeated keys may be those of a message.
            json.disable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new BadLine("expected a JSON object as mcpsnoop writes it");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                if (json.nextToken().isScalarValue() && !key.equals("raw")) {
                    fields.put(key, json.getText());
                } else {
                    int from = (int) json.currentTokenLocation().getCharOffset();
                    json.skipChildren();
                    json.finishToken();
                    int to = (int) json.currentLocation().getCharOffset();
                    fields.put(key, chars.subSequence(from, to).toString());
                }
            }
            if (json.nextToken() != null) {
                throw new BadLine("unexpected content after the object; write one object per line");
            }
            return fields;
        } catch (JsonProcessingException e) {
            throw new BadLine(Transcript.notJson(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
