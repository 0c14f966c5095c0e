package dev.parley.topology.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AuditRecord;
import dev.parley.benchmarks.load.Load;
import dev.parley.benchmarks.load.LoadRecord;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The audit records of a random load. */
final class AuditLoad {
    private static final Duration STEP = Duration.ofMillis(150);

    private AuditLoad() {}

    /** Judges a load that the seed determines, and returns its audit records by time. */
    static List<AuditRecord> judged(Path directory, long seed, int count) {
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            Load load = new Load("analytics", seed, 12);
            for (int i = 0; i < count; i++) {
                LoadRecord record = load.next();
                Headers headers = new RecordHeaders();
                record.headers().forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
                Instant time = PipelineDriver.START.plus(STEP.multipliedBy(i));
                pipeline.send(new InputRecord(record.topic(), record.key(), record.value(), headers, time));
            }
            List<AuditRecord> audit = new ArrayList<>(pipeline.audit());
            audit.sort(Comparator.comparing(record -> record.getSource().getTimestamp()));
            return List.copyOf(audit);
        }
    }
}
