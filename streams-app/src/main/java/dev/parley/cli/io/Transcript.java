package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.parley.codec.Excerpt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads transcripts: JSON lines, each an object with {@code wire} (text; null is a tombstone) or {@code wireBase64},
 * and optionally {@code key} (text or null), {@code headers} (names to text), {@code topic} and {@code timestamp} (ISO
 * 8601, or milliseconds since the epoch). Other keys are left alone, so that a transcript can carry remarks.
 */
public final class Transcript {
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final int MOST_OF_A_MESSAGE = 300;

    private Transcript() {}

    /**
     * One line.
     *
     * @param key key of the record, or null
     * @param headers headers of the record, in order
     * @param wire value of the record; null for a tombstone
     * @param topic topic to send it to, or null
     * @param timestamp milliseconds since the epoch, or null
     */
    public record Line(byte[] key, Map<String, String> headers, byte[] wire, String topic, Long timestamp) {

        /** The UTF-8 bytes of a header; null when it is absent. */
        public byte[] header(String name) {
            String value = headers.get(name);
            return value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        }

        /** The line at another time; a line without a time stays so. */
        public Line moved(long millis) {
            return new Line(key, headers, wire, topic, timestamp == null ? null : Long.valueOf(timestamp + millis));
        }

        /** The line with one more header. */
        public Line withHeader(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Line(key, more, wire, topic, timestamp);
        }
    }

    /**
     * Reads one line.
     *
     * @throws BadLine when it is no such object
     */
    public static Line parse(byte[] line) throws BadLine {
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new BadLine("expected a JSON object with the key wire");
            }
            return read(json);
        } catch (IOException e) {
            throw new BadLine("not JSON: " + Excerpt.of(firstLine(e.getMessage()), MOST_OF_A_MESSAGE));
        }
    }

    private static Line read(JsonParser json) throws IOException, BadLine {
        byte[] key = null;
        Map<String, String> headers = new LinkedHashMap<>();
        byte[] wire = null;
        boolean hasWire = false;
        String topic = null;
        Long timestamp = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "key" -> key = utf8(text(json, field));
                case "wire", "wireBase64" -> {
                    if (hasWire) {
                        throw new BadLine("wire and wireBase64 stand side by side; write one of them");
                    }
                    String text = text(json, field);
                    wire = field.equals("wire") ? utf8(text) : base64(text);
                    hasWire = true;
                }
                case "topic" -> topic = text(json, field);
                case "timestamp" -> timestamp = timestamp(json);
                case "headers" -> readHeaders(json, headers);
                default -> json.skipChildren();
            }
        }
        if (!hasWire) {
            throw new BadLine("the object has no key wire");
        }
        if (json.nextToken() != null) {
            throw new BadLine("something follows the object; write one object a line");
        }
        return new Line(key, headers, wire, topic, timestamp);
    }

    private static void readHeaders(JsonParser json, Map<String, String> headers) throws IOException, BadLine {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new BadLine("headers is an object of names and texts");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            headers.put(name, text(json, "headers." + Excerpt.of(name)));
        }
    }

    private static String text(JsonParser json, String field) throws IOException, BadLine {
        return switch (json.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> whole(json.getText(), field);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE -> json.getText();
            default -> throw new BadLine(field + " is a text or null");
        };
    }

    /** A text that UTF-8 can say; half of a surrogate pair would silently become a question mark. */
    private static String whole(String text, String field) throws BadLine {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean paired = Character.isHighSurrogate(unit)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    throw new BadLine(
                            field + " has half of a surrogate pair; bytes that are no text go into wireBase64");
                }
                i++;
            }
        }
        return text;
    }

    private static Long timestamp(JsonParser json) throws IOException, BadLine {
        String text = text(json, "timestamp");
        if (text == null) {
            return null;
        }
        try {
            long millis = json.currentToken() == JsonToken.VALUE_NUMBER_INT
                    ? Long.parseLong(text)
                    : Instant.parse(text).toEpochMilli();
            if (millis < 0) {
                throw new BadLine("timestamp is not before 1970");
            }
            return millis;
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new BadLine(
                    "timestamp is ISO 8601 with a zone (2026-01-31T12:00:00Z) or milliseconds since 1970, not '"
                            + Excerpt.of(text) + "'");
        }
    }

    private static byte[] base64(String text) throws BadLine {
        if (text == null) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadLine("wireBase64 is not base 64: " + e.getMessage());
        }
    }

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** A line that is no part of a transcript; the message says why. */
    public static final class BadLine extends Exception {
        private static final long serialVersionUID = 1L;

        BadLine(String message) {
            super(message);
        }
    }
}
