package dev.parley.load.run;

import dev.parley.load.CommittedRecords;
import dev.parley.load.Markdown;
import dev.parley.load.run.Bench.Running;
import dev.parley.load.run.Latencies.Summary;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the latency of the shape and of Parley at the same rate, from a cold start: from the append of a message to
 * the arrival of its output record at a reader of committed records. Output records have the timestamps of their
 * messages.
 */
@Command(
        name = "latency",
        description = "Measures the time of a start, and from the append of a message to the visibility of its audit "
                + "record.")
final class Latency extends BenchRun {
    private static final int CONVERSATIONS = 10_000;
    private static final long MESSAGES = 300_000;

    /** Messages that the system processes before the run begins, which shows that it is ready. */
    private static final int PROBES = 64;

    private static final byte[] HOT = "default|SLIP|1".getBytes(StandardCharsets.UTF_8);

    @Option(names = "--rounds", defaultValue = "3", description = "Number of rounds.")
    private int rounds;

    @Option(
            names = "--load",
            defaultValue = "slip",
            description = "slip, or hot: next to a conversation with three in ten messages, which is not measured.")
    private Traffic load;

    @Option(
            names = "--rate",
            description = "Messages per second (default: half of Parley's throughput, measured first).")
    private Double rate;

    @Option(
            names = "--seconds",
            defaultValue = "180",
            description = "Duration of a run. Its first third is the start, its last third is warm.")
    private long seconds;

    /**
     * One run.
     *
     * @param ready seconds from the start of the process to the first output records
     * @param readyCpu processor time of the process until then, in seconds
     * @param start latencies in the first third
     * @param warm latencies in the last third
     */
    private record Run(double ready, double readyCpu, Summary start, Summary warm) {}

    @Override
    boolean run(Bench bench) throws Exception {
        Map<Contender, List<Run>> runs = new EnumMap<>(Contender.class);
        double perSecond = rate == null ? halfThroughput(bench) : rate;
        // The broker, the feed and the reader run in this process. Their compilation slows down the first run of each
        // system, so round 0 does not count.
        for (int round = 0; round <= rounds; round++) {
            for (Contender contender : List.of(Contender.SHAPE, Contender.PARLEY)) {
                Run run = run(bench, contender, perSecond, round == 0 ? seconds / 3 : seconds);
                progress(contender + ", round " + round, "%s", run);
                if (round > 0) {
                    runs.computeIfAbsent(contender, any -> new ArrayList<>()).add(run);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%,.0f messages/s (%s), %d s, rounds: %d, medians (lowest to highest), in milliseconds.%n%n",
                perSecond,
                load,
                seconds,
                rounds);
        System.out.print(Markdown.head(
                "system", "ready after, s", "CPU, s", "first third: median", "99 %", "last third: median", "99 %"));
        runs.forEach((contender, all) -> System.out.print(Markdown.row(
                contender,
                Spread.of(all, Run::ready),
                Spread.of(all, Run::readyCpu),
                Spread.of(all, run -> run.start().median()),
                Spread.of(all, run -> run.start().p99()),
                Spread.of(all, run -> run.warm().median()),
                Spread.of(all, run -> run.warm().p99()))));
        return true;
    }

    private double halfThroughput(Bench bench) throws Exception {
        Input input = load.over(CONVERSATIONS);
        bench.produce(input, MESSAGES);
        try (Running running = bench.start(Contender.PARLEY, jars.get(0), input.topic(), 1, Sizes.SMALL)) {
            return running.measure(MESSAGES / 4.0, MESSAGES).perSecond() / 2;
        }
    }

    private Run run(Bench bench, Contender contender, double perSecond, long duration) throws Exception {
        Input input = load.over(CONVERSATIONS);
        bench.produce(input, 0);
        try (Running running = bench.start(contender, jars.get(0), input.topic(), 1, Sizes.SMALL);
                Feed feed = new Feed(bench.producer(Map.of("linger.ms", 5)), input)) {
            feed.send(PROBES);
            running.await(PROBES);
            double ready = running.process().nanos() / 1e9;
            double readyCpu = running.process().cpuNanos() / 1e9;
            try (Consumer<byte[], byte[]> consumer = CommittedRecords.of(bench.brokers(), running.output())) {
                feed.start(perSecond);
                Latencies start = new Latencies();
                Latencies warm = new Latencies();
                follow(consumer, TimeUnit.SECONDS.toMillis(duration) / 3, start, warm);
                return new Run(ready, readyCpu, start.summarize(), warm.summarize());
            }
        }
    }

    private static void follow(Consumer<byte[], byte[]> consumer, long third, Latencies start, Latencies warm) {
        long begin = System.currentTimeMillis();
        // Records of the last third may still arrive after its end.
        long stop = begin + 3 * third + TimeUnit.SECONDS.toMillis(2);
        while (System.currentTimeMillis() < stop) {
            Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(Duration.ofMillis(100));
            long now = System.currentTimeMillis();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                long at = record.timestamp() - begin;
                if (at >= 0 && at < 3 * third && (at < third || at >= 2 * third) && !Arrays.equals(record.key(), HOT)) {
                    (at < third ? start : warm).add(now - record.timestamp());
                }
            }
        }
    }
}
