package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.load.Load;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The audit records of a random load. */
final class AuditLoad {
    private static final Duration STEP = Duration.ofMillis(150);

    private AuditLoad() {}

    /**
     * An audit record.
     *
     * @param decided time of its verdict
     */
    record Audited(AuditRecord record, Instant decided) {

        /** A verdict at the time of the message. */
        static Audited atOnce(AuditRecord record) {
            return new Audited(record, record.getSource().getTimestamp());
        }
    }

    /** Judges a load that the seed determines, and returns its audit records by time. */
    static List<Audited> judged(Path directory, long seed, int count) {
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            Load load = new Load("analytics", seed, 12);
            DialogueLoad dialogues = new DialogueLoad(new Random(seed));
            for (int i = 0; i < count; i++) {
                Instant time = PipelineDriver.START.plus(STEP.multipliedBy(i));
                pipeline.send(
                        i % 2 == 0
                                ? dialogues.next(time)
                                : InputRecord.of(load.next().record(), time));
            }
            List<Audited> audit = new ArrayList<>();
            pipeline.auditRecords().forEach(record -> audit.add(new Audited(record.value(), record.getRecordTime())));
            audit.sort(Comparator.comparing(entry -> entry.record().getSource().getTimestamp()));
            return List.copyOf(audit);
        }
    }
}
