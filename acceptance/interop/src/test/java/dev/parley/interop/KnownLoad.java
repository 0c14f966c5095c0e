package dev.parley.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.cli.transcript.ExpectedVerdict;
import dev.parley.cli.transcript.Transcript;
import dev.parley.demo.Samples;
import dev.parley.load.Load;
import dev.parley.load.LoadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Three hours of messages with expected verdicts: random conversations, the sample traffic, and in the second hour
 * agents that reject proposals that do not exist.
 */
final class KnownLoad {
    static final int HOURS = 3;

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int PER_HOUR = 400;
    private static final int CONVERSATIONS = 12;
    private static final int FIRST_UNSTABLE = 9_000_000;
    private static final int UNSTABLE = 30;
    private static final int AGENTS = 3;
    private static final long SEED = Long.getLong("parley.seed", 18);

    private KnownLoad() {}

    /** The lines of all hours, by time. Messages of the same conversation have different times. */
    static List<Transcript.Line> from(Instant start) {
        List<Transcript.Line> lines = new ArrayList<>();
        Load load = new Load("shop", SEED, CONVERSATIONS);
        long at = start.toEpochMilli();
        long step = HOUR.toMillis() / (PER_HOUR + 1);
        for (int i = 0; i < HOURS * PER_HOUR; i++) {
            lines.add(line(load.next(), at + i / PER_HOUR * HOUR.toMillis() + i % PER_HOUR * step));
        }
        load.end();
        long last = at + HOURS * HOUR.toMillis() - step;
        for (LoadRecord record = load.next(); record != null; record = load.next()) {
            lines.add(line(record, ++last));
        }
        lines.addAll(samples(at + 1));
        for (int i = 0; i < UNSTABLE; i++) {
            lines.add(unstable(i, at + HOUR.toMillis() + i * step + 2));
        }
        lines.sort(Comparator.comparing(Transcript.Line::timestamp));
        return lines;
    }

    /** The sample traffic in namespaces of its own, without the expected verdicts. */
    static List<Transcript.Line> now(String prefix) {
        List<Transcript.Line> lines = new ArrayList<>();
        Samples.load().forEachMissing(Set.of(), line -> {
            String namespace = line.headers().getOrDefault("parley-namespace", "default");
            Transcript.Line moved = line.withHeader("parley-namespace", prefix + namespace);
            lines.add(new Transcript.Line(
                    moved.key(), moved.headers(), moved.wire(), moved.topic(), moved.timestamp(), Optional.empty()));
        });
        return lines;
    }

    private static List<Transcript.Line> samples(long start) {
        List<Transcript.Line> samples = new ArrayList<>();
        Samples.load().forEachMissing(Set.of(), samples::add);
        long step = HOUR.toMillis() / (samples.size() + 1);
        List<Transcript.Line> lines = new ArrayList<>();
        for (Transcript.Line line : samples) {
            lines.add(new Transcript.Line(
                    line.key(),
                    line.headers(),
                    line.wire(),
                    line.topic(),
                    start + lines.size() * step,
                    line.expected()));
        }
        return lines;
    }

    private static Transcript.Line unstable(int number, long time) {
        int conversation = FIRST_UNSTABLE + number;
        String wire = "@a7|f1|c" + conversation + "|S" + number % AGENTS + "|d9|T1|k1#";
        return line(
                Integer.toString(conversation).getBytes(UTF_8),
                Map.of("parley-namespace", "shop"),
                wire.getBytes(UTF_8),
                null,
                time,
                "REJECTED",
                "SLIP_NOTHING_TO_REJECT");
    }

    private static Transcript.Line line(LoadRecord next, long time) {
        ProducerRecord<byte[], byte[]> record = next.record();
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return line(
                record.key(),
                headers,
                record.value(),
                record.topic(),
                time,
                next.expected().verdict().name(),
                next.expected().code());
    }

    private static Transcript.Line line(
            byte[] key,
            Map<String, String> headers,
            byte[] wire,
            String topic,
            long time,
            String verdict,
            String code) {
        return new Transcript.Line(
                key, headers, wire, topic, time, Optional.of(new ExpectedVerdict(verdict, code, null, null)));
    }
}
