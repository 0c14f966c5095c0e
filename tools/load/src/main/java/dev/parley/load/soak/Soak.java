package dev.parley.load.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.load.ExpectedOutcome;
import dev.parley.load.Load;
import dev.parley.load.LoadProducer;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.process.ProcessRun;
import dev.parley.load.process.Sample;
import dev.parley.load.process.Trend;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Sends messages to a Parley process as fast as it processes them, and samples its memory. The broker and the producer
 * run in this process, and Parley in another.
 */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = "Sends messages through Parley and samples its memory; writes samples.csv, soak.svg and soak.md.")
public final class Soak extends ProcessRun {
    /** Maximum number of unprocessed messages. */
    private static final long AHEAD = 100_000;

    private static final int MAX_RATE = 50_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(
            names = "--messages",
            defaultValue = "10000000",
            description = "Total messages (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(names = "--minutes", description = "Maximum duration in minutes, even if messages remain.")
    private Long minutes;

    @Option(
            names = "--conversations",
            defaultValue = "2000",
            description = "Concurrent conversations (default: ${DEFAULT-VALUE}).")
    private int conversations;

    @Option(
            names = "--every",
            defaultValue = "15",
            description = "Seconds between two samples (default: ${DEFAULT-VALUE}).")
    private int every;

    /** Runs the command; exit status 0 if the accounting balances and memory is flat. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Soak()).execute(arguments));
    }

    private Soak() {
        super(broker(), Map.of("topics.max.record.bytes", Integer.toString(1 << 20)));
    }

    @Override
    protected int run(ParleyProcess parley, String brokers, String registry) throws Exception {
        try (LoadProducer producer = new LoadProducer(
                new Load("soak", seed, conversations),
                MAX_RATE,
                Map.of("bootstrap.servers", brokers, "compression.type", "lz4"))) {
            return run(parley, producer);
        }
    }

    /** Small segments, so that topics are trimmed soon after reading. */
    private static Map<String, String> broker() {
        return Map.of(
                "log.segment.bytes", Integer.toString(32 << 20),
                "log.retention.bytes", Integer.toString(256 << 20),
                "log.retention.check.interval.ms", "10000",
                "log.segment.delete.delay.ms", "1000",
                "log.cleaner.dedupe.buffer.size", Integer.toString(64 << 20));
    }

    private int run(ParleyProcess parley, LoadProducer producer) throws IOException, InterruptedException {
        long nextSample = 0;
        boolean sending = false;
        long taken = 0;
        try (PrintWriter csv =
                new PrintWriter(Files.newBufferedWriter(directory.resolve("samples.csv"), StandardCharsets.UTF_8))) {
            csv.println(Sample.HEADER);
            while (sending || !isEnough(producer) || taken < producer.sent()) {
                producer.check();
                taken = judged(parley);
                boolean wanted = !isEnough(producer) && producer.sent() - taken < AHEAD;
                if (wanted && !sending) {
                    producer.resume();
                } else if (!wanted && sending) {
                    producer.pause();
                }
                sending = wanted;
                if (seconds() >= nextSample) {
                    nextSample += every;
                    Sample sample = parley.sample(seconds(), taken);
                    samples.add(sample);
                    csv.println(sample.line());
                    csv.flush();
                    System.err.println("soak: " + sample.line());
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        boolean balanced = awaitBalance(parley, producer);
        samples.add(parley.sample(seconds(), taken));
        return report(taken, balanced);
    }

    private boolean isEnough(LoadProducer producer) {
        return producer.sent() >= messages || minutes != null && seconds() >= minutes * 60;
    }

    /** Number of messages with an outcome, which lags the inputs. */
    private static long judged(ParleyProcess parley) throws IOException, InterruptedException {
        JsonNode total = accounting(parley);
        long judged = 0;
        for (String outcome : List.of("accepted", "rejected", "flagged", "undecodable", "parked")) {
            judged += total.path(outcome).asLong();
        }
        return judged;
    }

    /** Waits until Parley has counted each message with its expected outcome. */
    private static boolean awaitBalance(ParleyProcess parley, LoadProducer producer)
            throws IOException, InterruptedException {
        JsonNode total = null;
        for (int i = 0; i < 120; i++) {
            total = accounting(parley);
            if (isAsSent(total, producer)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        System.err.println("soak: the accounting differs from the sent messages: " + total);
        return false;
    }

    private static boolean isAsSent(JsonNode total, LoadProducer producer) {
        long accepted = producer.sent(ExpectedOutcome.Verdict.ACCEPTED);
        long rejected = producer.sent(ExpectedOutcome.Verdict.REJECTED);
        // Patches that came before their base may still be parked, and some of those whose base never comes have
        // expired.
        long waiting = accepted - total.path("accepted").asLong();
        long givenUp = total.path("rejected").asLong() - rejected;
        return total.path("undecodable").asLong() == producer.sent(ExpectedOutcome.Verdict.UNDECODABLE)
                && waiting >= 0
                && givenUp >= 0
                && total.path("parked").asLong() == producer.sent(ExpectedOutcome.Verdict.PARKED) + waiting - givenUp;
    }

    private static JsonNode accounting(ParleyProcess parley) throws IOException, InterruptedException {
        return JSON.readTree(parley.ask("/v1/accounting")).path("total");
    }

    private int report(long taken, boolean balanced) throws IOException {
        List<Trend> trends = Trend.all(samples);
        StringBuilder page = new StringBuilder(String.format(
                "%,d messages in %.0f s, %,.0f a second; -Xmx%s; %s.%n%n| | third quarter | fourth quarter | "
                        + "|%n|---|---|---|---|%n",
                taken,
                seconds(),
                taken / seconds(),
                heap,
                balanced ? "every message has its expected outcome" : "NOT BALANCED"));
        trends.forEach(trend -> page.append(trend.row()).append(System.lineSeparator()));
        Files.writeString(directory.resolve("soak.md"), page);
        Files.writeString(directory.resolve("soak.svg"), Chart.svg(samples));
        System.out.print(page);
        return balanced && trends.stream().allMatch(Trend::isFlat) ? 0 : 1;
    }
}
