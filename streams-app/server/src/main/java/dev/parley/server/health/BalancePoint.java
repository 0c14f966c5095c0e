package dev.parley.server.health;

import dev.parley.json.model.AccountingReport.Balanced;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds the time up to which every record of an input partition has an outcome, also while later ones arrive. It notes
 * the end of the partition, waits until the counts of inputs reach it, and then until each audit log has as many
 * outcomes. Each log has the outcomes of an input partition in its order, so the counts suffice.
 */
final class BalancePoint {
    /**
     * Time for which counts must not change once the position has passed the end, if transaction markers precede it.
     * The pipeline publishes counts within a second.
     */
    private static final Duration UNCHANGED = Duration.ofSeconds(5);

    private Balanced end;
    private PartitionCounts passed;
    private Instant passedSince;
    private Balanced read;
    private PartitionCounts inputs;
    private Balanced balanced;

    /** Advances with the latest counts, and with the end and position of the partition at a time. */
    void observe(PartitionCounts counts, SourceProgress.Partition source, Instant time) {
        advance(counts);
        if (end == null) {
            end = new Balanced(time, source.end());
            passed = null;
        }
        if (read == null && isRead(counts, source, time)) {
            read = end;
            inputs = counts;
            end = null;
            advance(counts);
        }
    }

    /** The last end before which every record has an outcome; empty if none is known yet. */
    Optional<Balanced> balanced() {
        return Optional.ofNullable(balanced);
    }

    private void advance(PartitionCounts counts) {
        if (read != null && counts.haveOutcomesOf(inputs)) {
            balanced = read;
            read = null;
            inputs = null;
        }
    }

    private boolean isRead(PartitionCounts counts, SourceProgress.Partition source, Instant time) {
        if (counts.nextOffset() >= end.offset()) {
            return true;
        }
        if (source.position() < end.offset()) {
            return false;
        }
        if (passed == null || passed.inputs() != counts.inputs()) {
            passed = counts;
            passedSince = time;
        }
        return !time.isBefore(passedSince.plus(UNCHANGED));
    }
}
