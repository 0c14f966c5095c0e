package dev.parley.load.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Protocol;
import dev.parley.cli.transcript.Transcript;
import dev.parley.protocol.TopicNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The sample traffic of all protocols, replayed many times concurrently. Each replay has its own namespace, and its own
 * keys, which name the conversations of CSP and Λ.
 */
final class SampleMix implements Input {
    /** Approximate number of conversations in one replay. */
    private static final int CONVERSATIONS = 10;

    private static final String NAMESPACE = "parley-namespace";

    private final List<Sample> samples = new ArrayList<>();
    private final long replays;

    /** A line, and its place in its file as a share of the file. */
    private record Sample(Transcript.Line line, double share) {}

    /** Creates the traffic with about that many concurrent conversations. */
    SampleMix(long conversations) {
        replays = Math.max(1, conversations / CONVERSATIONS);
        for (Protocol protocol : SampleRecord.PROTOCOLS) {
            List<Transcript.Line> lines = SampleRecord.lines(protocol);
            for (int i = 0; i < lines.size(); i++) {
                samples.add(new Sample(lines.get(i), (i + 0.5) / lines.size()));
            }
        }
        // All protocols from begin to end, each in its order.
        samples.sort(Comparator.comparingDouble(Sample::share));
    }

    @Override
    public ProducerRecord<byte[], byte[]> at(long number) {
        long replay = number / (replays * samples.size()) * replays + number % replays;
        Transcript.Line line =
                samples.get((int) (number / replays % samples.size())).line();
        String suffix = "-" + replay;
        byte[] key = line.key() == null ? null : (new String(line.key(), UTF_8) + suffix).getBytes(UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TopicNames.DEFAULT.wire(), key, line.wire());
        String namespace = line.headers().getOrDefault(NAMESPACE, "default") + suffix;
        line.withHeader(NAMESPACE, namespace)
                .headers()
                .forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        return record;
    }
}
