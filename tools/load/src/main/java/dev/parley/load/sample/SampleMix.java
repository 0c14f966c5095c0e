package dev.parley.load.sample;

import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.decode.WireRecord;
import dev.parley.protocol.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The sample traffic of all protocols, replayed many times concurrently. Each replay has its own namespace, and its own
 * keys, which name the conversations of CSP and Λ.
 */
public final class SampleMix implements Input {
    /** Approximate number of conversations in one replay. */
    private static final int CONVERSATIONS = 10;

    private static final String NAMESPACE = "parley-namespace";

    private final List<Line> lines = new ArrayList<>();
    private final long replays;

    /** A sample, and its place in its file as a share of the file. */
    private record Line(WireRecord record, List<InboundHeader> headers, double share) {}

    /** Creates the traffic with about that many concurrent conversations. */
    public SampleMix(long conversations) {
        replays = Math.max(1, conversations / CONVERSATIONS);
        for (Protocol protocol : SampleConversation.PROTOCOLS) {
            SampleConversation sample = SampleConversation.of(protocol);
            int size = sample.records().size();
            for (int i = 0; i < size; i++) {
                lines.add(new Line(sample.records().get(i), sample.headers().get(i), (i + 0.5) / size));
            }
        }
        // All protocols from begin to end, each in its order.
        lines.sort(Comparator.comparingDouble(Line::share));
    }

    @Override
    public ProducerRecord<byte[], byte[]> at(long number) {
        long replay = number / (replays * lines.size()) * replays + number % replays;
        Line line = lines.get((int) (number / replays % lines.size()));
        String suffix = "-" + replay;
        byte[] key = line.record().key();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.DEFAULT.wire(),
                key == null ? null : utf8(new String(key, StandardCharsets.UTF_8) + suffix),
                line.record().value());
        String namespace = "default";
        for (InboundHeader header : line.headers()) {
            byte[] value = header.getValue().array();
            if (header.getKey().equals(NAMESPACE)) {
                namespace = new String(value, StandardCharsets.UTF_8);
            } else {
                record.headers().add(header.getKey(), value);
            }
        }
        record.headers().add(NAMESPACE, utf8(namespace + suffix));
        return record;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
