package dev.parley.load.run;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.load.CommittedRecords;
import dev.parley.load.ExpectedOutcome;
import dev.parley.load.LoadRecord;
import dev.parley.load.run.Latencies.Summary;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Follows the committed audit trail and compares every verdict on an honest message with the expected one. Latency is
 * the time from the broker's append of the message to the arrival of its audit record here. Patches sent before their
 * base are measured separately, because they wait for another message. Thread-safe.
 */
final class VerdictWatch implements AutoCloseable {
    private static final int MAX_OBJECTIONS = 20;
    private static final int MAX_EARLY = 50_000;
    private static final Duration POLL = Duration.ofMillis(100);

    private final AvroSerdes serdes;
    private final Topic<String, AuditRecord> audit;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::run, "verdict-watch");
    private final Map<InputPosition, LoadRecord> expected = new HashMap<>();
    /**
     * Verdicts that arrived before the acknowledgment of their message. Those of attackers stay unclaimed and are
     * evicted.
     */
    private final Map<InputPosition, Verdict> early = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InputPosition, Verdict> eldest) {
            return size() > MAX_EARLY;
        }
    };

    private final List<String> objections = new ArrayList<>();
    private final Latencies direct = new Latencies();
    private final Latencies parked = new Latencies();
    private final Latencies heldBack = new Latencies();
    private long right;
    private long wrong;
    private long read;
    private RuntimeException failure;

    /**
     * Starts at the end of the audit topic.
     *
     * @param brokers bootstrap servers
     * @param registry URL of the Schema Registry
     */
    VerdictWatch(String brokers, String registry) {
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", registry));
        audit = new Topics(TopicNames.DEFAULT, serdes).audit();
        consumer = CommittedRecords.of(brokers, audit.name());
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds the expected outcome of an honest message, after a broker has acknowledged it. */
    synchronized void expect(RecordMetadata message, LoadRecord record) {
        InputPosition position = new InputPosition(message.topic(), message.partition(), message.offset());
        Verdict come = early.remove(position);
        if (come == null) {
            expected.put(position, record);
        } else {
            compare(position, record, come);
        }
    }

    private void run() {
        try {
            while (true) {
                consumer.poll(POLL).forEach(record -> accept(audit.read(record.value())));
            }
        } catch (WakeupException e) {
            // Closed.
        } catch (RuntimeException e) {
            synchronized (this) {
                failure = e;
            }
        }
    }

    private synchronized void accept(AuditRecord record) {
        read++;
        InputPosition position = InputPosition.of(record.getSource());
        LoadRecord sent = expected.remove(position);
        Verdict verdict = new Verdict(
                ExpectedOutcome.of(record),
                System.currentTimeMillis() - record.getSource().getTimestamp().toEpochMilli());
        if (sent != null) {
            compare(position, sent, verdict);
        } else {
            early.put(position, verdict);
        }
    }

    private void compare(InputPosition position, LoadRecord sent, Verdict verdict) {
        Latencies latencies = sent.awaitsBase() ? parked : direct;
        (KafkaAttacks.isHeldBack(position) ? heldBack : latencies).add(verdict.latencyMs());
        if (sent.expected().allows(verdict.outcome())) {
            right++;
            return;
        }
        wrong++;
        if (objections.size() < MAX_OBJECTIONS) {
            objections.add(position + " must be " + sent.expected() + " and is " + verdict.outcome());
        }
    }

    private record Verdict(ExpectedOutcome outcome, long latencyMs) {}

    /** Summarizes the latencies since the last call. */
    synchronized Phase summarize() {
        if (failure != null) {
            throw new IllegalStateException("Reading the audit topic failed", failure);
        }
        return new Phase(direct.summarize(), parked.summarize(), heldBack.summarize());
    }

    /**
     * Latencies of one phase.
     *
     * @param direct messages that do not wait for a base
     * @param parked patches that were sent before their base
     * @param heldBack messages of a partition that transactions of attackers hold back, which are in neither of them
     */
    record Phase(Summary direct, Summary parked, Summary heldBack) {}

    /**
     * Verdicts so far.
     *
     * @param right expected verdicts on honest messages
     * @param wrong other verdicts on honest messages
     * @param open honest messages without a verdict, except patches whose base never comes
     * @param hostile verdicts on messages of attackers
     * @param objections sentences about the first wrong verdicts
     */
    record Counts(long right, long wrong, long open, long hostile, List<String> objections) {}

    synchronized Counts counts() {
        long open = expected.values().stream()
                .filter(sent -> sent.expected().verdict() != ExpectedOutcome.Verdict.PARKED)
                .count();
        return new Counts(right, wrong, open, read - right - wrong, List.copyOf(objections));
    }

    @Override
    public void close() throws Exception {
        consumer.wakeup();
        thread.join();
        consumer.close();
        serdes.close();
    }
}
