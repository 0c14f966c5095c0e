package dev.parley.topology.setup;

import dev.parley.avro.InboundHeader;
import dev.parley.codec.Decimal;
import dev.parley.decode.RecordHeaders;
import dev.parley.stage.ByteBuffers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Kafka's record headers as the pure core reads and keeps them. */
public final class KafkaHeaders {
    private KafkaHeaders() {}

    public static RecordHeaders reading(Headers headers) {
        return new RecordHeaders() {
            @Override
            public byte[] last(String name) {
                Header header = headers.lastHeader(name);
                return header == null ? null : header.value();
            }

            @Override
            public int count() {
                return headers.toArray().length;
            }

            @Override
            public long bytes() {
                return size(headers);
            }
        };
    }

    /** Size of all keys and values in bytes; characters of a key outside ASCII count as three. */
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

    /** The value of the last header of that name, in UTF-8; null when there is none, or it has none. */
    public static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /**
     * The value of the last header of that name as a whole number of at most so many decimal digits; empty when it is
     * none.
     */
    static OptionalLong number(Headers headers, String name, int mostDigits) {
        String text = text(headers, name);
        long number = text == null || text.length() > mostDigits ? Decimal.NONE : Decimal.parse(text, Long.MAX_VALUE);
        return number == Decimal.NONE ? OptionalLong.empty() : OptionalLong.of(number);
    }

    public static List<InboundHeader> kept(Headers headers) {
        List<InboundHeader> kept = new ArrayList<>();
        for (Header header : headers) {
            kept.add(new InboundHeader(header.key(), ByteBuffers.wrap(header.value())));
        }
        return kept;
    }

    public static Headers restored(List<InboundHeader> kept) {
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        for (InboundHeader header : kept) {
            headers.add(header.getKey(), ByteBuffers.of(header.getValue()));
        }
        return headers;
    }
}
