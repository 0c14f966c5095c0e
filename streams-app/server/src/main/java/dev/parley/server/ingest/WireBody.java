package dev.parley.server.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TraceContext;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import dev.parley.decode.CloudEvent;
import dev.parley.decode.Expectation;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.ingest.IngestResult.Failed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the messages of an ingest request: one message, lines of JSON as {@code parley ingest} reads them, or
 * CloudEvents. An invalid item does not affect the others.
 */
final class WireBody {

    /** Maximum UTF-8 bytes of an idempotency key: of a CloudEvent, of source and ID together. */
    static final int MAX_KEY_BYTES = 1_024;

    private static final int MAX_NAME_CHARACTERS = 256;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_DETAIL_CHARACTERS = 300;
    static final List<String> MEMBERS = List.of(
            "wire",
            "wireBase64",
            "id",
            "namespace",
            "protocol",
            "conversation",
            "sender",
            "timestamp",
            RecordHeaders.TRACEPARENT,
            RecordHeaders.TRACESTATE,
            "headers",
            "key");
    static final Set<String> IGNORED = Set.of("note", "expect", "expectCode", "expectWarnings", "expectParked");

    private final IngestLimits limits;
    private final JsonFactory json;

    WireBody(IngestLimits limits) {
        this.limits = limits;
        this.json = new JsonFactoryBuilder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(limits.bodyBytes())
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNameLength(MAX_NAME_CHARACTERS)
                        .build())
                .build();
    }

    /** Reads an item; a {@link ProblemException} is the reason why it is none. */
    private interface Reader {
        IngestMessage read() throws IOException;
    }

    private static WireItem item(Reader reader) {
        try {
            return reader.read();
        } catch (ProblemException e) {
            return new Failed(e.code(), e.getMessage());
        } catch (IOException e) {
            return new Failed(Code.INVALID_REQUEST, notJson(e));
        }
    }

    private static ProblemException invalid(String detail) {
        return Code.INVALID_REQUEST.problem(detail);
    }

    private static String notJson(IOException e) {
        String message = e.getMessage();
        int end = message.indexOf('\n');
        return "Not JSON: " + Excerpt.of(end < 0 ? message : message.substring(0, end), MAX_DETAIL_CHARACTERS) + ".";
    }

    /**
     * The body as one message.
     *
     * @param headers record headers that the request sets
     * @param key idempotency key of the request
     */
    WireItem single(byte[] body, Map<String, String> headers, Optional<String> key) {
        return item(() -> message(body, headers, key.map(IdempotencyKey::of)));
    }

    /**
     * The lines of the body that are not empty.
     *
     * @param headers record headers of messages that do not set them
     * @param key idempotency key of the request, which with the line number is the key of a message without its own
     * @param isRecorder whether the messages may have headers that state their callers
     */
    List<WireItem> lines(byte[] body, Map<String, String> headers, Optional<String> key, boolean isRecorder) {
        List<WireItem> items = new ArrayList<>();
        int number = 0;
        for (int start = 0; start < body.length; ) {
            int end = start;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            number++;
            int last = end > start && body[end - 1] == '\r' ? end - 1 : end;
            if (last > start) {
                requireRoom(items.size());
                byte[] line = Arrays.copyOfRange(body, start, last);
                int at = number;
                Optional<IdempotencyKey> ofLine = key.map(given -> IdempotencyKey.ofLine(given, at));
                items.add(item(() -> line(line, headers, ofLine, isRecorder)));
            }
            start = end + 1;
        }
        return items;
    }

    private void requireRoom(int items) {
        if (items == limits.messages()) {
            throw Code.BODY_TOO_LARGE.problem("A request must have at most " + limits.messages()
                    + " messages (http.ingest.messages). Nothing was sent.");
        }
    }

    private IngestMessage line(
            byte[] line, Map<String, String> defaults, Optional<IdempotencyKey> defaultKey, boolean isRecorder)
            throws IOException {
        try (JsonParser parser = json.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw invalid("Each line must be a JSON object with wire or wireBase64.");
            }
            Map<String, String> headers = new LinkedHashMap<>(defaults);
            Optional<IdempotencyKey> key = defaultKey;
            String recordKey = null;
            byte[] wire = null;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (!MEMBERS.contains(name) && !IGNORED.contains(name)) {
                    throw invalid("Unknown member '" + Excerpt.of(name) + "'; allowed are " + String.join(", ", MEMBERS)
                            + " and note.");
                }
                if (parser.nextToken() == JsonToken.VALUE_NULL) {
                    continue;
                }
                switch (name) {
                    case "wire", "wireBase64" -> {
                        if (wire != null) {
                            throw invalid("wire and wireBase64 are mutually exclusive.");
                        }
                        if (parser.currentToken() != JsonToken.VALUE_STRING) {
                            throw invalid(name + " must be a string.");
                        }
                        wire = name.equals("wire") ? utf8(name, text(parser, name)) : base64(parser, name);
                    }
                    case "id" -> key = Optional.of(IdempotencyKey.of(text(parser, name)));
                    case "namespace", "protocol", "conversation", "sender" ->
                        headers.put("parley-" + name, text(parser, name));
                    case RecordHeaders.TRACEPARENT, RecordHeaders.TRACESTATE -> put(headers, name, parser, name);
                    case "timestamp" -> headers.put(RecordHeaders.TIME, timestamp(parser));
                    case "headers" -> readHeaders(parser, headers, isRecorder);
                    case "key" -> recordKey = text(parser, name);
                    default -> parser.skipChildren();
                }
            }
            requireEnd(parser);
            if (recordKey != null) {
                headers.putIfAbsent(RecordHeaders.CONVERSATION, recordKey);
            }
            if (wire == null && CaptureHeaders.allowNoBody(headers.keySet())) {
                return checked(null, headers, key);
            }
            if (wire == null) {
                throw invalid("The object has no member wire or wireBase64.");
            }
            return message(wire, headers, key);
        }
    }

    private static void readHeaders(JsonParser parser, Map<String, String> headers, boolean isRecorder)
            throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw invalid("headers must be an object of names and strings.");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (CaptureHeaders.isCaller(name) && !isRecorder) {
                throw Code.ROLE_MISSING.problem("Header '" + name + "' states a caller, and requires role recorder.");
            }
            if (!CloudEvent.HEADERS.containsKey(name) && !CaptureHeaders.isNamed(name)) {
                throw invalid("Header '" + Excerpt.of(name) + "' is not allowed; allowed are "
                        + String.join(
                                ", ",
                                CloudEvent.HEADERS.keySet().stream().sorted().toList())
                        + ", and those of a capture.");
            }
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                put(headers, name, parser, "headers." + name);
            }
        }
    }

    /** Sets a header to the value of a member; ignores an invalid trace context. */
    private static void put(Map<String, String> headers, String header, JsonParser parser, String member)
            throws IOException {
        if (!TraceContext.NAMES.contains(header)) {
            headers.put(header, text(parser, member));
        } else if (parser.currentToken().isScalarValue()) {
            TraceContext.text(header, List.of(parser.getText())).ifPresent(value -> headers.put(header, value));
        } else {
            parser.skipChildren();
        }
    }

    /** The body as one CloudEvent in JSON. */
    WireItem event(byte[] body, Map<String, String> defaults) {
        return item(() -> {
            CloudEvent event = CloudEvent.ofJson(
                    body, new Limits(limits.bodyBytes(), MAX_DEPTH, Integer.MAX_VALUE, Integer.MAX_VALUE));
            if (event.error() != null) {
                throw invalid("Invalid CloudEvent at byte " + event.offset() + ": "
                        + Excerpt.withoutPeriod(event.error()) + ".");
            }
            Map<String, String> headers = new LinkedHashMap<>(defaults);
            event.headers().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
            // Empty data is data, as in the record of an event.
            return checked(event.value(), headers, Optional.of(eventKey(event.required())));
        });
    }

    /**
     * The body as an array of CloudEvents in JSON.
     *
     * @throws ProblemException if the body is not such an array: no event is sent
     */
    List<WireItem> events(byte[] body, Map<String, String> headers) {
        List<WireItem> items = new ArrayList<>();
        try (JsonParser parser = json.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw invalid("A batch must be a JSON array of CloudEvents. Nothing was sent.");
            }
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                requireRoom(items.size());
                if (token != JsonToken.START_OBJECT) {
                    throw invalid("A batch must have CloudEvents, which are JSON objects, only. Nothing was sent.");
                }
                long start = parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                long end = parser.currentLocation().getByteOffset();
                if (start < 0 || end > body.length) {
                    throw invalid("The body must be UTF-8. Nothing was sent.");
                }
                items.add(event(Arrays.copyOfRange(body, (int) start, (int) end), headers));
            }
            requireEnd(parser);
            return items;
        } catch (IOException e) {
            throw invalid(notJson(e) + " Nothing was sent.");
        }
    }

    /**
     * The idempotency key of a CloudEvent, whose source and ID are unique together.
     *
     * @param attributes its attributes by name
     */
    private static IdempotencyKey eventKey(Map<String, String> attributes) {
        for (String name : CloudEvent.REQUIRED) {
            if (attributes.getOrDefault(name, "").isEmpty()) {
                throw invalid("The CloudEvent has no attribute " + name + ".");
            }
        }
        if (!attributes.get("specversion").equals("1.0")) {
            throw invalid("The attribute specversion must be 1.0.");
        }
        return IdempotencyKey.ofEvent(attributes.get("source"), attributes.get("id"));
    }

    /**
     * A CloudEvent in binary mode.
     *
     * @param attributes its attributes, from headers without the prefix ce-
     */
    WireItem binary(byte[] body, Map<String, String> attributes, Map<String, String> defaults) {
        return item(() -> {
            Map<String, String> headers = new LinkedHashMap<>(defaults);
            attributes.forEach((name, value) -> {
                String header = CloudEvent.header(name);
                if (header != null) {
                    headers.put(header, value);
                }
            });
            return message(body, headers, Optional.of(eventKey(attributes)));
        });
    }

    private IngestMessage message(byte[] wire, Map<String, String> headers, Optional<IdempotencyKey> key) {
        if (wire.length == 0) {
            throw invalid("The message is empty.");
        }
        return checked(wire, headers, key);
    }

    private IngestMessage checked(byte[] wire, Map<String, String> headers, Optional<IdempotencyKey> key) {
        if (wire != null && wire.length > limits.messageBytes()) {
            throw Code.BODY_TOO_LARGE.problem("The message has " + wire.length + " bytes; the limit is "
                    + limits.messageBytes() + " (limits.message.bytes).");
        }
        for (Map.Entry<String, String> header : headers.entrySet()) {
            int max = CloudEvent.HEADERS.getOrDefault(header.getKey(), CaptureHeaders.MAX_VALUE);
            if (utf8(header.getKey(), header.getValue()).length > max) {
                throw invalid(header.getKey() + " must have at most " + max + " bytes.");
            }
        }
        String expect = headers.getOrDefault(RecordHeaders.EXPECT, "");
        if (Expectation.of(expect.getBytes(StandardCharsets.UTF_8)) == null) {
            throw invalid(RecordHeaders.EXPECT + " must be " + Expectation.FORMS + ".");
        }
        if (key.isPresent()) {
            key.get().parts().forEach(part -> utf8("The idempotency key", part));
            int bytes = key.get().bytes();
            if (bytes == 0 || bytes > MAX_KEY_BYTES) {
                throw invalid("The idempotency key must have 1 to " + MAX_KEY_BYTES + " bytes, but has " + bytes + ".");
            }
        }
        return new IngestMessage(wire, headers, key);
    }

    private static void requireEnd(JsonParser parser) throws IOException {
        if (parser.nextToken() != null) {
            throw invalid("Unexpected content after the end of the JSON value.");
        }
    }

    private static String text(JsonParser parser, String name) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE -> parser.getText();
            default -> throw invalid(name + " must be a string.");
        };
    }

    private static byte[] base64(JsonParser parser, String name) throws IOException {
        try {
            return Base64.getDecoder().decode(text(parser, name));
        } catch (IllegalArgumentException e) {
            throw invalid(name + " must be Base64.");
        }
    }

    private static String timestamp(JsonParser parser) throws IOException {
        String text = text(parser, "timestamp");
        try {
            return (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                            ? Instant.ofEpochMilli(Long.parseLong(text))
                            : Instant.parse(text))
                    .toString();
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw invalid("timestamp must be ISO 8601 with a zone, such as 2026-01-31T12:00:00Z, or milliseconds since"
                    + " 1970.");
        }
    }

    /** The bytes of a text. An unpaired surrogate, which would become a question mark, is refused. */
    private static byte[] utf8(String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
            throw invalid(name + " has an unpaired surrogate; use Base64 for such bytes.");
        }
        return bytes;
    }
}
