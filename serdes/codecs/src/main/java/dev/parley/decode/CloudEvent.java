package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TraceContext;
import dev.parley.codec.json.JsonCodes;
import dev.parley.codec.json.JsonMembers;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * A CloudEvent 1.0 on an input topic, in the binary or structured mode of the Kafka protocol binding. Its data is the
 * message, and its attributes set headers of the record.
 *
 * @param structured whether the value of the record is the event in JSON, and not only its data
 * @param value the data; null after an error
 * @param headers the headers that attributes set, by name; after an error, those of the attributes that were read
 * @param required the attributes of {@link #REQUIRED} by name; none in binary mode
 * @param offset byte of the error
 * @param error why it is not an event, as a sentence; null without an error
 */
public record CloudEvent(
        boolean structured,
        byte[] value,
        Map<String, byte[]> headers,
        Map<String, String> required,
        int offset,
        String error) {
    /** The attributes that every event has. */
    public static final List<String> REQUIRED = List.of("specversion", "id", "source", "type");

    private static final List<Attribute> ATTRIBUTES = List.of(
            new Attribute("parleynamespace", RecordHeaders.NAMESPACE, MessageDecoder.MAX_IDENTIFIER_BYTES),
            new Attribute("parleyprotocol", RecordHeaders.PROTOCOL, MessageDecoder.MAX_IDENTIFIER_BYTES),
            new Attribute("parleyconversation", RecordHeaders.CONVERSATION, MessageDecoder.MAX_IDENTIFIER_BYTES),
            new Attribute("parleysender", RecordHeaders.SENDER, MessageDecoder.MAX_IDENTIFIER_BYTES),
            new Attribute("parleyexpect", RecordHeaders.EXPECT, Expectation.MAX_BYTES),
            new Attribute("time", RecordHeaders.TIME, 64),
            new Attribute(RecordHeaders.TRACEPARENT, RecordHeaders.TRACEPARENT, TraceContext.MAX_PARENT_BYTES),
            new Attribute(RecordHeaders.TRACESTATE, RecordHeaders.TRACESTATE, TraceContext.MAX_STATE_BYTES));

    private static final Map<String, String> BY_NAME =
            ATTRIBUTES.stream().collect(Collectors.toUnmodifiableMap(Attribute::name, Attribute::header));

    /** The headers that attributes set, and the maximum UTF-8 bytes of each. */
    public static final Map<String, Integer> HEADERS =
            ATTRIBUTES.stream().collect(Collectors.toUnmodifiableMap(Attribute::header, Attribute::maxBytes));
    /** The header that says that the value is an event in JSON. */
    private static final String CONTENT_TYPE = "content-type";

    private static final String BINARY_PREFIX = "ce_";
    private static final String VERSION = "1.0";
    private static final String STRUCTURED = "application/cloudevents+json";
    /** Maximum nesting, that of the data included. */
    private static final int MAX_DEPTH = 100;

    private static final JsonCodes CODES =
            new JsonCodes(Code.EVENT_MALFORMED, Code.EVENT_MALFORMED, Code.EVENT_MALFORMED, Code.EVENT_MALFORMED);

    /** An attribute that sets a header, and the maximum UTF-8 bytes of its value. */
    private record Attribute(String name, String header, int maxBytes) {}

    /** The header that an attribute sets; null for an attribute that is ignored. */
    public static String header(String attribute) {
        return BY_NAME.get(attribute);
    }

    /**
     * Reads a record.
     *
     * @param value its value, which is not changed; may be null
     * @param limits limits of a message, which also bound the event
     * @return null if the record is not an event, or exceeds a limit
     */
    public static CloudEvent of(byte[] value, RecordHeaders headers, Limits limits) {
        boolean structured = isStructured(headers.last(CONTENT_TYPE));
        if (value == null
                || !structured && headers.last(BINARY_PREFIX + "specversion") == null
                || value.length > limits.messageBytes()
                || !RecordBounds.areHeadersAllowed(headers)) {
            return null;
        }
        return structured ? ofJson(value, limits) : binary(value, headers);
    }

    private static boolean isStructured(byte[] contentType) {
        return contentType != null
                && Ascii.startsWithLetters(contentType, 0, STRUCTURED)
                && (contentType.length == STRUCTURED.length() || "; \t".indexOf(contentType[STRUCTURED.length()]) >= 0);
    }

    private static CloudEvent binary(byte[] value, RecordHeaders headers) {
        Map<String, byte[]> set = new HashMap<>();
        for (Attribute attribute : ATTRIBUTES) {
            byte[] text = headers.last(BINARY_PREFIX + attribute.name());
            if (text != null && !isIgnored(attribute.header(), text)) {
                set.put(attribute.header(), text);
            }
        }
        return new CloudEvent(false, value, set, Map.of(), 0, null);
    }

    /** Whether an attribute has no effect, because it is metadata of tracing and invalid. */
    private static boolean isIgnored(String header, byte[] value) {
        return TraceContext.NAMES.contains(header) && !TraceContext.isValid(header, value);
    }

    /**
     * Reads an event in JSON.
     *
     * @param limits limits of the event
     */
    public static CloudEvent ofJson(byte[] json, Limits limits) {
        Reader reader = new Reader(json);
        Malformed<?> malformed = JsonMembers.read(
                json,
                new Limits(limits.messageBytes(), MAX_DEPTH, limits.fields(), limits.operations()),
                CODES,
                reader);
        return malformed == null
                ? reader.event()
                : reader.invalid(malformed.offset(), "the event is not JSON: " + malformed.detail());
    }

    /** Reads the members of an event in JSON, and remembers the first error. */
    private static final class Reader implements JsonMembers.Visitor {
        private final byte[] json;
        private final Map<String, byte[]> headers = new HashMap<>();
        private final Map<String, String> required = new HashMap<>();
        private byte[] data;
        private CloudEvent error;

        Reader(byte[] json) {
            this.json = json;
        }

        @Override
        public void member(String name, int from, int to) {
            // Null means that an attribute is not set.
            if (json[from] != 'n') {
                switch (name) {
                    case "data" -> put(from, json[from] == '"' ? text(from, to) : Arrays.copyOfRange(json, from, to));
                    case "data_base64" -> put(from, base64(from, to));
                    default -> attribute(name, from, to);
                }
            }
        }

        private byte[] text(int from, int to) {
            return JsonMembers.text(json, from, to).getBytes(UTF_8);
        }

        private byte[] base64(int from, int to) {
            try {
                return Base64.getDecoder().decode(text(from, to));
            } catch (IllegalArgumentException e) {
                fail(from, "data_base64 must be Base64");
                return null;
            }
        }

        private void put(int from, byte[] bytes) {
            if (data != null) {
                fail(from, "data and data_base64 are mutually exclusive");
            }
            data = bytes;
        }

        private void attribute(String name, int from, int to) {
            String header = header(name);
            if (header == null && !REQUIRED.contains(name)) {
                return;
            }
            byte[] text = json[from] == '{' || json[from] == '[' ? null : text(from, to);
            if (isIgnored(name, text)) {
                return;
            }
            if (text == null) {
                fail(from, "the attribute " + name + " must be a string");
                return;
            }
            if (header == null) {
                String value = new String(text, UTF_8);
                if (!value.isEmpty()) {
                    required.put(name, value);
                }
                if (name.equals("specversion") && !value.equals(VERSION)) {
                    fail(from, "specversion must be " + VERSION + ", but was '" + Excerpt.of(value) + "'");
                }
            } else if (text.length > HEADERS.get(header)) {
                fail(from, "the attribute " + name + " must have at most " + HEADERS.get(header) + " bytes");
            } else {
                headers.put(header, text);
            }
        }

        private void fail(int offset, String detail) {
            error = error == null ? invalid(offset, detail) : error;
        }

        CloudEvent invalid(int offset, String detail) {
            return new CloudEvent(true, null, headers, required, offset, detail);
        }

        CloudEvent event() {
            for (String name : REQUIRED) {
                if (!required.containsKey(name)) {
                    fail(json.length, "the event has no attribute " + name);
                }
            }
            if (data == null) {
                fail(json.length, "the event has no data or data_base64");
            }
            return error == null ? new CloudEvent(true, data, headers, required, 0, null) : error;
        }
    }

    /** Whether a header of the record, in any case, is not one of the message. */
    public boolean replaces(String key) {
        for (String name : headers.keySet()) {
            if (RecordHeaders.isNamed(key, name)) {
                return true;
            }
        }
        return structured && RecordHeaders.isNamed(key, CONTENT_TYPE);
    }

    /** The headers of its record with those that its attributes set. */
    public RecordHeaders over(RecordHeaders record) {
        return new RecordHeaders() {
            @Override
            public void forEach(BiConsumer<String, byte[]> visitor) {
                record.forEach((name, value) -> {
                    if (!replaces(name)) {
                        visitor.accept(name, value);
                    }
                });
                headers.forEach(visitor);
            }

            @Override
            public int count() {
                return record.count();
            }

            @Override
            public long bytes() {
                return record.bytes();
            }
        };
    }
}
