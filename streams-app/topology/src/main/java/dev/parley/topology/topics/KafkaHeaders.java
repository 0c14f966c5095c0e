package dev.parley.topology.topics;

import dev.parley.avro.InboundHeader;
import dev.parley.codec.Decimal;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TraceContext;
import dev.parley.decode.CloudEvent;
import dev.parley.encoding.ByteBuffers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Converts record headers between Kafka and the core. */
public final class KafkaHeaders {
    private static final List<String> TRACE_CONTEXT = List.of(RecordHeaders.TRACEPARENT, RecordHeaders.TRACESTATE);

    private KafkaHeaders() {}

    /** Returns a view of Kafka headers for the decoder. */
    public static RecordHeaders view(Headers headers) {
        Header[] all = headers.toArray();
        return new RecordHeaders() {
            @Override
            public byte[] last(String name) {
                for (int i = all.length - 1; i >= 0; i--) {
                    if (RecordHeaders.isNamed(all[i].key(), name)) {
                        return all[i].value();
                    }
                }
                return null;
            }

            @Override
            public void forEach(BiConsumer<String, byte[]> visitor) {
                for (Header header : all) {
                    visitor.accept(header.key(), header.value());
                }
            }

            @Override
            public int count() {
                return all.length;
            }

            @Override
            public long bytes() {
                return size(headers);
            }
        };
    }

    /** Returns the headers of the message in an event. */
    public static Headers of(CloudEvent event, Headers record) {
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        for (Header header : record) {
            if (!event.replaces(header.key())) {
                headers.add(header);
            }
        }
        event.headers().forEach(headers::add);
        return headers;
    }

    /** Returns the size of all keys and values in bytes; a character of a key outside ASCII counts as three. */
    public static long size(Headers headers) {
        long size = 0;
        for (Header header : headers) {
            String key = header.key();
            size += key.length();
            for (int i = 0; i < key.length(); i++) {
                size += key.charAt(i) > 0x7F ? 2 : 0;
            }
            size += header.value() == null ? 0 : header.value().length;
        }
        return size;
    }

    /** Returns the value of the last header of that name as UTF-8; null without a header or value. */
    public static String text(Headers headers, String name) {
        byte[] value = view(headers).last(name);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    /** Returns the valid trace context: at most one header of each name, and none without a traceparent. */
    public static Headers traceContext(Headers headers) {
        Headers valid = new org.apache.kafka.common.header.internals.RecordHeaders();
        for (String name : TRACE_CONTEXT) {
            List<byte[]> values = null;
            for (Header header : headers) {
                if (RecordHeaders.isNamed(header.key(), name)) {
                    values = values == null ? new ArrayList<>() : values;
                    values.add(header.value());
                }
            }
            byte[] value = values == null ? null : TraceContext.value(name, values);
            if (value == null) {
                return valid;
            }
            valid.add(name, value);
        }
        return valid;
    }

    /**
     * Returns the value of the last header of that name as a number >= 0; empty if it is absent, invalid, or too long.
     */
    static OptionalLong number(Headers headers, String name, int maxDigits) {
        String text = text(headers, name);
        long number = text == null || text.length() > maxDigits ? Decimal.NONE : Decimal.parse(text, Long.MAX_VALUE);
        return number == Decimal.NONE ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** Returns Kafka headers in the form that is stored with a parked patch. */
    public static List<InboundHeader> toAvro(Headers headers) {
        List<InboundHeader> stored = new ArrayList<>();
        for (Header header : headers) {
            stored.add(new InboundHeader(header.key(), ByteBuffers.wrap(header.value())));
        }
        return stored;
    }

    public static Headers fromAvro(List<InboundHeader> stored) {
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        for (InboundHeader header : stored) {
            headers.add(header.getKey(), ByteBuffers.of(header.getValue()));
        }
        return headers;
    }
}
