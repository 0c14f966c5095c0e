package dev.parley.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.load.Load;
import dev.parley.load.LoadProducer;
import dev.parley.load.LoadRecord;
import dev.parley.load.Markdown;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.run.Latencies.Summary;
import dev.parley.load.run.VerdictWatch.Counts;
import dev.parley.load.run.VerdictWatch.Phase;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sends honest traffic at a steady rate, first alone and then next to attackers, and compares the two phases. */
@Command(
        name = "hostile",
        description = "Sends honest traffic, first alone and then next to attackers. Fails if a verdict is wrong or "
                + "missing, if the p99 latency exceeds --max-ratio times that of the quiet phase, if memory grows, if "
                + "the disk grows by more than ten times the bytes received, or if readiness fails.")
final class HostileLoad extends LoadRun {
    private static final Duration READINESS_TIMEOUT = Duration.ofSeconds(2);

    /** Maximum wait for a transaction of an attacker. Brokers check timeouts every ten seconds. */
    private static final long MAX_HELD_BACK_MS = KafkaAttacks.TRANSACTION_TIMEOUT_MS + 15_000;

    /** Maximum growth of Parley's topics and stores on disk, per byte of messages on disk. */
    private static final double MAX_GROWTH = 10;

    private static final String INPUTS = TopicNames.DEFAULT.wire();

    @Option(names = "--minutes", defaultValue = "30", description = "Length of the attack.")
    private double minutes;

    @Option(
            names = "--quiet-minutes",
            defaultValue = "3",
            description = "Length of the quiet phase, after a warm-up of a third of it.")
    private double quietMinutes;

    @Option(names = "--rate", defaultValue = "500", description = "Honest messages per second.")
    private double rate;

    @Option(
            names = "--max-ratio",
            defaultValue = "3",
            description = "Maximum p99 latency as a multiple of the quiet phase. In a short "
                    + "run, a single cascade decides it.")
    private double maxRatio;

    private long probes;
    private long unready;

    /**
     * The last honest message, for another partition: with input.keyed-by-conversation for the same conversation,
     * otherwise, where any partition is right, for one in another namespace.
     */
    private volatile ProducerRecord<byte[], byte[]> misplaced;

    /** Bytes on disk of the messages, and of the topics and stores that Parley writes. */
    private record Disk(double received, double written) {
        static Disk of(Bench bench, ParleyProcess parley) throws IOException {
            return new Disk(
                    bench.diskBytes(topic -> topic.startsWith(INPUTS)),
                    bench.diskBytes(topic -> !topic.startsWith(INPUTS) && !topic.startsWith("__"))
                            + Exposition.of(parley).sum("kafka_stream_state_total_sst_files_size"));
        }
    }

    @Override
    LoadProducer producer(Map<String, Object> settings, BiConsumer<RecordMetadata, LoadRecord> acknowledged) {
        return new LoadProducer(new Load("honest", seed, 500), rate, settings, acknowledged.andThen(this::misplace));
    }

    private void misplace(RecordMetadata message, LoadRecord sent) {
        ProducerRecord<byte[], byte[]> record = sent.record();
        int partition = (message.partition() + 1) % Bench.PARTITIONS;
        ProducerRecord<byte[], byte[]> copy =
                new ProducerRecord<>(record.topic(), partition, record.key(), record.value(), record.headers());
        if (!Boolean.parseBoolean(config.get(ParleyConfig.KEYED))) {
            copy.headers().add("parley-namespace", "hostile".getBytes(UTF_8));
        }
        misplaced = copy;
    }

    @Override
    boolean run(ParleyProcess parley, LoadProducer honest, VerdictWatch watch, Bench bench) throws Exception {
        try (KafkaAttacks kafkaAttacks = new KafkaAttacks(bench, seed);
                SlowClients clients = new SlowClients(parley.api())) {
            List<Attack> attacks = new ArrayList<>(kafkaAttacks.all(() -> misplaced));
            attacks.addAll(clients.all());
            honest.resume();
            phase("warm-up", quietMinutes / 3, parley, honest, watch);
            watch.summarize();
            phase("quiet", quietMinutes, parley, honest, watch);
            Phase quiet = watch.summarize();
            Disk before = Disk.of(bench, parley);
            forgetSamples();
            probes = 0;
            unready = 0;
            attacks.forEach(Attack::begin);
            phase("hostile", minutes, parley, honest, watch);
            Phase hostile = watch.summarize();
            for (Attack attack : attacks) {
                attack.close();
            }
            Disk after = Disk.of(bench, parley);
            double growth = (after.written - before.written) / (after.received - before.received);
            StringBuilder page = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%,d hostile records recorded; readiness failed %d of %d probes. %,.0f bytes received; topics and "
                            + "stores grew by %.1f times that.%n%n",
                    watch.counts().hostile(),
                    unready,
                    probes,
                    after.received - before.received,
                    growth));
            page.append(Markdown.head("honest messages, ms", "median", "p99", "p99.9", "messages"));
            boolean steady = compare("", quiet.direct(), hostile.direct(), page);
            steady &= compare(", patches sent before their base", quiet.parked(), hostile.parked(), page);
            page.append(row("quiet, partition of transactions", quiet.heldBack()));
            page.append(row("hostile, partition of transactions", hostile.heldBack()));
            page.append('\n').append(Markdown.head("attack", "done", "refused"));
            attacks.forEach(attack -> page.append(attack.row()));
            return report(parley, honest, watch, page.toString())
                    && steady
                    && hostile.heldBack().p999() <= MAX_HELD_BACK_MS
                    && growth <= MAX_GROWTH
                    && unready == 0;
        }
    }

    private void phase(String name, double length, ParleyProcess parley, LoadProducer honest, VerdictWatch watch)
            throws InterruptedException {
        double end = seconds() + 60 * length;
        while (seconds() < end) {
            honest.check();
            probe(isReady(parley));
            try {
                Counts counts = watch.counts();
                sample(parley, counts, "; %s, open %d, wrong %d".formatted(name, counts.open(), counts.wrong()));
            } catch (IOException | IllegalStateException e) {
                System.err.println("The metrics are unreadable, which counts as a failed probe: " + e);
                probe(false);
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private static boolean isReady(ParleyProcess parley) {
        long start = System.nanoTime();
        try {
            return parley.client().readiness().status().equals("UP")
                    && System.nanoTime() - start <= READINESS_TIMEOUT.toNanos();
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private void probe(boolean ready) {
        probes++;
        unready += ready ? 0 : 1;
    }

    /** Adds the rows of both phases. Returns whether p99 rose within the allowed ratio. */
    private boolean compare(String messages, Summary quiet, Summary hostile, StringBuilder page) {
        double ratio = (double) hostile.p99() / Math.max(1, quiet.p99());
        page.append(row("quiet" + messages, quiet)).append(row("hostile" + messages, hostile));
        page.append(Markdown.row("ratio" + messages, "", Markdown.cell(ratio, 2), "", ""));
        return ratio <= maxRatio;
    }

    private static String row(String name, Summary phase) {
        return Markdown.row(name, phase.median(), phase.p99(), phase.p999(), phase.count());
    }
}
