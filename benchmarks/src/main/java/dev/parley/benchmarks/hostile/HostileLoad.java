package dev.parley.benchmarks.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.benchmarks.hostile.VerdictWatch.Phase;
import dev.parley.benchmarks.load.Load;
import dev.parley.benchmarks.load.LoadProducer;
import dev.parley.benchmarks.report.Latencies.Summary;
import dev.parley.benchmarks.soak.ParleyProcess;
import dev.parley.benchmarks.soak.ProcessRun;
import dev.parley.benchmarks.soak.Sample;
import dev.parley.benchmarks.soak.Trend;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Sends honest traffic at a steady rate, first alone and then next to attackers, and compares the effect on the honest
 * traffic. Broker, senders and attackers run in this process, and Parley in another.
 */
@Command(
        name = "hostile",
        mixinStandardHelpOptions = true,
        description = "Sends honest traffic, first alone and then next to attackers. Fails if a verdict is wrong or "
                + "missing, if the p99 latency exceeds three times that of the quiet phase, if memory grows, or if "
                + "readiness fails.")
public final class HostileLoad extends ProcessRun {
    /** Namespace of the honest conversations. */
    static final String HONEST = "honest";

    private static final double MAX_LATENCY_RATIO = 3;
    private static final Duration READINESS_TIMEOUT = Duration.ofSeconds(2);
    private static final int SETTLE_SECONDS = 120;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--minutes", defaultValue = "30", description = "Length of the attack (default: ${DEFAULT-VALUE}).")
    private double minutes;

    @Option(
            names = "--quiet-minutes",
            defaultValue = "3",
            description = "Length of the quiet phase, after a warm-up of a third of it (default: ${DEFAULT-VALUE}).")
    private double quietMinutes;

    @Option(
            names = "--rate",
            defaultValue = "500",
            description = "Honest messages per second (default: ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--every",
            defaultValue = "30",
            description = "Seconds between two samples of memory (default: ${DEFAULT-VALUE}).")
    private int every;

    private long probes;
    private long unready;

    /** Runs the command; exit status 0 if every check passes. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new HostileLoad()).execute(arguments));
    }

    private HostileLoad() {
        super(Map.of(), Map.of());
    }

    @Override
    protected int run(ParleyProcess parley, String brokers, String registry) throws Exception {
        try (VerdictWatch watch = new VerdictWatch(brokers, registry);
                LoadProducer honest = new LoadProducer(
                        new Load(HONEST, seed, 500),
                        rate,
                        Map.of("bootstrap.servers", brokers),
                        (metadata, record) ->
                                watch.expect(metadata.topic(), metadata.partition(), metadata.offset(), record));
                KafkaAttacks kafkaAttacks = new KafkaAttacks(brokers, seed);
                SlowClients clients = new SlowClients(parley.api())) {
            List<Attack> attacks = new ArrayList<>(kafkaAttacks.all());
            attacks.addAll(clients.all());
            return run(parley, watch, honest, attacks);
        }
    }

    private int run(ParleyProcess parley, VerdictWatch watch, LoadProducer honest, List<Attack> attacks)
            throws Exception {
        honest.resume();
        phase("warm-up", quietMinutes / 3, parley, honest, watch);
        watch.summarize();
        phase("quiet", quietMinutes, parley, honest, watch);
        Phase quiet = watch.summarize();
        samples.clear();
        probes = 0;
        unready = 0;
        attacks.forEach(Attack::begin);
        phase("hostile", minutes, parley, honest, watch);
        Phase hostile = watch.summarize();
        for (Attack attack : attacks) {
            attack.close();
        }
        honest.finish();
        boolean settled = awaitVerdicts(watch);
        JsonNode accounting = JSON.readTree(parley.ask("/v1/accounting"));
        return report(watch, quiet, hostile, attacks, settled, accounting);
    }

    private void phase(String name, double minutes, ParleyProcess parley, LoadProducer honest, VerdictWatch watch)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
        double nextSample = 0;
        while (System.nanoTime() < end) {
            honest.check();
            probes++;
            unready += parley.answers("/health/ready", READINESS_TIMEOUT) ? 0 : 1;
            if (seconds() >= nextSample) {
                nextSample = seconds() + every;
                String sample = sample(parley, watch);
                System.err.println(
                        "hostile: " + name + ": " + sample + "; open " + watch.open() + ", wrong " + watch.wrong());
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    /** Takes a sample. Unreadable metrics count as a failed probe. */
    private String sample(ParleyProcess parley, VerdictWatch watch) throws InterruptedException {
        try {
            Sample sample = parley.sample(seconds(), watch.right());
            samples.add(sample);
            return sample.line();
        } catch (IOException | IllegalStateException e) {
            probes++;
            unready++;
            return e.toString();
        }
    }

    private static boolean awaitVerdicts(VerdictWatch watch) throws InterruptedException {
        for (int i = 0; i < SETTLE_SECONDS && watch.open() > 0; i++) {
            TimeUnit.SECONDS.sleep(1);
        }
        return watch.open() == 0;
    }

    private int report(
            VerdictWatch watch, Phase quiet, Phase hostile, List<Attack> attacks, boolean settled, JsonNode accounting)
            throws IOException {
        List<Trend> trends = Trend.all(samples);
        boolean right = settled && watch.wrong() == 0;
        StringBuilder page = new StringBuilder(String.format(
                Locale.ROOT,
                "%.1f minutes, %.0f honest messages/s, -Xmx%s: %,d honest verdicts right, %d wrong, %d missing;%n"
                        + "%,d hostile records recorded; readiness failed %d of %d probes; accounting %s.%n%n",
                minutes,
                rate,
                heap,
                watch.right(),
                watch.wrong(),
                watch.open(),
                watch.hostile(),
                unready,
                probes,
                accounting.path("balanced").asBoolean() ? "balanced" : "NOT BALANCED"));
        page.append("| Latency of honest messages, ms | median | p99 | p99.9 | messages |\n|---|---|---|---|---|\n");
        boolean steady = compare("", quiet.direct(), hostile.direct(), page);
        steady &= compare(", patches sent before their base", quiet.parked(), hostile.parked(), page);
        page.append("\n| Memory during the attack | third quarter | fourth quarter | |\n|---|---|---|---|\n");
        trends.forEach(trend -> page.append(trend.row()).append('\n'));
        page.append("\n| Attack | done | refused |\n|---|---|---|\n");
        attacks.forEach(attack -> page.append(
                String.format(Locale.ROOT, "| %s | %,d | %,d |%n", attack.name(), attack.steps(), attack.refused())));
        Files.writeString(directory.resolve("hostile.md"), page);
        System.out.print(page);
        watch.objections().forEach(System.err::println);
        boolean flat = trends.stream().allMatch(Trend::isFlat);
        return right && flat && steady && unready == 0 ? 0 : 1;
    }

    /** Adds the rows of both phases. Returns whether p99 rose within the allowed ratio. */
    private static boolean compare(String messages, Summary quiet, Summary hostile, StringBuilder page) {
        double ratio = (double) hostile.p99() / Math.max(1, quiet.p99());
        page.append(row("quiet" + messages, quiet)).append(row("hostile" + messages, hostile));
        page.append(String.format(Locale.ROOT, "| ratio%s | | %.2f | | |%n", messages, ratio));
        return ratio <= MAX_LATENCY_RATIO;
    }

    private static String row(String name, Summary summary) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %,d |%n",
                name,
                summary.median(),
                summary.p99(),
                summary.p999(),
                summary.count());
    }
}
