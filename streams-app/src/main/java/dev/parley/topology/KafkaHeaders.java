package dev.parley.topology;

import dev.parley.avro.InboundHeader;
import dev.parley.decode.RecordHeaders;
import dev.parley.pipeline.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Kafka's record headers as the pure core reads and keeps them. */
final class KafkaHeaders {
    private KafkaHeaders() {}

    static RecordHeaders reading(Headers headers) {
        return name -> {
            Header header = headers.lastHeader(name);
            return header == null ? null : header.value();
        };
    }

    static List<InboundHeader> kept(Headers headers) {
        List<InboundHeader> kept = new ArrayList<>();
        for (Header header : headers) {
            kept.add(new InboundHeader(header.key(), Bytes.wrap(header.value())));
        }
        return kept;
    }

    static Headers restored(List<InboundHeader> kept) {
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        for (InboundHeader header : kept) {
            headers.add(header.getKey(), Bytes.of(header.getValue()));
        }
        return headers;
    }
}
