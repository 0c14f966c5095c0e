package dev.parley.load.run;

import dev.parley.load.Load;
import dev.parley.load.LoadProducer;
import dev.parley.load.LoadRecord;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.run.VerdictWatch.Counts;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sends messages to a Parley process as fast as it processes them, and samples its memory. */
@Command(
        name = "soak",
        description = "Sends messages through Parley. Fails if a verdict is wrong or missing, or memory grows.")
final class Soak extends LoadRun {
    /** Maximum number of messages without a verdict. */
    private static final long AHEAD = 100_000;

    private static final int CONVERSATIONS = 2_000;
    private static final int MAX_RATE = 50_000;

    /** Small segments, so that topics are trimmed soon after reading. */
    private static final Map<String, String> BROKER = Map.of(
            "log.segment.bytes", Integer.toString(32 << 20),
            "log.retention.bytes", Integer.toString(256 << 20),
            "log.retention.check.interval.ms", "10000",
            "log.segment.delete.delay.ms", "1000",
            "log.cleaner.dedupe.buffer.size", Integer.toString(64 << 20));

    @Option(names = "--messages", defaultValue = "10000000", description = "Messages.")
    private long messages;

    @Option(names = "--minutes", description = "Maximum duration in minutes, even if messages remain.")
    private Long minutes;

    @Override
    Map<String, String> broker() {
        return BROKER;
    }

    @Override
    LoadProducer producer(Map<String, Object> settings, BiConsumer<RecordMetadata, LoadRecord> acknowledged) {
        return new LoadProducer(new Load("soak", seed, CONVERSATIONS), MAX_RATE, settings, acknowledged);
    }

    @Override
    boolean run(ParleyProcess parley, LoadProducer producer, VerdictWatch watch, Bench bench) throws Exception {
        boolean sending = false;
        while (producer.sent() < messages && (minutes == null || seconds() < minutes * 60)) {
            producer.check();
            Counts counts = watch.counts();
            boolean wanted = counts.open() < AHEAD;
            if (wanted && !sending) {
                producer.resume();
            } else if (!wanted && sending) {
                producer.pause();
            }
            sending = wanted;
            sample(parley, counts, "");
            TimeUnit.MILLISECONDS.sleep(100);
        }
        if (!sending) {
            producer.resume();
        }
        return report(parley, producer, watch, "");
    }
}
