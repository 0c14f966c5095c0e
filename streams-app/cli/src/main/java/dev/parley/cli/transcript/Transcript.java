package dev.parley.cli.transcript;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.avro.InboundHeader;
import dev.parley.cli.io.Counts;
import dev.parley.codec.Ascii;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Utf8;
import dev.parley.encoding.ByteBuffers;
import dev.parley.topology.config.NearestNames;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads transcripts: JSON lines, each an object with {@code wire} (a string; null is a tombstone) or
 * {@code wireBase64}, and optionally {@code key} (a string or null), {@code headers} (names to strings), {@code topic},
 * {@code timestamp} (ISO 8601, or milliseconds since the epoch), a remark ({@code note}, any JSON), and the expected
 * result: {@code expect}, {@code expectCode}, {@code expectWarnings}, {@code expectParked}. Null means that a key is
 * not set. Any other key is an error, so that a typing error is not ignored.
 *
 * <p>{@link #read} also reads the files of {@link SnoopLines} and {@link HarFile}, which it recognizes by their first
 * key.
 */
public final class Transcript {
    /** Maximum bytes of a line: a record of 16 MiB in which every byte is escaped. */
    public static final int MAX_LINE_BYTES = 128 << 20;

    static final ObjectMapper JSON = JsonMapper.builder(new JsonFactoryBuilder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(MAX_LINE_BYTES)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final int MAX_DETAIL_CHARACTERS = 300;

    /** Maximum bytes of a file up to the end of its first key. */
    private static final int FIRST_BYTES = 32;

    /** Maximum number of errors that are reported one by one. */
    private static final int MAX_REPORTED = 20;

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

        /** The UTF-8 bytes of a header; null when it is absent. */
        public byte[] header(String name) {
            return utf8(headers.get(name));
        }

        /** The headers as the decoder reads them. */
        public RecordHeaders recordHeaders() {
            Map<String, byte[]> values = new LinkedHashMap<>();
            headers.keySet().forEach(name -> values.put(name, header(name)));
            return RecordHeaders.of(values);
        }

        /** The headers as Parley keeps them. */
        public List<InboundHeader> inboundHeaders() {
            return headers.keySet().stream()
                    .map(name -> new InboundHeader(name, ByteBuffers.wrap(header(name))))
                    .toList();
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

    /** Takes the lines of a transcript. */
    @FunctionalInterface
    public interface LineConsumer {
        /**
         * Takes a line.
         *
         * @param number number of the line, from 1
         * @throws BadLine if it cannot be part of this transcript
         */
        void accept(long number, Line line) throws BadLine;
    }

    /** Reports the first errors of a file one by one, and counts the others. */
    static final class Errors {
        private final String place;
        private final PrintWriter err;
        private long count;

        private Errors(String place, PrintWriter err) {
            this.place = place;
            this.err = err;
        }

        /** @param where position in the file */
        void add(String where, String message) {
            if (++count <= MAX_REPORTED) {
                err.println(place + where + ": " + ControlCharacters.escape(message));
            }
        }

        /**
         * Reports how many errors were not reported.
         *
         * @param note reported too; null for none
         * @return whether there was no error
         */
        boolean finish(String note) {
            if (count > MAX_REPORTED) {
                err.println(place + ' ' + Counts.of(count - MAX_REPORTED, "more error"));
            }
            if (note != null) {
                err.println(place + ' ' + note);
            }
            return count == 0;
        }
    }

    /**
     * Reads all records of a transcript, of an mcpsnoop log or of a HAR file. Reports the first lines that are not part
     * of it, and counts the others.
     *
     * @param file path of the file, next to which bodies of a HAR file may be files; null or {@code -} for none
     * @param maxLineBytes maximum bytes of a line, or of an entry of a HAR file
     * @param place prefix of the line number in an error, such as the name of the file and a colon
     * @param each takes each record with the number of its line; in a HAR file with its own number, from 1
     * @return whether every line is part of the format
     */
    public static boolean read(
            InputStream in, Path file, int maxLineBytes, String place, PrintWriter err, LineConsumer each)
            throws IOException {
        boolean isNamed = file != null && !file.toString().equals("-");
        Path directory = isNamed ? file.toAbsolutePath().normalize().getParent() : null;
        Errors errors = new Errors(place, err);
        BufferedInputStream buffered = new BufferedInputStream(in);
        buffered.mark(FIRST_BYTES);
        byte[] start = buffered.readNBytes(FIRST_BYTES);
        buffered.reset();
        int object = Ascii.skipSpaces(start, Utf8.startsWithMark(start) ? Utf8.MARK_LENGTH : 0);
        int key = Ascii.startsWith(start, object, "{") ? Ascii.skipSpaces(start, object + 1) : start.length;
        if (Ascii.startsWith(start, key, "\"log\"")) {
            return new HarFile(directory, maxLineBytes, errors, each).read(buffered);
        }
        SnoopLines snoop = Ascii.startsWith(start, key, "\"session_id\"") ? new SnoopLines() : null;
        DelimitedReader reader = new DelimitedReader(buffered, false, maxLineBytes);
        long number = 0;
        for (byte[] bytes = reader.next(); bytes != null; bytes = reader.next()) {
            number++;
            if (bytes.length > 0) {
                try {
                    Line line = snoop == null ? parse(bytes, maxLineBytes) : snoop.parse(bytes, maxLineBytes);
                    if (line != null) {
                        each.accept(number, line);
                    }
                } catch (BadLine e) {
                    errors.add(Long.toString(number), e.getMessage());
                }
            }
        }
        return errors.finish(number == 0 ? "the transcript has no lines" : null);
    }

    /**
     * Reads one line.
     *
     * @throws BadLine if it is not such an object, or longer than {@link #MAX_LINE_BYTES}
     */
    public static Line parse(byte[] line) throws BadLine {
        return parse(line, MAX_LINE_BYTES);
    }

    private static Line parse(byte[] line, int maxBytes) throws BadLine {
        if (line.length > maxBytes) {
            throw new BadLine("the line must have at most " + maxBytes + " bytes");
        }
        JsonNode json = json(line);
        if (!json.isObject()) {
            throw new BadLine("expected a JSON object with the key wire");
        }
        for (Map.Entry<String, JsonNode> member : json.properties()) {
            if (!KEYS.contains(member.getKey())) {
                throw new BadLine(unknownKey(member.getKey()));
            }
        }
        boolean both = json.has("wire") && json.has("wireBase64");
        boolean base64 = json.hasNonNull("wireBase64");
        if (both && base64 == json.hasNonNull("wire")) {
            throw new BadLine("wire and wireBase64 are mutually exclusive; give one of them");
        }
        if (!json.has("wire") && !json.has("wireBase64")) {
            throw new BadLine("the object has no key wire");
        }
        return new Line(
                utf8(text(json, "key")),
                headers(json.path("headers")),
                base64 ? base64(text(json, "wireBase64")) : utf8(text(json, "wire")),
                text(json, "topic"),
                timestamp(json),
                ExpectedVerdict.of(
                        text(json, "expect"),
                        text(json, "expectCode"),
                        texts(json, "expectWarnings"),
                        flag(json, "expectParked")));
    }

    private static JsonNode json(byte[] line) throws BadLine {
        int from = Utf8.startsWithMark(line) ? Utf8.MARK_LENGTH : 0;
        try {
            // As characters: from bytes, Jackson misquotes those of several bytes in its errors.
            return JSON.readTree(new InputStreamReader(
                    new ByteArrayInputStream(line, from, line.length - from), StandardCharsets.UTF_8.newDecoder()));
        } catch (MismatchedInputException e) {
            throw new BadLine("unexpected content after the object; write one object per line");
        } catch (JsonProcessingException e) {
            throw new BadLine(notJson(e));
        } catch (IOException e) {
            throw new BadLine("the line must be UTF-8; use wireBase64 for bytes that are not UTF-8");
        }
    }

    /** Returns the error and its place, without the source that Jackson names in parentheses. */
    static String notJson(JsonProcessingException failure) {
        String message = failure.getOriginalMessage();
        int source = message.indexOf("[Source: ");
        int end = source < 0 ? -1 : message.lastIndexOf('(', source);
        JsonLocation location = failure.getLocation();
        String line = location == null || location.getLineNr() == 1 ? "" : "line " + location.getLineNr() + ", ";
        String reason = (end < 0 ? message : message.substring(0, end).stripTrailing())
                + (location == null ? "" : ", at " + line + "character " + location.getColumnNr());
        return "not JSON: " + Excerpt.of(reason, MAX_DETAIL_CHARACTERS);
    }

    private static String unknownKey(String key) {
        String others = KEYS.stream().filter(known -> !known.equals("note")).collect(Collectors.joining(", "));
        return "unknown key '" + Excerpt.of(key) + "'"
                + NearestNames.didYouMean(key, KEYS, "; use note for comments; the other keys are " + others);
    }

    private static Map<String, String> headers(JsonNode json) throws BadLine {
        if (!json.isObject() && !json.isNull() && !json.isMissingNode()) {
            throw new BadLine("headers must be an object of names and strings");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> header : json.properties()) {
            headers.put(header.getKey(), value(header.getValue(), "headers." + Excerpt.of(header.getKey())));
        }
        return headers;
    }

    private static String text(JsonNode line, String key) throws BadLine {
        return value(line.path(key), key);
    }

    /** A string that UTF-8 can encode: an unpaired surrogate would silently become a question mark. */
    private static String value(JsonNode value, String name) throws BadLine {
        if (!value.isTextual() && !value.isNull() && !value.isMissingNode()) {
            throw new BadLine(name + " must be a string or null");
        }
        String text = value.textValue();
        if (text != null && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new BadLine(name + " has an unpaired surrogate; use wireBase64 for bytes that are not UTF-8");
        }
        return text;
    }

    private static List<String> texts(JsonNode line, String key) throws BadLine {
        if (!line.hasNonNull(key)) {
            return null;
        }
        if (!line.get(key).isArray()) {
            throw new BadLine(key + " must be an array of strings");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode item : line.get(key)) {
            texts.add(String.valueOf(value(item, key)));
        }
        return texts;
    }

    private static Boolean flag(JsonNode line, String key) throws BadLine {
        if (!line.hasNonNull(key)) {
            return null;
        }
        if (!line.get(key).isBoolean()) {
            throw new BadLine(key + " must be true or false");
        }
        return line.get(key).booleanValue();
    }

    private static Long timestamp(JsonNode line) throws BadLine {
        if (!line.hasNonNull("timestamp")) {
            return null;
        }
        JsonNode timestamp = line.get("timestamp");
        String text = timestamp.isTextual() ? timestamp.textValue() : timestamp.toString();
        return millis("timestamp", text, timestamp.isIntegralNumber());
    }

    /**
     * Reads a time.
     *
     * @param key its key, for errors
     * @param isNumber whether it is in milliseconds since 1970, otherwise in ISO 8601
     */
    static long millis(String key, String text, boolean isNumber) throws BadLine {
        try {
            long millis = isNumber ? Long.parseLong(text) : Instant.parse(text).toEpochMilli();
            if (millis < 0) {
                throw new BadLine(key + " must not be before 1970");
            }
            return millis;
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new BadLine(
                    key + " must be ISO 8601 with a zone (2026-01-31T12:00:00Z) or milliseconds since 1970, but was"
                            + " '" + Excerpt.of(text) + "'");
        }
    }

    private static byte[] base64(String text) throws BadLine {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadLine("wireBase64 must be Base64: " + e.getMessage());
        }
    }

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** A line that is not part of a transcript; the message says why. */
    public static final class BadLine extends Exception {
        private static final long serialVersionUID = 1L;

        public BadLine(String message) {
            super(message);
        }
    }
}
