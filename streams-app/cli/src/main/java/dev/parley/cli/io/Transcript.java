package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.parley.codec.Excerpt;
import dev.parley.logging.ControlCharacters;
import dev.parley.topology.config.NearestNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Reads transcripts: JSON lines, each an object with {@code wire} (a string; null is a tombstone) or
 * {@code wireBase64}, and optionally {@code key} (a string or null), {@code headers} (names to strings), {@code topic},
 * {@code timestamp} (ISO 8601, or milliseconds since the epoch), a remark ({@code note}, any JSON), and the expected
 * result: {@code expect}, {@code expectCode}, {@code expectWarnings}, {@code expectParked}. Any other key is an error,
 * so that a typing error is not ignored.
 */
public final class Transcript {
    /** Maximum bytes of a line: a record of 16 MiB in which every byte is escaped. */
    public static final int MAX_LINE_BYTES = 128 << 20;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(MAX_LINE_BYTES)
                    .build())
            .build();

    private static final int MAX_DETAIL_CHARACTERS = 300;
    private static final List<String> KEYS = List.of(
            "wire",
            "wireBase64",
            "key",
            "headers",
            "topic",
            "timestamp",
            "note",
            "expect",
            "expectCode",
            "expectWarnings",
            "expectParked");

    private Transcript() {}

    /**
     * One line.
     *
     * @param key key of the record, or null
     * @param headers headers of the record, in order
     * @param wire value of the record; null for a tombstone
     * @param topic topic to send it to, or null
     * @param timestamp milliseconds since the epoch, or null
     * @param expected expected result; empty if the line has none
     */
    public record Line(
            byte[] key,
            Map<String, String> headers,
            byte[] wire,
            String topic,
            Long timestamp,
            Optional<ExpectedVerdict> expected) {

        /** A line without an expected result. */
        public Line(byte[] key, Map<String, String> headers, byte[] wire, String topic, Long timestamp) {
            this(key, headers, wire, topic, timestamp, Optional.empty());
        }

        /** The UTF-8 bytes of a header; null when it is absent. */
        public byte[] header(String name) {
            String value = headers.get(name);
            return value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        }

        /** The line at a later time; a line without a time is unchanged. */
        public Line moved(long millis) {
            return new Line(
                    key, headers, wire, topic, timestamp == null ? null : Long.valueOf(timestamp + millis), expected);
        }

        public Line withHeader(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Line(key, more, wire, topic, timestamp, expected);
        }
    }

    /**
     * Reads all lines that are not empty, and reports those that are not part of a transcript.
     *
     * @param maxLineBytes maximum bytes of a line
     * @param place prefix of the line number in an error, such as the name of the file and a colon
     * @param each takes each line with its number, from 1
     * @return whether every line is part of a transcript
     */
    public static boolean read(
            InputStream in, int maxLineBytes, String place, PrintWriter err, BiConsumer<Long, Line> each)
            throws IOException {
        boolean whole = true;
        DelimitedReader reader = new DelimitedReader(in, false, maxLineBytes);
        long number = 0;
        for (byte[] bytes = reader.next(); bytes != null; bytes = reader.next()) {
            number++;
            if (bytes.length > 0) {
                try {
                    each.accept(number, parse(bytes));
                } catch (BadLine e) {
                    whole = false;
                    err.println(place + number + ": " + ControlCharacters.escape(e.getMessage()));
                }
            }
        }
        return whole;
    }

    /**
     * Reads one line.
     *
     * @throws BadLine if it is not such an object, or longer than {@link #MAX_LINE_BYTES}
     */
    public static Line parse(byte[] line) throws BadLine {
        if (line.length > MAX_LINE_BYTES) {
            throw new BadLine("the line must have at most " + MAX_LINE_BYTES + " bytes");
        }
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new BadLine("expected a JSON object with the key wire");
            }
            return read(json);
        } catch (IOException e) {
            throw new BadLine("not JSON: " + Excerpt.of(firstLine(e.getMessage()), MAX_DETAIL_CHARACTERS));
        }
    }

    private static Line read(JsonParser json) throws IOException, BadLine {
        byte[] key = null;
        Map<String, String> headers = new LinkedHashMap<>();
        byte[] wire = null;
        boolean hasWire = false;
        String topic = null;
        Long timestamp = null;
        String unknown = null;
        String verdict = null;
        String code = null;
        List<String> warnings = null;
        Boolean parked = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "key" -> key = utf8(text(json, field));
                case "wire", "wireBase64" -> {
                    if (hasWire) {
                        throw new BadLine("wire and wireBase64 are mutually exclusive; give one of them");
                    }
                    String text = text(json, field);
                    wire = field.equals("wire") ? utf8(text) : base64(text);
                    hasWire = true;
                }
                case "topic" -> topic = text(json, field);
                case "timestamp" -> timestamp = timestamp(json);
                case "headers" -> readHeaders(json, headers);
                case "note" -> json.skipChildren();
                case "expect" -> verdict = text(json, field);
                case "expectCode" -> code = text(json, field);
                case "expectWarnings" -> warnings = texts(json, field);
                case "expectParked" -> parked = flag(json, field);
                default -> {
                    unknown = unknown == null ? field : unknown;
                    json.skipChildren();
                }
            }
        }
        if (unknown != null) {
            throw new BadLine(unknownKey(unknown));
        }
        if (!hasWire) {
            throw new BadLine("the object has no key wire");
        }
        if (json.nextToken() != null) {
            throw new BadLine("unexpected content after the object; write one object per line");
        }
        return new Line(key, headers, wire, topic, timestamp, ExpectedVerdict.of(verdict, code, warnings, parked));
    }

    private static String unknownKey(String key) {
        return "unknown key '" + Excerpt.of(key) + "'; "
                + NearestNames.suggestion(key, KEYS)
                        .map(name -> "did you mean " + name + "?")
                        .orElse("use note for comments; the other keys are "
                                + String.join(
                                        ", ",
                                        KEYS.stream()
                                                .filter(known -> !known.equals("note"))
                                                .toList()));
    }

    private static void readHeaders(JsonParser json, Map<String, String> headers) throws IOException, BadLine {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new BadLine("headers must be an object of names and strings");
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
            default -> throw new BadLine(field + " must be a string or null");
        };
    }

    /** A string that UTF-8 can encode: an unpaired surrogate would silently become a question mark. */
    private static String whole(String text, String field) throws BadLine {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean paired = Character.isHighSurrogate(unit)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    throw new BadLine(
                            field + " has an unpaired surrogate; use wireBase64 for bytes that are not UTF-8");
                }
                i++;
            }
        }
        return text;
    }

    private static List<String> texts(JsonParser json, String field) throws IOException, BadLine {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new BadLine(field + " must be an array of strings");
        }
        List<String> texts = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() == null) {
                throw new BadLine("not JSON: " + field + " is not terminated");
            }
            texts.add(String.valueOf(text(json, field)));
        }
        return texts;
    }

    private static boolean flag(JsonParser json, String field) throws BadLine {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new BadLine(field + " must be true or false");
        };
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
                throw new BadLine("timestamp must not be before 1970");
            }
            return millis;
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new BadLine(
                    "timestamp must be ISO 8601 with a zone (2026-01-31T12:00:00Z) or milliseconds since 1970, but was"
                            + " '" + Excerpt.of(text) + "'");
        }
    }

    private static byte[] base64(String text) throws BadLine {
        if (text == null) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadLine("wireBase64 must be Base64: " + e.getMessage());
        }
    }

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** A line that is not part of a transcript; the message says why. */
    public static final class BadLine extends Exception {
        private static final long serialVersionUID = 1L;

        BadLine(String message) {
            super(message);
        }
    }
}
