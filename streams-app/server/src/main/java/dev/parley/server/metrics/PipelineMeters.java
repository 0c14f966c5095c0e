package dev.parley.server.metrics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.topology.pipeline.PipelineListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.Headers;

/** Meters of the pipeline: its verdicts, and the audit logs that this instance writes. */
public final class PipelineMeters implements PipelineListener {
    private static final String NONE = "NONE";

    private final MeterRegistry registry;
    private final Meter.MeterProvider<Counter> verdicts;
    /** The counters by their tags: a lookup in the registry costs several times as much. */
    private final Map<VerdictTags, Counter> verdictCounters = new ConcurrentHashMap<>();

    /** Sizes of the logs that this instance has written, by partition. */
    private final Map<Integer, AtomicLong> logSizes = new ConcurrentHashMap<>();

    /** 1 for a log that this instance writes and does not sign, by partition. */
    private final Map<Integer, AtomicLong> unsignedLogs = new ConcurrentHashMap<>();

    public PipelineMeters(Metrics metrics) {
        registry = metrics.registry();
        verdicts = Counter.builder("parley.verdicts")
                .description("Verdicts of this instance; code NONE if accepted")
                .withRegistry(registry);
    }

    @Override
    public void recorded(Protocol protocol, Verdict verdict, Stage stage, String code) {
        verdictCounters
                .computeIfAbsent(new VerdictTags(protocol, verdict, stage, code), this::counter)
                .increment();
    }

    @Override
    public void recorded(AuditRecord audit, Headers headers) {
        LogPosition position = audit.getLog();
        logSizes.computeIfAbsent(position.getPartition(), this::logSize).set(position.getIndex() + 1);
    }

    private AtomicLong logSize(int partition) {
        return logGauge("parley.audit.log.size", "Records of an audit log, as this instance wrote it last", partition);
    }

    @Override
    public void signing(int partition, boolean signs) {
        unsignedLogs
                .computeIfAbsent(
                        partition,
                        log -> logGauge(
                                "parley.audit.log.unsigned",
                                "1 if this instance writes an audit log but does not sign it, because the check of the"
                                        + " restored log failed; otherwise 0",
                                log))
                .set(signs ? 0 : 1);
    }

    /** Partitions of the logs that this instance writes and does not sign, in order. */
    public List<Integer> unsignedLogs() {
        return unsignedLogs.entrySet().stream()
                .filter(log -> log.getValue().get() == 1)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private AtomicLong logGauge(String name, String description, int partition) {
        AtomicLong value = new AtomicLong();
        Gauge.builder(name, value, AtomicLong::get)
                .description(description)
                .tag("partition", Integer.toString(partition))
                .register(registry);
        return value;
    }

    private Counter counter(VerdictTags tags) {
        return verdicts.withTags(
                "protocol",
                tags.protocol().name(),
                "verdict",
                tags.verdict().name(),
                "stage",
                tags.stage().name(),
                "code",
                tags.code() == null ? NONE : tags.code());
    }

    private record VerdictTags(Protocol protocol, Verdict verdict, Stage stage, String code) {}
}
