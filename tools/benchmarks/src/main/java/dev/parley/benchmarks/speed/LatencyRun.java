package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Bench.Running;
import dev.parley.load.process.Latencies;
import dev.parley.load.process.Latencies.Summary;
import dev.parley.load.sample.Input;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;

/**
 * Latencies of one run of a system at a steady rate, in milliseconds: from the append of a message to the arrival of
 * its output record at a reader of committed records. Output records have the timestamps of their messages.
 *
 * @param start first third of the run
 * @param warm last third of the run
 */
record LatencyRun(Summary start, Summary warm) {
    private static final Duration POLL = Duration.ofMillis(100);
    /** Messages that the system processes before the run begins, which shows that it is ready. */
    private static final int PROBES = 64;

    /**
     * Runs a system with an empty input.
     *
     * @param without chain whose messages are not measured; null for none
     */
    static LatencyRun of(
            Bench bench, Contender contender, Path jar, Input input, double perSecond, Duration time, String without)
            throws Exception {
        bench.createInput(input);
        try (Running running = bench.start(contender, jar, input.topic(), 1, Sizes.SMALL)) {
            try (Producer<byte[], byte[]> producer = bench.producer()) {
                for (int i = 0; i < PROBES; i++) {
                    producer.send(input.at(i));
                }
            }
            running.await(PROBES);
            try (Consumer<byte[], byte[]> consumer = bench.consumer(running.output());
                    Feed feed = new Feed(input, PROBES, perSecond, bench.producer())) {
                LatencyRun run = follow(consumer, time, without);
                System.err.printf(Locale.ROOT, "speed: %s: %s%n", contender, run);
                return run;
            }
        }
    }

    private static LatencyRun follow(Consumer<byte[], byte[]> consumer, Duration time, String without) {
        byte[] excluded = without == null ? null : without.getBytes(StandardCharsets.UTF_8);
        Latencies start = new Latencies();
        Latencies warm = new Latencies();
        long begin = System.currentTimeMillis();
        long third = time.toMillis() / 3;
        // Records of the last third may still arrive after its end.
        long stop = begin + time.toMillis() + TimeUnit.SECONDS.toMillis(2);
        while (System.currentTimeMillis() < stop) {
            Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(POLL);
            long now = System.currentTimeMillis();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                long at = record.timestamp() - begin;
                if (at >= 0 && at < 3 * third && !Arrays.equals(record.key(), excluded)) {
                    if (at < third) {
                        start.add(now - record.timestamp());
                    } else if (at >= 2 * third) {
                        warm.add(now - record.timestamp());
                    }
                }
            }
        }
        return new LatencyRun(start.summarize(), warm.summarize());
    }
}
