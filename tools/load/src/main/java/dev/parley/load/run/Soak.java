package dev.parley.load.run;

import dev.parley.json.model.AccountingReport.Counts;
import dev.parley.load.ExpectedOutcome.Verdict;
import dev.parley.load.Load;
import dev.parley.load.LoadProducer;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.process.ProcessRun;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sends messages to a Parley process as fast as it processes them, and samples its memory. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = "Sends messages through Parley. Fails if an outcome is wrong or memory grows.")
final class Soak extends ProcessRun {
    /** Maximum number of unprocessed messages. */
    private static final long AHEAD = 100_000;

    private static final int MAX_RATE = 50_000;

    /** Small segments, so that topics are trimmed soon after reading. */
    private static final Map<String, String> BROKER = Map.of(
            "log.segment.bytes", Integer.toString(32 << 20),
            "log.retention.bytes", Integer.toString(256 << 20),
            "log.retention.check.interval.ms", "10000",
            "log.segment.delete.delay.ms", "1000",
            "log.cleaner.dedupe.buffer.size", Integer.toString(64 << 20));

    @Option(names = "--messages", defaultValue = "10000000", description = "Messages (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(names = "--minutes", description = "Maximum duration in minutes, even if messages remain.")
    private Long minutes;

    @Option(
            names = "--conversations",
            defaultValue = "2000",
            description = "Concurrent conversations (default: ${DEFAULT-VALUE}).")
    private int conversations;

    @Option(names = "--every", defaultValue = "15", description = "Seconds of a sample (default: ${DEFAULT-VALUE}).")
    private int every;

    Soak() {
        super(BROKER, Map.of("topics.max.record.bytes", Integer.toString(1 << 20)));
    }

    @Override
    protected boolean run(ParleyProcess parley, String brokers, String registry) throws Exception {
        try (LoadProducer producer = new LoadProducer(
                new Load("soak", seed, conversations),
                MAX_RATE,
                Map.of("bootstrap.servers", brokers, "compression.type", "lz4"))) {
            return run(parley, producer);
        }
    }

    private boolean run(ParleyProcess parley, LoadProducer producer) throws IOException, InterruptedException {
        boolean sending = false;
        long judged = 0;
        while (sending || !isEnough(producer) || judged < producer.sent()) {
            producer.check();
            judged = judged(parley);
            boolean wanted = !isEnough(producer) && producer.sent() - judged < AHEAD;
            if (wanted && !sending) {
                producer.resume();
            } else if (!wanted && sending) {
                producer.pause();
            }
            sending = wanted;
            sample(parley, every, judged, "");
            TimeUnit.MILLISECONDS.sleep(100);
        }
        boolean balanced = awaitBalance(parley, producer);
        sample(parley, 0, judged, "");
        String text = String.format(
                "%,d messages in %.0f s, %,.0f a second; -Xmx%s; %s.%n",
                judged,
                seconds(),
                judged / seconds(),
                heap,
                balanced ? "every message has its expected outcome" : "NOT BALANCED");
        return report(text) && balanced;
    }

    private boolean isEnough(LoadProducer producer) {
        return producer.sent() >= messages || minutes != null && seconds() >= minutes * 60;
    }

    /** Number of messages with an outcome, which lags the inputs. */
    private static long judged(ParleyProcess parley) {
        Counts total = accounting(parley).total();
        return total.accepted() + total.rejected() + total.flagged() + total.undecodable() + total.parked();
    }

    /** Waits until Parley has counted each message with its expected outcome. */
    private static boolean awaitBalance(ParleyProcess parley, LoadProducer producer) throws InterruptedException {
        Counts total = null;
        for (int i = 0; i < 120; i++) {
            total = accounting(parley).total();
            if (isAsSent(total, producer)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        System.err.println("The accounting differs from the sent messages: " + total);
        return false;
    }

    private static boolean isAsSent(Counts total, LoadProducer producer) {
        // Patches that came before their base may still be parked, and some of those whose base never comes have
        // expired.
        long waiting = producer.sent(Verdict.ACCEPTED) - total.accepted();
        long expired = total.rejected() - producer.sent(Verdict.REJECTED);
        return total.undecodable() == producer.sent(Verdict.UNDECODABLE)
                && waiting >= 0
                && expired >= 0
                && total.parked() == producer.sent(Verdict.PARKED) + waiting - expired;
    }
}
