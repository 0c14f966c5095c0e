package dev.parley.load.run;

import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.json.model.AccountingReport;
import dev.parley.load.LoadProducer;
import dev.parley.load.LoadRecord;
import dev.parley.load.Markdown;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.run.VerdictWatch.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.Option;

/**
 * A command that sends a load through Parley in a separate process. It verifies each verdict, samples Parley's memory,
 * and checks that memory does not grow.
 */
abstract class LoadRun extends BenchRun {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    /** Maximum time without a verdict at the end. */
    private static final int SETTLE_SECONDS = 120;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of all traffic.")
    protected long seed;

    @Option(names = "--every", defaultValue = "15", description = "Seconds of a sample.")
    private int every;

    private final List<Sample> samples = new ArrayList<>();
    private final long start = System.nanoTime();
    private double nextSample;

    @Override
    final boolean run(Bench bench) throws Exception {
        try (SchemaRegistryEndpoint registry = bench.registry("parley");
                ParleyProcess parley = new ParleyProcess(bench.parley("parley", jars.get(0), registry, Map.of()))) {
            parley.awaitReady(START_TIMEOUT);
            try (VerdictWatch watch = new VerdictWatch(bench.brokers(), registry.url());
                    LoadProducer producer = producer(
                            Map.of("bootstrap.servers", bench.brokers(), "compression.type", "lz4"), watch::expect)) {
                return run(parley, producer, watch, bench);
            }
        }
    }

    /**
     * Creates the producer of the load.
     *
     * @param settings settings of the producer
     * @param acknowledged takes each acknowledged record
     */
    abstract LoadProducer producer(Map<String, Object> settings, BiConsumer<RecordMetadata, LoadRecord> acknowledged);

    /**
     * Runs the load.
     *
     * @param parley the process, which is ready
     * @param producer producer of the load, which is paused
     * @param bench the broker
     * @return whether every check passed
     */
    abstract boolean run(ParleyProcess parley, LoadProducer producer, VerdictWatch watch, Bench bench) throws Exception;

    /** Time since the start of the command, in seconds. */
    protected final double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * Takes a sample if the previous one is old enough.
     *
     * @param note addition to the line that it prints
     */
    protected final void sample(ParleyProcess parley, Counts counts, String note)
            throws IOException, InterruptedException {
        if (seconds() < nextSample) {
            return;
        }
        Sample sample = Sample.take(parley, seconds(), counts.right() + counts.wrong());
        String head = nextSample == 0 ? sample.head() + "\n" : "";
        nextSample = seconds() + every;
        samples.add(sample);
        Files.writeString(
                directory.resolve("samples.csv"),
                head + sample.line() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        System.err.println(sample.line() + note);
    }

    /** Forgets the samples so far. */
    protected final void forgetSamples() {
        samples.clear();
    }

    /**
     * Ends all conversations, and waits until every message has its verdict and Parley has counted it, or no verdict
     * arrives for a while. Then prints the report, with a table of memory, and keeps it in the directory.
     *
     * @param text what the run adds to the report
     * @return whether memory is flat, every verdict is as expected, and Parley's accounting balances
     */
    protected final boolean report(ParleyProcess parley, LoadProducer producer, VerdictWatch watch, String text)
            throws IOException, InterruptedException {
        producer.finish();
        Counts counts = watch.counts();
        double deadline = seconds() + SETTLE_SECONDS;
        while ((counts.open() > 0 || !isBalanced(parley)) && seconds() < deadline) {
            TimeUnit.SECONDS.sleep(1);
            long open = counts.open();
            counts = watch.counts();
            deadline = counts.open() < open ? seconds() + SETTLE_SECONDS : deadline;
        }
        boolean balanced = isBalanced(parley);
        List<Trend> trends = Trend.all(samples);
        StringBuilder page = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d messages in %.0f s, %,.0f per s, %s: %,d verdicts right, %d wrong, %d missing; accounting %s.%n",
                producer.sent(),
                seconds(),
                producer.sent() / seconds(),
                String.join(" ", jvm),
                counts.right(),
                counts.wrong(),
                counts.open(),
                balanced ? "balanced" : "NOT BALANCED"));
        page.append(text).append('\n');
        page.append(Markdown.head("memory", "third quarter", "fourth quarter", ""));
        trends.forEach(trend -> page.append(trend.row()));
        Files.writeString(directory.resolve("report.md"), page);
        System.out.print(page);
        counts.objections().forEach(System.err::println);
        return counts.open() == 0
                && counts.wrong() == 0
                && balanced
                && trends.stream().allMatch(Trend::isFlat);
    }

    private static boolean isBalanced(ParleyProcess parley) {
        return parley.client().get("/v1/accounting", AccountingReport.class).balanced();
    }
}
